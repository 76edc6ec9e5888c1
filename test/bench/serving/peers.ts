import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadBundle, type WorkerBundle } from "../../../src/cli/engine/bundle.ts";
import { copyModel } from "./bench-build.ts";

export type Peer = "floor" | "hono" | "agents";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Gives the peers the fixed model and installs what they are made of, at the versions of the lock file, once. */
export async function installPeers(onInstall: () => void): Promise<void> {
  for (const peer of ["hono", "agents"] satisfies Peer[]) await copyModel(path.join(peerRoot(peer), "src"));
  const lock = await readFile(path.join(here, "package-lock.json"), "utf8");
  const stamp = path.join(here, "node_modules", ".installed");
  const installed = await readFile(stamp, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (installed === lock) return;
  onInstall();
  const order = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", order, { cwd: here });
  // A bundle is stored for its sources, and knows nothing of the versions it was built from.
  for (const peer of ["floor", "hono", "agents"] satisfies Peer[]) {
    await rm(path.join(peerRoot(peer), ".greenroom"), { recursive: true, force: true });
  }
  await writeFile(stamp, lock);
}

/** A peer as wrangler builds it for production. */
export function loadPeer(peer: Peer, onBuild: () => void): Promise<WorkerBundle> {
  return loadBundle(peerRoot(peer), onBuild);
}

/** Folder of a peer's `wrangler.toml`. */
export function peerRoot(peer: Peer): string {
  return path.join(here, "peers", peer);
}
