import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/**
 * Builds the console into web/dist and prints what its first view weighs; fails above the budget. With `--if-needed`
 * it leaves a build alone that was made of the files as they are now.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "web/dist");
const stampFile = join(out, ".build.json");
const lock = join(root, "web/.building");

/** JavaScript that a browser loads before the first page shows, gzip, bytes. */
const firstViewBudget = 150_000;

/** SHA-256 of each file a build was made of, by its path in the repository. */
type Stamp = Record<string, string>;

/** What every build depends on beside the modules that its entry imports. */
function fixedInputs(): string[] {
  const listed = readdirSync(join(root, "web/public"), { recursive: true, encoding: "utf8" });
  const inPublic = listed.map((name) => join("web/public", name));
  return ["package-lock.json", "web/index.html", "web/vite.config.ts", ...inPublic].filter((file) =>
    statSync(join(root, file)).isFile(),
  );
}

function digestOf(file: string): string {
  const path = join(root, file);
  return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
}

function isCurrent(): boolean {
  if (!existsSync(stampFile) || !existsSync(join(out, "index.html"))) return false;
  const stamp = JSON.parse(readFileSync(stampFile, "utf8")) as Stamp;
  return (
    fixedInputs().every((file) => file in stamp) &&
    Object.entries(stamp).every(([file, digest]) => digestOf(file) === digest)
  );
}

async function buildConsole(): Promise<void> {
  const started = performance.now();
  // A test that builds says otherwise, and would get React's development build.
  process.env.NODE_ENV = "production";
  const result = await build({ configFile: join(root, "web/vite.config.ts"), logLevel: "warn" });
  const outputs = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  const modules = outputs.flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
  const own = modules
    .map((id) => relative(root, id.replace(/[?#].*$/, "")))
    .filter(
      (file) => !file.startsWith("..") && !file.includes("node_modules") && existsSync(join(root, file)),
    )
    .map((file) => file.split(sep).join("/"));
  const inputs = [...new Set([...fixedInputs(), ...own, ...stylesheets()])].sort();
  const stamp: Stamp = Object.fromEntries(inputs.map((file) => [file, digestOf(file)]));
  writeFileSync(stampFile, JSON.stringify(stamp));
  report(performance.now() - started);
}

/** Stylesheets leave no module behind in the output. */
function stylesheets(): string[] {
  return readdirSync(join(root, "web/src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".css"))
    .map((name) => join("web/src", name).split(sep).join("/"));
}

function report(ms: number): void {
  const page = readFileSync(join(out, "index.html"), "utf8");
  const first = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((found) => found[1] ?? "");
  const weigh = (ending: string, files: string[]) =>
    files
      .filter((file) => file.endsWith(ending))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(out, file)), { level: 9 }).length, 0);
  const all = readdirSync(join(out, "assets")).map((name) => `assets/${name}`);
  const later = all.filter((file) => !first.includes(file));
  const scripts = weigh(".js", first);
  const kb = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  console.log(
    `console: first view ${kb(scripts)} of ${kb(firstViewBudget)} JavaScript and ${kb(weigh(".css", first))} CSS, ` +
      `on demand ${kb(weigh(".js", later))} and ${kb(weigh(".css", later))} (gzip); built in ${(ms / 1_000).toFixed(1)} s`,
  );
  if (scripts > firstViewBudget) {
    console.error("The first view is over its budget: load on demand what it does not need.");
    process.exitCode = 1;
  }
}

/** Two builds at once would empty each other's folder: the second waits, and then mostly has nothing left to do. */
async function locked(work: () => Promise<void>): Promise<void> {
  while (!takeLock()) await new Promise((resolve) => setTimeout(resolve, 100));
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock, also one whose holder is gone. */
function takeLock(): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const holder = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0;
  // Empty while the other one is just writing it.
  if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const ifNeeded = process.argv.includes("--if-needed");
if (!(ifNeeded && isCurrent())) {
  await locked(async () => {
    if (!(ifNeeded && isCurrent())) await buildConsole();
  });
}
