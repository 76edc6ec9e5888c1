/** Header of a session's stream: the number of its first event, from which the others count on. */
export const firstEventHeader = "x-first-event";

/** The number of a stream's first event; `undefined`: its events cannot be asked for again. */
export function firstEvent(response: Response): number | undefined {
  const number = response.headers.get(firstEventHeader);
  return number === null ? undefined : Number(number);
}
