import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

type ButtonLook = "primary" | "default" | "quiet" | "danger";

interface Look {
  look?: ButtonLook;
  icon?: IconName;
  /** Smaller, for rows and toolbars. */
  small?: boolean;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Something is under way: the button stays where it is and takes no second press. */
  busy?: boolean;
}

/** A button; `type` is "button" unless said otherwise. With an icon and no children it needs an `aria-label`. */
export function Button({ look = "default", icon, small, busy, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(look, small, children, className)}
      aria-busy={busy === true || undefined}
      disabled={rest.disabled === true || busy === true}
    >
      {busy === true ? (
        <span className="spinner" aria-hidden="true" />
      ) : (
        icon && <Icon name={icon} size={16} />
      )}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  href,
  look = "default",
  icon,
  small,
  children,
  download,
}: Look & { href: string; children: ReactNode; download?: string }) {
  return (
    <a
      className={classes(look, small, children)}
      href={href}
      {...(download === undefined ? {} : { download })}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </a>
  );
}

function classes(look: ButtonLook, small: boolean | undefined, children: ReactNode, more = ""): string {
  const bare = children === undefined || children === null;
  return ["button", `button-${look}`, small === true && "button-small", bare && "button-bare", more]
    .filter(Boolean)
    .join(" ");
}
