import { HttpError } from "../http/errors.ts";

/** Place in a list that is sorted by time and then by id. */
export interface PagePlace {
  at: string;
  id: string;
}

/** The cursor a client gets for the page after this place. */
export function writeCursor({ at, id }: PagePlace): string {
  return `${at}~${id}`;
}

/** The place a cursor names. Throws 400 for one that no list gave. */
export function readCursor(cursor: string): PagePlace {
  const [at, id, ...rest] = cursor.split("~");
  if (at === undefined || id === undefined || rest.length > 0) {
    throw new HttpError("invalid_request", "The cursor is not one that this list gave.");
  }
  return { at, id };
}
