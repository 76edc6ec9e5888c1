import { execFileSync } from "node:child_process";
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { median } from "./numbers.ts";

/*
 * What the system knows of other processes, from /proc. Elsewhere than on Linux there is none, and the figures that
 * need it are left out.
 */

/** CPU a process has used so far, all threads, user and system, in ms; `null` without /proc. */
export function cpuMsOf(pid: number): number | null {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name stands in parentheses and may hold spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs();
}

/** Memory of a process that is in RAM, in MB; `null` without /proc. */
export function rssMbOf(pid: number): number | null {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
  return kb === undefined ? null : Number(kb) / 1024;
}

/** Files a process holds open; `null` without /proc. */
export function openFilesOf(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
}

/** Files below a folder and the bytes the disk gives them. */
export function diskUse(folder: string): { files: number; kb: number } {
  let files = 0;
  let kb = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    // Another process may remove a file in between.
    const info = statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    if (info === undefined) continue;
    files += 1;
    kb += (info.blocks * 512) / 1024;
  }
  return { files, kb };
}

/** What the disk takes to keep two pages of a database for good, ms: the median of a few tries. */
export function flushMs(root: string): number {
  const folder = mkdtempSync(path.join(root, "greenroom-flush-"));
  const file = openSync(path.join(folder, "pages"), "w");
  try {
    const pages = new Uint8Array(8_192);
    return median(
      Array.from({ length: 15 }, () => {
        writeSync(file, pages);
        const startedAt = performance.now();
        fsyncSync(file);
        return performance.now() - startedAt;
      }),
    );
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

function tickMs(): number {
  return 1_000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
