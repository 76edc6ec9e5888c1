import { Cron } from "croner";

/** Why a text is no cron expression of five fields; `null` when it is one. */
export function checkCron(text: string): string | null {
  if (text.trim().split(/\s+/).length !== 5) return "is not five fields: minute hour day month weekday";
  try {
    return nextCron(text, 0) === null ? "never comes: there is no such day" : null;
  } catch (error) {
    return `is no cron expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The next time a cron expression names after a moment, UTC, milliseconds since the epoch; `null`: it never does. */
export function nextCron(text: string, after: number): number | null {
  return new Cron(text, { timezone: "UTC", paused: true }).nextRun(new Date(after))?.getTime() ?? null;
}
