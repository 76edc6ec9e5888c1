import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process, told apart from a later one with the same number by when it started. */
export interface ProcessMark {
  pid: number;
  /** Clock ticks since boot on Linux; absent elsewhere. */
  start?: string;
}

/** Marks a running process so that `isRunning` can recognise it later. */
export function markProcess(pid: number): ProcessMark {
  const start = procStat(pid)?.start;
  return start === undefined ? { pid } : { pid, start };
}

/** Whether the marked process still runs. A process of another person counts as running. */
export function isRunning(mark: ProcessMark): boolean {
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  if (mark.start === undefined) return true;
  const stat = procStat(mark.pid);
  return stat === undefined || (stat.start === mark.start && stat.state !== "Z");
}

/** Children of `parent`, or those whose program is called `name`. Empty where neither /proc nor `ps` can tell. */
export function childrenOf(parent: number, name?: string): ProcessMark[] {
  if (process.platform === "linux") {
    return readdirSync("/proc").flatMap((entry) => {
      if (!/^\d+$/.test(entry)) return [];
      const stat = procStat(Number(entry));
      return stat !== undefined && stat.parent === parent && (name ?? stat.name) === stat.name
        ? [{ pid: Number(entry), start: stat.start }]
        : [];
    });
  }
  let listing: string;
  try {
    listing = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  } catch {
    return [];
  }
  return listing.split("\n").flatMap((line) => {
    const [pid, ppid, command] = line.trim().split(/\s+/);
    const called = command?.split("/").at(-1);
    return Number(ppid) === parent && called !== undefined && (name ?? called) === called
      ? [{ pid: Number(pid) }]
      : [];
  });
}

function procStat(pid: number): { name: string; state: string; parent: number; start: string } | undefined {
  if (process.platform !== "linux") return undefined;
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name stands in parentheses and may hold spaces and parentheses itself.
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  const rest = text.slice(close + 2).split(" ");
  const [state, parent] = rest;
  const start = rest[19];
  if (state === undefined || parent === undefined || start === undefined) return undefined;
  return { name: text.slice(open + 1, close), state, parent: Number(parent), start };
}
