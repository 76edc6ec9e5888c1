import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { CliError, messageOf } from "../cli-error.ts";
import { lockState, StateInUse } from "../engine/state-lock.ts";

/*
 * Every rehearsal on the embedded engine has a state folder of its own below `.greenroom/state`, so that two commands
 * at once never share a database, and so that a finished rehearsal takes its databases with it. What is left there
 * belongs to a rehearsal whose command was killed.
 */

/** What a command that takes a rehearsal up again has to know. Holds no header and no credential of the agent. */
export interface RunMark {
  /** `null` while the rehearsal is being started: what the command was told is in the engine's list of rehearsals. */
  runId: string | null;
  startedAt: string;
  domain: string;
  /** Where the results were to go. */
  out: string;
  /** Whether they go to a folder of the run's name in there. */
  outByRun: boolean;
  concurrency: number;
  /** Where the command itself was serving the agent, when the agent is a function of a module. */
  hosted: { port: number; secret: string } | null;
}

export interface StateSlot {
  /** State folder for the engine. */
  folder: string;
  mark(mark: RunMark): Promise<void>;
  /** Whether an engine that runs has the folder. */
  inUse(): boolean;
  remove(): Promise<void>;
}

/** A fresh state folder below `root`, which is kept out of version control. Throws `CliError` when it cannot be made. */
export async function newSlot(root: string): Promise<StateSlot> {
  const folder = path.join(root, `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(root, ".gitignore"), "*\n");
    await removeUnmarked(root, folder);
  } catch (error) {
    throw new CliError(
      `no state folder can be made in ${root}: ${messageOf(error)}; choose another with --state DIR`,
    );
  }
  return slotAt(folder);
}

/** Rehearsals below `root` that were left, running or killed; the newest last. */
export async function leftRuns(root: string): Promise<{ mark: RunMark; slot: StateSlot }[]> {
  const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const runs = await Promise.all(
    names.map(async (name) => {
      const slot = slotAt(path.join(root, name));
      const text = await readFile(markFile(slot.folder), "utf8").catch(() => null);
      return text === null ? [] : [{ mark: JSON.parse(text) as RunMark, slot }];
    }),
  );
  return runs.flat().sort((a, b) => (a.mark.startedAt < b.mark.startedAt ? -1 : 1));
}

/** A folder without a mark this old was left by a command that died before its rehearsal began. */
const unmarkedMs = 3_600_000;

async function removeUnmarked(root: string, mine: string): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = path.join(root, name);
    if (folder === mine || !/^[0-9a-z]+-[0-9a-f]{8}$/.test(name)) continue;
    const [info, mark] = await Promise.all(
      [folder, markFile(folder)].map((file) => stat(file).catch(() => null)),
    );
    if (info && mark === null && Date.now() - info.mtimeMs > unmarkedMs) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function slotAt(folder: string): StateSlot {
  return {
    folder,
    async mark(mark) {
      const next = `${markFile(folder)}.next`;
      await writeFile(next, JSON.stringify(mark), { mode: 0o600 });
      await rename(next, markFile(folder));
    },
    inUse() {
      try {
        lockState(folder).release();
        return false;
      } catch (error) {
        if (error instanceof StateInUse) return true;
        throw error;
      }
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function markFile(folder: string): string {
  return path.join(folder, "run.json");
}
