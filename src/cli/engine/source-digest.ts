import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/**
 * What the Worker's bundle is made of, relative to the package. Folders are taken whole. The console is read from its
 * folder when the runtime starts, but for the headers, which the bundle's settings carry.
 */
const inputs = [
  "src",
  "objects",
  "examples",
  "web/dist/_headers",
  "wrangler.toml",
  "package.json",
  "package-lock.json",
];

/** Not part of the bundle: the command itself, and what an example's own tools leave behind. */
const left = new Set(["src/cli", "node_modules", "__pycache__"]);

/**
 * SHA-256, hex, of everything the Worker's bundle depends on, its place included. Two equal digests mean that a bundle can be used again.
 * Inputs that do not exist count as empty, so that a package without its lock file works too.
 */
export async function sourceDigest(root: string): Promise<string> {
  const hash = createHash("sha256").update(`${root}\0`);
  for (const input of inputs) {
    for (const file of await filesUnder(root, input)) {
      const text = await readFile(path.join(root, file));
      hash.update(`${file}\0${text.length}\0`);
      hash.update(text);
    }
  }
  return hash.digest("hex");
}

async function filesUnder(root: string, relative: string): Promise<string[]> {
  let entries: import("node:fs").Dirent[];
  try {
    entries = await readdir(path.join(root, relative), { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOTDIR") return [relative];
    if (code === "ENOENT") return [];
    throw error;
  }
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const child = `${relative}/${entry.name}`;
    if (entry.name.startsWith(".") || left.has(child) || left.has(entry.name)) continue;
    if (entry.isDirectory()) files.push(...(await filesUnder(root, child)));
    else if (entry.isFile()) files.push(child);
  }
  return files;
}
