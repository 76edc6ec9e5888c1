import { HttpError } from "../http/errors.ts";
import { isNotMigrated } from "../http/not-migrated.ts";

/**
 * The result of a query. A database that cannot answer now becomes `unavailable`, which tells the caller to try again;
 * its own words go to the log. One without its tables is left to the rendering of errors, which names the command.
 */
export async function inDatabase<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (!isFromDatabase(error) || isNotMigrated(error)) throw error;
    console.error(JSON.stringify({ level: "error", event: "database_failed", error: error.message }));
    throw new HttpError("unavailable", "The database cannot answer now. Try again in a moment.", {
      headers: { "retry-after": "1" },
      cause: error,
    });
  }
}

/** D1 marks its errors in their text, which also survives the way out of an object. */
function isFromDatabase(error: unknown): error is Error {
  return error instanceof Error && /^D1(_[A-Z]+)?_ERROR\b/.test(error.message);
}
