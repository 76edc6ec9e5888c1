import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { packageRoot } from "../../../src/cli/package-root.ts";
import { peerRoot } from "./peers.ts";

/** What is uploaded, KiB. */
export interface SizeResult {
  name: string;
  /** All files, as they are and compressed. */
  total: number;
  gzip: number;
  /** What the script is made of, largest first. */
  parts: { name: string; kib: number }[];
}

/** Builds each Worker for production once more, this time asking what is in it. */
export async function measureSizes(): Promise<SizeResult[]> {
  const results: SizeResult[] = [];
  for (const [name, root] of [
    ["ours", packageRoot],
    ["hono", peerRoot("hono")],
    ["agents", peerRoot("agents")],
  ] as const) {
    results.push({ name, ...(await sizeOf(root)) });
  }
  return results;
}

interface Metafile {
  outputs: { [file: string]: { inputs: { [file: string]: { bytesInOutput: number } } } };
}

async function sizeOf(root: string): Promise<Omit<SizeResult, "name">> {
  const folder = await mkdtemp(path.join(tmpdir(), "greenroom-size-"));
  try {
    const out = path.join(folder, "out");
    const metafile = path.join(folder, "meta.json");
    const wrangler = path.join(
      path.dirname(createRequire(import.meta.url).resolve("wrangler/package.json")),
      "bin",
      "wrangler.js",
    );
    const order = ["deploy", "--dry-run", "--outdir", out, "--metafile", metafile];
    await promisify(execFile)(process.execPath, [wrangler, ...order], {
      cwd: root,
      env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_SEND_ERROR_REPORTS: "false" },
      maxBuffer: 64 * 1_024 * 1_024,
    });
    const names = (await readdir(out)).filter((name) => name !== "README.md" && !name.endsWith(".map"));
    const files = await Promise.all(names.map((name) => readFile(path.join(out, name))));
    const kib = (lengths: number[]) => lengths.reduce((sum, length) => sum + length, 0) / 1_024;
    return {
      total: kib(files.map(({ length }) => length)),
      gzip: kib(files.map((file) => gzipSync(file).length)),
      parts: partsOf(JSON.parse(await readFile(metafile, "utf8")) as Metafile),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function partsOf({ outputs }: Metafile): SizeResult["parts"] {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs ?? {})) {
      const part = partOf(file);
      bytes.set(part, (bytes.get(part) ?? 0) + bytesInOutput);
    }
  }
  return [...bytes].map(([name, length]) => ({ name, kib: length / 1_024 })).sort((a, b) => b.kib - a.kib);
}

/** A package by its name, a file of ours by its room. */
function partOf(file: string): string {
  const inPackage = file.split("node_modules/").at(-1);
  if (inPackage !== undefined && inPackage !== file) {
    const [scope = "", name = ""] = inPackage.split("/");
    return scope.startsWith("@") ? `${scope}/${name}` : scope;
  }
  const [floor = "", room = ""] = file.split("/");
  return floor === "src" && !room.endsWith(".ts") ? `${floor}/${room}` : floor;
}
