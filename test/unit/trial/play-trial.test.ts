import { describe, expect, it } from "vitest";
import { loadDomain } from "../../../src/sandtable/domain/load.ts";
import type { Domain } from "../../../src/sandtable/domain/types.ts";
import type { TrialResult } from "../../../src/sandtable/report/results.ts";
import { type AgentAnswer, readAgentAnswer } from "../../../src/sandtable/trial/agent-answer.ts";
import type { TrialPlan } from "../../../src/sandtable/trial/plan.ts";
import {
  budgetReply,
  maxTranscript,
  playTrial,
  type TrialDeps,
} from "../../../src/sandtable/trial/play-trial.ts";
import type { StepRequest } from "../../../src/sandtable/trial/step-protocol.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";
import { MemoryTrialStore } from "../../support/memory-trial-store.ts";

const files = {
  "domain.yaml": "name: desk\ndescription: You answer carriers.\nclock: 2026-10-18T21:05:00Z\n",
  "policy.md": "Verify the carrier before you book.\n",
  "world.yaml": `
loads:
  key: load_id
  noun: Load
  rows:
    L-1: { status: available, rate: null }
carriers:
  key: mc_number
  noun: Carrier
  rows:
    "100101": { insurance: active }
`,
  "tools.yaml": `
verify_carrier:
  description: Look a carrier up.
  params: { mc_number: string }
  lookup: { table: carriers, key: $mc_number }
book_load:
  description: Book a load.
  params: { load_id: string, mc_number: string, rate: number }
  guard: { unless: { table: loads, key: $load_id, where: { status: available } }, error: "Load {load_id} is not available" }
  update: { table: loads, key: $load_id, set: { status: booked, rate: $rate } }
`,
  "rules.yaml": `
verified-first:
  on: book_load
  requires: { call: verify_carrier, same: [mc_number] }
`,
  "tasks.yaml": `
book:
  max_turns: 4
  caller:
    opens: MC 100101, I want L-1.
    replies:
      - { when: { called: book_load }, say: Thanks. Bye., then: hang_up }
    fallback: Hello?
    patience: 2
  expect: { called: [book_load], state: { loads: { L-1: { status: booked } } } }
`,
};

function domainOf(): Domain {
  const loaded = loadDomain(files);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.domain;
}

const domain = domainOf();

function planOf(overrides: Partial<TrialPlan> = {}): TrialPlan {
  const task = domain.tasks[0];
  if (task === undefined) throw new Error("the domain has no task");
  return {
    runId: "20261018T210512-k3f9",
    sessionId: "20261018T210512-k3f9/book#0",
    domain,
    task,
    trial: 0,
    seed: 1,
    maxSteps: 16,
    stepTimeoutMs: null,
    agent: { kind: "http", url: "http://127.0.0.1:1/step", headers: {} },
    outbound: { loopbackAllowed: true, allowedHosts: [] },
    owner: "somebody",
    ...overrides,
  };
}

function freshStore(): MemoryTrialStore {
  const store = new MemoryTrialStore();
  plantWorld(store.world, domain.tables, []);
  store.world.begin();
  return store;
}

type Body = Record<string, unknown>;

/** Plays with an agent that answers with the given bodies in turn, and tells what it was sent. */
async function play(bodies: Body[], options: { plan?: Partial<TrialPlan>; store?: MemoryTrialStore } = {}) {
  const sent: StepRequest[] = [];
  const result = await playTrial(
    planOf(options.plan),
    deps(options.store ?? freshStore(), async (request) => {
      sent.push(structuredClone(request));
      const body = bodies[sent.length - 1] ?? { reply: "Okay." };
      return readAgentAnswer(200, JSON.stringify(body));
    }),
  );
  return { result, sent };
}

function deps(store: MemoryTrialStore, sendStep: TrialDeps["sendStep"]): TrialDeps {
  return {
    store,
    sendStep,
    modelCaller: () => {
      throw new Error("no model in this test");
    },
    now: () => Date.UTC(2026, 9, 18, 21, 5, 12),
    signal: new AbortController().signal,
  };
}

const call = (id: string, name: string, args: Body) => ({ id, name, arguments: args });
const verify = (id: string) => call(id, "verify_carrier", { mc_number: "100101" });
const book = (id: string) => call(id, "book_load", { load_id: "L-1", mc_number: "100101", rate: 1375 });

describe("the step protocol", () => {
  it("sends a message or the results of one response, in one request, never both", async () => {
    const { sent, result } = await play([
      { tool_calls: [verify("c1"), book("c2")] },
      { reply: "Booked." },
      { reply: "Bye." },
    ]);
    const head = {
      session_id: "20261018T210512-k3f9/book#0",
      system: "You answer carriers.\n\nVerify the carrier before you book.",
      tools: [
        {
          name: "verify_carrier",
          description: "Look a carrier up.",
          input_schema: {
            type: "object",
            properties: { mc_number: { type: "string" } },
            required: ["mc_number"],
            additionalProperties: false,
          },
        },
        {
          name: "book_load",
          description: "Book a load.",
          input_schema: {
            type: "object",
            properties: {
              load_id: { type: "string" },
              mc_number: { type: "string" },
              rate: { type: "number" },
            },
            required: ["load_id", "mc_number", "rate"],
            additionalProperties: false,
          },
        },
      ],
    };
    expect(sent).toEqual([
      { ...head, message: "MC 100101, I want L-1." },
      {
        ...head,
        tool_results: [
          { id: "c1", ok: true, result: { mc_number: "100101", insurance: "active" } },
          { id: "c2", ok: true, result: { load_id: "L-1", status: "booked", rate: 1375 } },
        ],
      },
      { ...head, message: "Thanks. Bye." },
    ]);
    expect(result.verdict).toBe("passed");
    expect(result.endedBy).toBe("caller_hung_up");
    expect(result.stateChanges).toEqual([
      { op: "test", path: "/loads/L-1/rate", value: null },
      { op: "replace", path: "/loads/L-1/rate", value: 1375 },
      { op: "test", path: "/loads/L-1/status", value: "available" },
      { op: "replace", path: "/loads/L-1/status", value: "booked" },
    ]);
  });

  it("gives a failed call its error and goes on", async () => {
    const { sent } = await play([
      { tool_calls: [call("a", "book_load", { load_id: "L-1", foo: 1 }), call("b", "nope", {})] },
    ]);
    expect(sent[1]?.tool_results).toEqual([
      { id: "a", ok: false, error: 'unknown argument "foo"' },
      { id: "b", ok: false, error: 'unknown tool "nope"' },
    ]);
  });

  it("lets the reply win over the calls beside it, which do not run", async () => {
    const { result } = await play([
      { reply: "Done.", tool_calls: [book("c1")] },
      { reply: "Done.", tool_calls: [book("c2")] },
    ]);
    const text =
      "turn 1: the agent sent 1 tool call beside its reply; the reply wins and it was not run (and the same in 1 more turn)";
    expect(result.transcript.filter((entry) => entry.kind === "call")).toEqual([]);
    expect(result.transcript.slice(1, 3)).toEqual([
      { kind: "agent", turn: 1, text: "Done.", rules: [] },
      { kind: "note", turn: 1, text: text.replace(/ \(.*/, ""), about: "ignored_calls" },
    ]);
    expect(result.verdict).toBe("failed");
    expect(result.why[0]).toEqual({ kind: "note", message: text, entry: 2 });
  });

  it("ends a turn after 16 rounds with the protocol's words", async () => {
    const rounds = Array.from({ length: 16 }, (_, i) => ({ tool_calls: [verify(`c${i}`)] }));
    const { result, sent } = await play([...rounds, { reply: "Sorry." }]);
    expect(result.transcript.slice(17, 19)).toEqual([
      { kind: "agent", turn: 1, text: budgetReply, rules: [], by: "runner" },
      {
        kind: "note",
        turn: 1,
        text: "turn 1: 16 rounds of tool calls without a reply",
        about: "step_budget",
      },
    ]);
    expect(budgetReply).toBe("[agent exceeded its step budget for this turn]");
    expect(sent[16]).toMatchObject({ message: "Hello?" });
    expect(sent[16]).not.toHaveProperty("tool_results");
  });

  it("says what went wrong in a turn without a reply", async () => {
    const get = (id: string) => call(id, "bookload", { load_id: "L-1" });
    const { result } = await play(
      [
        { tool_calls: [get("a"), book("b"), get("c")] },
        { tool_calls: [get("d"), call("e", "book_load", {})] },
      ],
      { plan: { maxSteps: 2 } },
    );
    expect(result.why.find(({ kind }) => kind === "note")).toEqual({
      kind: "note",
      message:
        'turn 1: 2 rounds of tool calls without a reply; 4 calls failed, most often: unknown tool "bookload"; did you mean "book_load"?',
      entry: 7,
    });
  });

  it("says nothing of a turn without a reply in a trial that passes", async () => {
    const { result } = await play([{ tool_calls: [verify("a")] }, { tool_calls: [book("b")] }], {
      plan: { maxSteps: 2 },
    });
    expect(result.verdict).toBe("passed");
    expect(result.why).toEqual([]);
    expect(result.transcript[4]).toMatchObject({ kind: "note", about: "step_budget" });
  });

  it("keeps to maxSteps", async () => {
    const { result } = await play([{ tool_calls: [verify("a")] }, { tool_calls: [verify("b")] }], {
      plan: { maxSteps: 2 },
    });
    expect(result.transcript[3]).toMatchObject({ kind: "agent", text: budgetReply });
  });

  it("records a breach with its evidence and still runs the call", async () => {
    const { result } = await play([{ tool_calls: [book("c1")] }, { reply: "Booked." }]);
    expect(result.verdict).toBe("failed");
    expect(result.transcript[1]).toMatchObject({
      kind: "call",
      ok: true,
      rules: [{ rule: "verified-first", outcome: "broken" }],
    });
    expect(result.why[0]).toMatchObject({ kind: "rule", rule: "verified-first", severity: "hard", entry: 1 });
  });

  it("ends the trial at a failure of the agent, as failed, with status and body", async () => {
    const result = await playTrial(
      planOf(),
      deps(freshStore(), async () => readAgentAnswer(502, "bad gateway")),
    );
    expect(result).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1 });
    expect(result.why[0]).toEqual({
      kind: "runtime",
      message: "agent answered HTTP 502",
      status: 502,
      body: "bad gateway",
      entry: 1,
    });
  });

  it("fails an agent whose trial grows without end, and keeps what was said", async () => {
    const reply = "x".repeat(1_000_000);
    const task = { ...planOf().task, maxTurns: 20 };
    const talkative = { ...task, caller: { ...task.caller, patience: 20 } };
    const { result, sent } = await play(
      Array.from({ length: 20 }, () => ({ reply })),
      { plan: { task: talkative as typeof task } },
    );
    expect(sent).toHaveLength(8);
    expect(result).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 8, turns: 8 });
    expect(result.why[0]).toEqual({
      kind: "runtime",
      message: `the agent's replies and calls, with their results, came to more than ${maxTranscript} characters`,
      entry: 16,
    });
  });

  it("ends a trial of ours that cannot go on as errored, with all that happened before", async () => {
    const store = freshStore();
    const failing = deps(store, async (request) => {
      if (request.tool_results !== undefined) throw new Error("a mistake of ours");
      return goodAgent(request);
    });
    const result = await playTrial(planOf(), failing);
    expect(result).toMatchObject({ verdict: "errored", endedBy: "killed", steps: 2 });
    expect(result.why).toEqual([
      { kind: "errored", message: "the trial could not go on: a mistake of ours", entry: 2 },
    ]);
    expect(result.transcript.map(({ kind }) => kind)).toEqual(["caller", "call", "note"]);
    expect(await playTrial(planOf(), deps(store.snapshot(), goodAgent))).toEqual(result);
  });

  it("ends when the caller's patience ends, and at max_turns", async () => {
    const patient = await play([]);
    expect(patient.result).toMatchObject({ endedBy: "patience", turns: 3, verdict: "failed" });
    const task = { ...planOf().task, maxTurns: 2 };
    const short = await play([], { plan: { task } });
    expect(short.result).toMatchObject({ endedBy: "max_turns", turns: 2 });
  });
});

/** An agent that books properly: what it answers depends only on the request. */
async function goodAgent(request: StepRequest): Promise<AgentAnswer> {
  const bodies: Body = request.message?.startsWith("MC")
    ? { tool_calls: [verify("c1")] }
    : request.tool_results?.[0]?.id === "c1"
      ? { tool_calls: [book("c2")] }
      : { reply: "Booked." };
  return readAgentAnswer(200, JSON.stringify(bodies));
}

describe("a runtime that dies", () => {
  const steps = 4;

  it.each(Array.from({ length: steps }, (_, i) => i + 1))(
    "inside step %i leaves a trial that errs, and sends it once",
    async (dies) => {
      const store = freshStore();
      const sent: StepRequest[] = [];
      // A step that never comes back, and what was stored by then.
      const left = await new Promise<MemoryTrialStore>((resolve) => {
        void playTrial(
          planOf(),
          deps(store, async (request) => {
            sent.push(request);
            if (sent.length < dies) return goodAgent(request);
            resolve(store.snapshot());
            return new Promise(() => undefined);
          }),
        );
      });
      const after = await playTrial(
        planOf(),
        deps(left, async (request) => {
          sent.push(request);
          return goodAgent(request);
        }),
      );
      expect(sent.length).toBe(dies);
      expect(after).toMatchObject({ verdict: "errored", endedBy: "killed" });
      expect(after.why).toEqual([
        {
          kind: "errored",
          message: `the runtime stopped while step ${dies} was with the agent; it is not sent again`,
          entry: after.transcript.length - 1,
        },
      ]);
    },
  );

  it("between two steps leaves a trial that goes on to the same result", async () => {
    const whole = await playTrial(planOf(), deps(freshStore(), goodAgent));
    expect(whole.steps).toBe(steps);
    for (let dies = 1; dies <= steps; dies += 1) {
      const store = new InterruptedStore(dies);
      plantWorld(store.world, domain.tables, []);
      store.world.begin();
      await expect(playTrial(planOf(), deps(store, goodAgent))).rejects.toThrow("killed");
      const after: TrialResult = await playTrial(planOf(), deps(store.snapshot(), goodAgent));
      expect(after).toEqual(whole);
    }
  });

  it("after the end leaves a result that is given again", async () => {
    const store = freshStore();
    const first = await playTrial(planOf(), deps(store, goodAgent));
    const again = await playTrial(
      planOf(),
      deps(store.snapshot(), async () => {
        throw new Error("nothing may be sent");
      }),
    );
    expect(again).toEqual(first);
  });
});

/** Dies before a step is marked as sent: what was stored up to the answer before is kept. */
class InterruptedStore extends MemoryTrialStore {
  private readonly dies: number;
  private dead = false;

  constructor(dies: number) {
    super();
    this.dies = dies;
  }

  override saveState(state: Parameters<MemoryTrialStore["saveState"]>[0]): void {
    if (state.inFlight && state.steps === this.dies) this.dead = true;
    if (this.dead) throw new Error("killed");
    super.saveState(state);
  }

  override appendEntry(entry: Parameters<MemoryTrialStore["appendEntry"]>[0]): number {
    if (this.dead) throw new Error("killed");
    return super.appendEntry(entry);
  }
}

describe("cancelling", () => {
  it("gives the step under way up", async () => {
    const cancel = new AbortController();
    const result = await playTrial(planOf(), {
      ...deps(freshStore(), async () => {
        cancel.abort();
        return { kind: "failure", message: "given up" };
      }),
      signal: cancel.signal,
    });
    expect(result).toMatchObject({ verdict: "cancelled", endedBy: "cancelled", why: [] });
  });
});
