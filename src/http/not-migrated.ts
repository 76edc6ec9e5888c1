/** What an operator does about a database without its tables. */
export const notMigratedMessage =
  "The database is not migrated. Run: npx wrangler d1 migrations apply DB --local (or --remote for the deployed one)";

/** Whether `thrown` is the database saying that a table does not exist. */
export function isNotMigrated(thrown: unknown): boolean {
  return thrown instanceof Error && /^D1_ERROR: no such table/.test(thrown.message);
}
