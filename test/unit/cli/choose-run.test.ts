import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { ApiClient, RehearsalRow } from "../../../src/cli/api-client.ts";
import { CliError } from "../../../src/cli/cli-error.ts";
import { lockState } from "../../../src/cli/engine/state-lock.ts";
import { chooseLeftRun, onlyRunning, startedRun } from "../../../src/cli/run/choose-run.ts";
import { newSlot, type RunMark, type StateSlot } from "../../../src/cli/run/state-slots.ts";

const mark = (runId: string | null, hour: number): RunMark => ({
  runId,
  startedAt: `2026-10-18T${hour}:00:00.000Z`,
  domain: "freight",
  out: "/tmp/out",
  outByRun: true,
  concurrency: 4,
  hosted: null,
});

async function rootWith(...marks: RunMark[]): Promise<{ root: string; slots: StateSlot[] }> {
  const root = mkdtempSync(path.join(tmpdir(), "greenroom-state-"));
  const slots: StateSlot[] = [];
  for (const one of marks) {
    const slot = await newSlot(root);
    await slot.mark(one);
    slots.push(slot);
  }
  return { root, slots };
}

async function refusal(promise: Promise<unknown>): Promise<[string, ...string[]]> {
  const error = await promise.then(
    () => new CliError("not refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CliError)) throw error;
  return [error.message, ...error.details];
}

describe("a left run", () => {
  test("is the one named, else the newest, named or not", async () => {
    const { root } = await rootWith(mark("b", 12), mark(null, 14), mark("a", 10));
    expect((await chooseLeftRun(root, "a", "state")).mark).toEqual(mark("a", 10));
    expect((await chooseLeftRun(root, true, "state")).mark).toEqual(mark(null, 14));
  });

  test("is none that a command is at, unless it is named", async () => {
    const { root, slots } = await rootWith(mark("old", 10), mark("new", 12));
    const locks = [lockState(slots[1]?.folder ?? "")];
    expect((await chooseLeftRun(root, true, "state")).mark.runId).toBe("old");
    expect((await chooseLeftRun(root, "new", "state")).mark.runId).toBe("new");
    locks.push(lockState(slots[0]?.folder ?? ""));
    expect(await refusal(chooseLeftRun(root, true, "state"))).toEqual([
      "there is no run to take up; commands are at these:",
      "new (freight, started 2026-10-18T12:00:00.000Z)",
      "old (freight, started 2026-10-18T10:00:00.000Z)",
    ]);
    for (const lock of locks) lock.release();
  });

  test("that is not there is refused with those that are", async () => {
    const { root } = await rootWith(mark("a", 10), mark(null, 12));
    expect(await refusal(chooseLeftRun(root, "c", "state"))).toEqual([
      "there is no run c; left unfinished are:",
      "not yet named (freight, started 2026-10-18T12:00:00.000Z)",
      "a (freight, started 2026-10-18T10:00:00.000Z)",
    ]);
    const empty = mkdtempSync(path.join(tmpdir(), "greenroom-state-"));
    expect(await refusal(chooseLeftRun(empty, true, "state"))).toEqual([
      "there is no run to take up; no rehearsal was left unfinished in state",
    ]);
  });
});

describe("at an endpoint", () => {
  const at = (...rows: [string, RehearsalRow["status"]][]): Pick<ApiClient, "list"> => ({
    list: async () =>
      rows.map(([runId, status]) => ({
        runId,
        status,
        domain: "freight",
        startedAt: "2026-10-18T10:00:00Z",
      })),
  });
  const only = (...rows: [string, RehearsalRow["status"]][]) => onlyRunning(at(...rows), "https://g.example");

  test("the one that runs is meant", async () => {
    expect(await only(["c", "finished"], ["b", "running"], ["a", "cancelled"])).toBe("b");
  });

  test("none, or more than one, has to be named", async () => {
    expect(await refusal(only(["b", "running"], ["c", "finished"], ["a", "running"]))).toEqual([
      "2 rehearsals are under way at https://g.example; say which with --resume RUN_ID:",
      "b (freight, running, started 2026-10-18T10:00:00Z)",
      "a (freight, running, started 2026-10-18T10:00:00Z)",
    ]);
    expect(await refusal(only(["c", "finished"]))).toEqual([
      "no rehearsal is under way at https://g.example; say which with --resume RUN_ID:",
      "c (freight, finished, started 2026-10-18T10:00:00Z)",
    ]);
    expect(await refusal(only())).toEqual(["no rehearsal is under way at https://g.example"]);
  });

  test("a state folder's engine holds the newest, or none", async () => {
    expect(await startedRun(at(["b", "finished"], ["a", "finished"]))).toBe("b");
    expect(await startedRun(at())).toBeNull();
  });
});
