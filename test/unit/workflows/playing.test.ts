import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { lookAfterMs, recovery } from "../../../objects/workflow-run-recovery.ts";
import { requestApproval } from "../../../src/workflows/authoring/request-approval.ts";
import { runStep } from "../../../src/workflows/authoring/step.ts";
import { workflow } from "../../../src/workflows/runtime/definition.ts";
import { DeliveryOrder } from "../../../src/workflows/runtime/delivery-order.ts";
import { type PlayPort, playRun } from "../../../src/workflows/runtime/play-run.ts";
import type { EnginePort } from "../../../src/workflows/runtime/run-player.ts";
import type { AttemptResult, RunEnd, RunSpec } from "../../../src/workflows/runtime/run-protocol.ts";

const spec: RunSpec = {
  runId: "run_1",
  owner: "o",
  workflow: "w",
  trigger: "manual",
  input: { a: 1 },
  conversation: null,
  parent: null,
  retryOf: null,
  startedAt: "2026-11-30T00:00:00.000Z",
  serial: false,
  waiters: [],
};

/** A run's object and its engine in memory: each step is played once, in order. */
class Fake implements PlayPort, EnginePort {
  ends: RunEnd[] = [];
  begun: string[] = [];
  waitedFor: string[] = [];
  enterAnswer: unknown = { kind: "play", spec };
  beginAnswer: unknown = { kind: "go", attempt: 1 };
  fail: Error | null = null;
  private order = 0;

  async enter() {
    return JSON.stringify(this.enterAnswer);
  }
  async beginStep(_playing: string, id: string) {
    this.begun.push(id);
    return JSON.stringify(this.beginAnswer);
  }
  async endStep(_playing: string, _id: string, _attempt: number, _retries: number, json: string) {
    const result = JSON.parse(json) as AttemptResult;
    const order = this.order++;
    return JSON.stringify(
      result.ok
        ? { kind: "done", order, value: result.value }
        : { kind: "failed", order, failure: result.failure },
    );
  }
  async openWait() {
    return JSON.stringify({ kind: "waiting", event: "wait-1" });
  }
  async openHook() {
    return JSON.stringify({ kind: "failed", message: "no" });
  }
  async closeHook() {
    this.begun.push("close");
  }
  async outcome() {
    return "{}";
  }
  async append() {
    this.begun.push("append");
  }
  async finish(_playing: string, end: string) {
    this.ends.push(JSON.parse(end) as RunEnd);
  }
  async do<Result>(_name: string, _config: unknown, run: () => Promise<Result>): Promise<Result> {
    if (this.fail !== null) throw this.fail;
    return run();
  }
  waitForEvent(name: string): Promise<{ payload: object }> {
    this.waitedFor.push(name);
    return new Promise(() => undefined);
  }
}

function play(fake: Fake, definition: ReturnType<typeof workflow> | undefined): Promise<void> {
  return playRun({
    playing: "p",
    find: () => definition,
    engine: fake,
    run: fake,
    services: () => ({}) as never,
  });
}

async function endOf(
  run: (input: never) => Promise<unknown>,
  outputSchema?: z.ZodType,
): Promise<RunEnd | undefined> {
  const fake = new Fake();
  await play(fake, workflow("w", run, outputSchema === undefined ? {} : { outputSchema }));
  expect(fake.ends.length).toBeLessThanOrEqual(1);
  return fake.ends[0];
}

describe("a playing", () => {
  it("asks a person nothing that is larger than 1 MiB, and nothing under a token no address can hold", async () => {
    const ask = (request: object) =>
      endOf(() => requestApproval({ token: "t", topic: "a", payload: {}, ...request }));
    expect(await ask({ payload: "x".repeat(1_048_570) })).toEqual({
      status: "failed",
      failure: {
        code: "workflow_failed",
        message: "requestApproval(): the question has 1048582 bytes of JSON; at most 1048576 can be asked",
      },
    });
    for (const token of ["", ".", "..", "\ud800"])
      expect(await ask({ token })).toMatchObject({ failure: { message: expect.stringContaining("token") } });
  });

  it("ends with what the body returns, held to the schema", async () => {
    expect(await endOf(async (input: { a: number }) => ({ b: input.a + 1 }))).toEqual({
      status: "done",
      output: { b: 2 },
    });
    expect(await endOf(async () => undefined)).toEqual({ status: "done", output: null });
    expect(await endOf(async () => ({ n: "x" }), z.object({ n: z.number() }))).toEqual({
      status: "failed",
      failure: {
        code: "workflow_output_invalid",
        message:
          "The output is not what the schema says at n: Invalid input: expected number, received string",
      },
    });
    expect(await endOf(async () => new Date(0))).toMatchObject({
      failure: { code: "workflow_output_invalid", message: expect.stringContaining("the output is a Date") },
    });
    expect(await endOf(async () => "x".repeat(1_048_576))).toMatchObject({
      failure: {
        code: "workflow_output_invalid",
        message: "The output is larger than 1048576 bytes of JSON.",
      },
    });
  });

  it("ends with what the body throws", async () => {
    expect(
      await endOf(async () => {
        throw new Error("no");
      }),
    ).toEqual({ status: "failed", failure: { code: "workflow_failed", message: "no" } });
    const step = { name: "charge" };
    expect(
      await endOf(() =>
        runStep(step, "charge", () => {
          throw Object.assign(new Error("broke"), { code: "card_declined" });
        }),
      ),
    ).toEqual({ status: "failed", failure: { code: "card_declined", message: "broke", step: "charge" } });
    expect(await endOf(() => runStep(step, "charge", () => new Date(0)))).toMatchObject({
      failure: {
        code: "step_result_invalid",
        message:
          "the result is a Date, which JSON cannot carry; use plain objects, texts and numbers. A step returns JSON.",
      },
    });
  });

  it("of a workflow that is gone fails, and one of a run that has ended does nothing", async () => {
    const fake = new Fake();
    await play(fake, undefined);
    expect(fake.ends).toEqual([
      {
        status: "failed",
        failure: { code: "workflow_not_found", message: 'There is no workflow "w" any more.' },
      },
    ]);
    const over = new Fake();
    over.enterAnswer = { kind: "over" };
    let played = false;
    await play(
      over,
      workflow(
        "w",
        async () => {
          played = true;
        },
        {},
      ),
    );
    expect(played).toBe(false);
    expect(over.ends).toEqual([]);
  });

  it("stops where its run has ended, whatever its body catches", async () => {
    const fake = new Fake();
    fake.beginAnswer = { kind: "over" };
    const stubborn = workflow(
      "w",
      async () => {
        for (;;) await runStep({ name: "charge" }, "charge", () => 1).catch(() => undefined);
      },
      {},
    );
    await play(fake, stubborn);
    expect(fake.ends).toEqual([]);
    expect(fake.begun).toEqual(["charge"]);
  });

  it("that another one took over from neither acts nor ends", async () => {
    const fake = new Fake();
    fake.beginAnswer = { kind: "superseded" };
    const one = play(
      fake,
      workflow("w", () => runStep({ name: "charge" }, "charge", () => 1), {}),
    );
    const first = await Promise.race([
      one.then(() => "ended"),
      new Promise((done) => setTimeout(done, 50, "waits")),
    ]);
    expect(first).toBe("waits");
    expect(fake.ends).toEqual([]);
    expect(fake.waitedFor).toEqual(["aside p 1"]);
  });

  it("that the engine stops is not the run's end; one the engine cannot play is", async () => {
    const fake = new Fake();
    fake.fail = new Error("Aborting engine: User called pause");
    const body = workflow("w", () => runStep({ name: "charge" }, "charge", () => 1), {});
    await expect(play(fake, body)).rejects.toThrow("User called pause");
    expect(fake.ends).toEqual([]);
    fake.fail = new Error("The limit of 1024 steps has been reached.");
    await play(fake, body);
    expect(fake.ends).toEqual([
      {
        status: "failed",
        failure: { code: "engine_failed", message: "The limit of 1024 steps has been reached." },
      },
    ]);
  });
});

describe("code that was changed while its run waited", () => {
  it("goes on: what it did before is found by its name, and what is new is done", async () => {
    /** Keeps what steps came to, as the engine does. */
    class Keeping extends Fake {
      readonly kept = new Map<string, unknown>();
      override async do<Result>(
        name: string,
        _config: unknown,
        work: () => Promise<Result>,
      ): Promise<Result> {
        if (!this.kept.has(name)) this.kept.set(name, await work());
        return this.kept.get(name) as Result;
      }
    }
    const fake = new Keeping();
    const step = (name: string, value: number) => runStep({ name }, name, () => value);
    await play(
      fake,
      workflow("w", async () => [await step("a", 1), await step("b", 2)], {}),
    );
    const changed = async () => [await step("zero", 0), await step("b", 20), await step("b", 30)];
    await play(fake, workflow("w", changed, {}));
    expect(fake.begun).toEqual(["a", "b", "zero", "b-2"]);
    expect(fake.ends).toEqual([
      { status: "done", output: [1, 2] },
      { status: "done", output: [0, 2, 30] },
    ]);
  });
});

describe("results", () => {
  it("come to the code in the order they were written down, whatever the order they arrive in", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), async (arrival) => {
        const order = new DeliveryOrder();
        const seen: number[] = [];
        const open = new Map<number, () => void>();
        const all = arrival.map(async (_, place) => {
          const result = await order.deliver(
            () => new Promise<{ order: number }>((done) => open.set(place, () => done({ order: place }))),
          );
          seen.push(result.order);
        });
        for (const place of arrival) open.get(place)?.();
        await Promise.all(all);
        expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
      }),
      { numRuns: 40 },
    );
  });

  it("that code which was changed does not ask for any more hold up none", async () => {
    const order = new DeliveryOrder();
    const seen = await Promise.all([3, 1].map((place) => order.deliver(async () => ({ order: place }))));
    expect(seen.map((one) => one.order)).toEqual([3, 1]);
    await expect(
      order.deliver(async () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(await order.deliver(async () => ({ order: 9 }))).toEqual({ order: 9 });
  });
});

describe("a run that goes on", () => {
  const now = 1_000_000;
  const base = { now, heardAt: null, pokedAt: null, waiting: false, wakes: 0 };

  it("is looked after while its code should be doing something", () => {
    expect(recovery({ ...base, heardAt: now - 1_000 })).toEqual({
      kind: "look",
      at: now - 1_000 + lookAfterMs,
    });
    expect(recovery({ ...base, heardAt: now - 20_000 })).toEqual({ kind: "look", at: now + 20_000 });
    expect(recovery({ ...base, heardAt: 1 })).toEqual({ kind: "look", at: now + 300_000 });
  });

  it("is left alone while it waits", () => {
    expect(recovery({ ...base, heardAt: now - lookAfterMs, waiting: true })).toEqual({ kind: "rest" });
    expect(recovery({ ...base, waiting: true, wakes: 3 })).toEqual({ kind: "rest" });
  });

  it("is woken when nothing was heard since a restart, or since it was told something", () => {
    expect(recovery({ ...base, waiting: true })).toEqual({ kind: "wake", at: now + lookAfterMs });
    expect(recovery({ ...base, wakes: 2 })).toEqual({ kind: "wake", at: now + 9 * lookAfterMs });
    expect(recovery({ ...base, wakes: 40 })).toEqual({ kind: "wake", at: now + 600_000 });
    const told = { ...base, heardAt: now - 9_000, pokedAt: now - 8_000, waiting: true };
    expect(recovery(told)).toEqual({ kind: "wake", at: now + lookAfterMs });
    expect(recovery({ ...told, pokedAt: now - 1_000 })).toEqual({
      kind: "look",
      at: now - 1_000 + lookAfterMs,
    });
  });
});
