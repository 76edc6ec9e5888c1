import type { ReactNode } from "react";
import { ApiError, messageOf, OfflineError } from "../api/errors.ts";
import type { Resource } from "../api/use-resource.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** Nothing is there yet, and what to do about it. */
export function Empty({
  icon = "info",
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} size={22} />
      </span>
      <p className="state-title">{title}</p>
      {children && <div className="soft">{children}</div>}
      {action}
    </div>
  );
}

/** Something is on its way; holds about the room it will take. */
export function Loading({ lines = 3, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{label}…</span>
      {Array.from({ length: lines }, (_, index) => index).map((index) => (
        <span key={index} className={`bone bone-${index % 3}`} aria-hidden="true" />
      ))}
    </div>
  );
}

/** It did not work: what was said, the request id that finds it in the log, and another try. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const offline = error instanceof OfflineError;
  return (
    <div className="state" role="alert">
      <span className={`state-icon ${offline ? "" : "tone-bad"}`}>
        <Icon name={offline ? "offline" : "alert"} size={22} />
      </span>
      <p className="state-title">{titleOf(error, offline)}</p>
      <div className="soft wrap-anywhere">{messageOf(error)}</div>
      {error instanceof ApiError && error.requestId !== null && (
        <p className="soft small">
          Request <code className="wrap-anywhere">{error.requestId}</code>
        </p>
      )}
      {retry && (
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function titleOf(error: unknown, offline: boolean): string {
  if (offline) return "No connection";
  if (error instanceof ApiError && error.status === 404) return "Not found";
  if (error instanceof ApiError && error.status === 401) return "The token is not accepted";
  return "That did not work";
}

/** A line above data that could not be brought up to date. */
export function StaleNote({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <p className="notice tone-warn" role="status">
      <Icon name={error instanceof OfflineError ? "offline" : "alert"} size={16} />
      <span>{messageOf(error)} What you see may be old.</span>
      <Button small look="quiet" onClick={retry}>
        Try again
      </Button>
    </p>
  );
}

/** What a resource holds, or where it stands: loading, failed, or old with a note above it. */
export function ResourceView<T>({
  resource,
  lines,
  children,
}: {
  resource: Resource<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  const { data, error, loading, reload } = resource;
  if (data === null) {
    if (error !== null && !loading) return <Failed error={error} retry={reload} />;
    return <Loading {...(lines === undefined ? {} : { lines })} />;
  }
  return (
    <>
      {error !== null && <StaleNote error={error} retry={reload} />}
      {children(data)}
    </>
  );
}
