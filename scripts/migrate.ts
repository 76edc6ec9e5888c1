import { spawnSync } from "node:child_process";

/**
 * Brings a D1 database to the newest migration, `--local` or `--remote`, without a question: nobody may be there to
 * answer it, and a command that starts by itself should not stop at its first start.
 */
const [where = ""] = process.argv.slice(2);
if (where !== "--local" && where !== "--remote")
  throw new Error("usage: node scripts/migrate.ts --local|--remote");
const { status, error } = spawnSync("wrangler", ["d1", "migrations", "apply", "DB", where], {
  // Without a terminal to read from, wrangler takes the answer yes.
  stdio: ["ignore", "inherit", "inherit"],
  shell: process.platform === "win32",
});
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
