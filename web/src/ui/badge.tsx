import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "ok" | "bad" | "warn" | "info" | "plain";

/** A word about a state. The word says it; colour and icon only help. */
export function Badge({
  tone = "plain",
  icon,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <span className={`badge tone-${tone}`}>
      {icon && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

/** A word about something that is going on now, with a dot that moves. */
export function LiveBadge({ children }: { children: ReactNode }) {
  return (
    <span className="badge tone-info">
      <span className="live-dot" aria-hidden="true" />
      {children}
    </span>
  );
}
