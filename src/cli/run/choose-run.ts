import type { ApiClient, RehearsalRow } from "../api-client.ts";
import { CliError } from "../cli-error.ts";
import { plain } from "../terminal/terminal.ts";
import { leftRuns, type RunMark, type StateSlot } from "./state-slots.ts";

export interface LeftRun {
  mark: RunMark;
  slot: StateSlot;
}

/**
 * The rehearsal left below `root` that `--resume` means: the one of that id, or with `true` the newest that no command
 * is at. `shown` is `root` as the person knows it. Throws `CliError` with those there are when it is not among them.
 */
export async function chooseLeftRun(root: string, asked: string | true, shown: string): Promise<LeftRun> {
  const newestFirst = (await leftRuns(root)).reverse();
  const found =
    asked === true
      ? newestFirst.find(({ slot }) => !slot.inUse())
      : newestFirst.find(({ mark }) => mark.runId === asked);
  if (found !== undefined) return found;
  const others = newestFirst.map(({ mark }) => describe(mark));
  const missing = asked === true ? "there is no run to take up" : `there is no run ${plain(asked)}`;
  if (others.length === 0) throw new CliError(`${missing}; no rehearsal was left unfinished in ${shown}`);
  const those = asked === true ? "commands are at these:" : "left unfinished are:";
  throw new CliError(`${missing}; ${those}`, others);
}

function describe({ runId, domain, startedAt }: RunMark): string {
  // Its command was killed before it learnt the id, so `--resume` alone finds it.
  return `${runId ?? "not yet named"} (${plain(domain)}, started ${startedAt})`;
}

/** Id of the rehearsal that a state folder's engine holds, for a mark made before it was known; `null` when none began. */
export async function startedRun(api: Pick<ApiClient, "list">): Promise<string | null> {
  const [newest] = await api.list();
  return newest?.runId ?? null;
}

/**
 * The one rehearsal that is under way at an endpoint. Throws `CliError` when there is none or more than one, with
 * those a person may mean: another's is neither watched nor, by a Ctrl-C, cancelled by mistake.
 */
export async function onlyRunning(api: Pick<ApiClient, "list">, endpoint: string): Promise<string> {
  const rows = await api.list();
  const running = rows.filter(({ status }) => status === "running");
  const [only, ...more] = running;
  if (only !== undefined && more.length === 0) return only.runId;
  const which = "say which with --resume RUN_ID:";
  if (only !== undefined)
    throw new CliError(
      `${running.length} rehearsals are under way at ${endpoint}; ${which}`,
      running.map(line),
    );
  const newest = rows.slice(0, 5).map(line);
  throw new CliError(
    `no rehearsal is under way at ${endpoint}${newest.length === 0 ? "" : `; ${which}`}`,
    newest,
  );
}

function line({ runId, domain, status, startedAt }: RehearsalRow): string {
  return plain(`${runId} (${domain}, ${status}, started ${startedAt})`);
}
