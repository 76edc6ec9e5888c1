import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isRunning, markProcess, type ProcessMark } from "./processes.ts";

/** Holds a state folder for one engine. */
export interface StateLock {
  /** Notes the runtime processes that have the folder's databases open. */
  runtimes(marks: ProcessMark[]): void;
  release(): void;
}

interface LockFile {
  id: string;
  owner: ProcessMark;
  runtimes: ProcessMark[];
}

/** A lock is written in one go; one that cannot be read after this long was cut off with its writer. */
const writingMs = 2_000;

/** The state folder is in use by an engine that runs. */
export class StateInUse extends Error {
  override name = "StateInUse";
}

/**
 * Takes a state folder that exists for the calling process, or throws `StateInUse`. Two runtimes on one folder would write over
 * each other's databases, so a lock left by a dead engine is broken only after the runtimes it noted are ended.
 */
export function lockState(stateDir: string): StateLock {
  const file = path.join(stateDir, "engine.lock");
  const mine: LockFile = { id: randomUUID(), owner: markProcess(process.pid), runtimes: [] };
  for (;;) {
    if (create(file, mine)) break;
    const held = read(file);
    if (held === "gone") continue;
    if (held === "unreadable") {
      if (ageMs(file) < writingMs)
        throw new StateInUse(`the state folder ${stateDir} is in use by another engine`);
      rmSync(file, { force: true });
      continue;
    }
    if (isRunning(held.owner)) {
      throw new StateInUse(
        `the state folder ${stateDir} is in use by another engine (process ${held.owner.pid})`,
      );
    }
    for (const runtime of held.runtimes) if (isRunning(runtime)) end(runtime);
    takeAway(file, held.id);
  }
  return {
    runtimes(marks) {
      mine.runtimes = marks;
      const next = `${file}.${mine.id}`;
      writeFileSync(next, JSON.stringify(mine));
      renameSync(next, file);
    },
    release() {
      const held = read(file);
      if (typeof held === "object" && held.id === mine.id) rmSync(file, { force: true });
    },
  };
}

function create(file: string, content: LockFile): boolean {
  try {
    writeFileSync(file, JSON.stringify(content), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function read(file: string): LockFile | "gone" | "unreadable" {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as LockFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "gone";
    if (error instanceof SyntaxError) return "unreadable";
    throw error;
  }
}

function ageMs(file: string): number {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Removes a dead lock; if another process replaced it in between, puts that one back. */
function takeAway(file: string, id: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const taken = read(aside);
  if (typeof taken === "object" && taken.id === id) rmSync(aside);
  else renameSync(aside, file);
}

function end(mark: ProcessMark): void {
  try {
    process.kill(mark.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
