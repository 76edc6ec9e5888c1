/** One file of `src/store/migrations`, cut into statements. */
export interface Migration {
  /** File name, as wrangler records it. */
  name: string;
  statements: string[];
}

/** The part of a D1 database that migrations need. */
export interface MigratedDatabase<Statement> {
  prepare(sql: string): Statement & { bind(...values: unknown[]): Statement };
  batch(statements: Statement[]): Promise<{ results: unknown[] }[]>;
}

/** The table `wrangler d1 migrations` keeps, so that either tool sees what the other applied. */
const bookkeeping = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/**
 * Brings a database up to date: every migration not yet in `d1_migrations` runs, in the order given, each together
 * with its bookkeeping in one transaction. Returns the names that ran.
 */
export async function applyMigrations<Statement>(
  db: MigratedDatabase<Statement>,
  migrations: Migration[],
): Promise<string[]> {
  const [, listed] = await db.batch([db.prepare(bookkeeping), db.prepare("SELECT name FROM d1_migrations")]);
  const rows = (listed?.results ?? []) as { name: string }[];
  const applied = new Set(rows.map((row) => row.name));
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  for (const { name, statements } of pending) {
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare("INSERT INTO d1_migrations(name) VALUES (?)").bind(name),
    ]);
  }
  return pending.map((migration) => migration.name);
}
