import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import type { SourcelessWorkerOptions } from "wrangler";
import type { Json } from "../../turn/json.ts";
import type { Migration } from "./migrations.ts";
import { sourceDigest } from "./source-digest.ts";

/** The Worker as wrangler builds it for production, ready for Miniflare. */
export interface WorkerBundle {
  /** wrangler.toml as Miniflare takes it, but for its variables. */
  options: SourcelessWorkerOptions;
  /** The plain variables of wrangler.toml. */
  vars: Record<string, Json>;
  modules: BundleModule[];
  migrations: Migration[];
}

interface BundleModule {
  type: "ESModule" | "Text";
  path: string;
  contents: string;
}

/** Raised by a change of what a stored bundle holds, so that an older one is built again. */
const format = 1;

/** How many stored bundles stay; a developer who goes back and forth between two branches keeps both. */
const kept = 4;

/**
 * The bundle of the sources as they stand: taken from the store when nothing changed (some 20 ms), else built by
 * wrangler (a few seconds). Builds at the same time do not disturb each other. Throws with wrangler's output when
 * the build fails. Nothing is asked of the network.
 */
export async function loadBundle(root: string, onBuild: () => void): Promise<WorkerBundle> {
  const digest = await sourceDigest(root);
  const store = await bundleStore(root);
  const folder = path.join(store, `${format}-${digest.slice(0, 32)}`);
  const stored = await readStored(folder);
  if (stored !== null) return stored;
  onBuild();
  const work = await mkdtemp(path.join(store, "build-"));
  try {
    const bundle = await build(root, path.join(work, "out"));
    await writeFile(path.join(work, "bundle.json"), JSON.stringify(bundle));
    await rm(path.join(work, "out"), { recursive: true, force: true });
    await rename(work, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      await rm(work, { recursive: true, force: true });
    });
    await removeOld(store, folder);
    return bundle;
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

async function readStored(folder: string): Promise<WorkerBundle | null> {
  try {
    return JSON.parse(await readFile(path.join(folder, "bundle.json"), "utf8")) as WorkerBundle;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Beside the package when that can be written, else in the person's own cache. */
async function bundleStore(root: string): Promise<string> {
  const beside = path.join(root, ".greenroom", "engine");
  try {
    await mkdir(beside, { recursive: true });
    await rm(await mkdtemp(path.join(beside, "probe-")), { recursive: true });
    return beside;
  } catch {
    const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache");
    const own = path.join(cache, "greenroom", "engine");
    await mkdir(own, { recursive: true, mode: 0o700 });
    return own;
  }
}

/** Environment in which wrangler builds without asking, telling or fetching anything. */
function quietWrangler(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_WRITE_LOGS: "false",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
  };
}

async function build(root: string, out: string): Promise<WorkerBundle> {
  const require = createRequire(path.join(root, "package.json"));
  const wrangler = path.join(path.dirname(require.resolve("wrangler/package.json")), "bin", "wrangler.js");
  try {
    await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", out], {
      cwd: root,
      env: quietWrangler(),
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim();
    throw new Error(
      `wrangler could not build the Worker:\n${stripVTControlCharacters(output === "" ? String(error) : output)}`,
    );
  }
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig, unstable_splitSqlQuery } = await import(
    "wrangler"
  );
  const configPath = path.join(root, "wrangler.toml");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(configPath);
  const config = unstable_readConfig({ config: configPath }, { hideWarnings: true });
  // What .dev.vars holds is a secret of `wrangler dev` and must not reach the store.
  const vars = Object.fromEntries(
    Object.entries(config.vars).map(([name, value]) => [name, value as string]),
  );
  const options: SourcelessWorkerOptions = { ...workerOptions, bindings: vars };
  delete options.modulesRules;
  const folder = path.join(root, config.d1_databases[0]?.migrations_dir ?? "migrations");
  const migrations = await readMigrations(folder, unstable_splitSqlQuery);
  return { options, vars: config.vars as Record<string, Json>, modules: await readModules(out), migrations };
}

/** The entry first, then the text modules wrangler wrote beside it under names the entry imports. */
async function readModules(out: string): Promise<BundleModule[]> {
  const modules: BundleModule[] = [];
  for (const name of (await readdir(out)).sort()) {
    // wrangler's own note about the folder, and the source maps.
    if (name === "README.md" || name.endsWith(".map")) continue;
    const contents = await readFile(path.join(out, name), "utf8");
    const type = name.endsWith(".js") ? "ESModule" : "Text";
    if (name === "worker.js") modules.unshift({ type, path: name, contents });
    else modules.push({ type, path: name, contents });
  }
  if (modules[0]?.path !== "worker.js") throw new Error("wrangler built no worker.js");
  return modules;
}

async function readMigrations(folder: string, split: (sql: string) => string[]): Promise<Migration[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (name) => ({
      name,
      statements: split(await readFile(path.join(folder, name), "utf8")),
    })),
  );
}

async function removeOld(store: string, current: string): Promise<void> {
  const folders = (await readdir(store)).filter((name) => /^\d+-[0-9a-f]{32}$/.test(name));
  const dated = await Promise.all(
    folders.map(async (name) => {
      const folder = path.join(store, name);
      return { folder, at: (await stat(folder)).mtimeMs };
    }),
  );
  const old = dated.filter((one) => one.folder !== current).sort((a, b) => b.at - a.at);
  await Promise.all(old.slice(kept - 1).map((one) => rm(one.folder, { recursive: true, force: true })));
}
