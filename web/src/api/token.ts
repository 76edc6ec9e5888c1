import { useSyncExternalStore } from "react";

const key = "greenroom.token";

/** What a Worker on this machine takes as long as AGENT_HTTP_TOKEN is not set: any credential will do. */
const localToken = "dev";

/** A Worker on this machine. */
export const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);

let kept: string | null = readKept();
/** The Worker refused the token in use. */
let refused = false;
const listeners = new Set<() => void>();

function readKept(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The token calls are made with; empty where none is known yet. Kept in this tab's session storage and nowhere else. */
export function currentToken(): string {
  return kept ?? (isLoopback ? localToken : "");
}

/** Whether a person has given the token in use. */
export function isTokenGiven(): boolean {
  return kept !== null;
}

/** Uses this token from now on; an empty one goes back to the one that needs no asking. */
export function setToken(token: string): void {
  kept = token.trim() === "" ? null : token.trim();
  refused = false;
  try {
    if (kept === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, kept);
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  tell();
}

/** Notes that the Worker does not take the token, so that the page asks for another. */
export function tokenRefused(token: string): void {
  if (refused || token !== currentToken()) return;
  refused = true;
  tell();
}

/** The token in use, and whether the page has to ask for one. */
export function useToken(): { token: string; given: boolean; needed: boolean } {
  const state = useSyncExternalStore(subscribe, snapshot);
  return { token: currentToken(), given: isTokenGiven(), needed: state.endsWith("!") };
}

function snapshot(): string {
  return `${kept ?? ""} ${refused || currentToken() === "" ? "!" : ""}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
