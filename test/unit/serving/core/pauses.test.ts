import { describe, expect, test, vi } from "vitest";
import { TurnFailedError } from "../../../../src/agents/runtime/turn-failed.ts";
import { agentThat, type Ran } from "./agents.ts";
import { answers, call, Session, user } from "./session.ts";

const twoSends = answers([
  call("send", { to: "a" }, "c1"),
  call("look", { at: "x" }, "c2"),
  call("send", { to: "b" }, "c3"),
]);

describe("a gated call", () => {
  test("pauses the turn; what is asked is what is stored", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        script: answers([call("send", { to: "a" }, "c1")]),
        interruptOn: {
          send: {
            allowedDecisions: ["approve", "reject"],
            description: ({ args }) => `Send to ${String(args.to)}?`,
          },
        },
      }),
    );
    const { outcome, events } = await session.say("go");
    const interrupt = {
      id: expect.stringMatching(/^int_/),
      callId: "c1",
      tool: "send",
      args: { to: "a" },
      message: "Send to a?",
      allowedDecisions: ["approve", "reject"],
      argsSchema: expect.objectContaining({ type: "object", required: ["to"] }),
      createdAt: "2026-10-18T00:00:00.000Z",
    };
    expect(outcome).toEqual({ type: "interrupt", interrupts: [interrupt], pendingCallIds: [] });
    expect(session.announced).toEqual([[interrupt]]);
    expect(events.some(({ type }) => type === "call-result")).toBe(false);
    expect(ran).toEqual([]);
  });

  test("runs once when approved, and nothing of the call is told again", async () => {
    const ran: Ran = [];
    const session = new Session(agentThat(ran, { script: answers([call("send", { to: "a" }, "c1")]) }));
    await session.say("go");
    const { results, events, text } = await session.resume({ kind: "approve" });
    expect(results).toEqual({ c1: "sent to a" });
    expect(text).toBe("sent to a");
    expect(events.filter(({ type }) => type === "call-start" || type === "call-args")).toEqual([]);
    expect(ran).toEqual([{ callId: "c1", tool: "send", args: { to: "a" } }]);
  });

  test("runs with edited arguments, whole", async () => {
    const ran: Ran = [];
    const session = new Session(agentThat(ran, { script: answers([call("send", { to: "a" }, "c1")]) }));
    await session.say("go");
    expect((await session.resume({ kind: "edit", args: { to: "z" } })).results).toEqual({ c1: "sent to z" });
    expect(ran).toEqual([{ callId: "c1", tool: "send", args: { to: "z" } }]);
    const [, asked, answered] = session.messages();
    expect(asked).toMatchObject({ blocks: [{ callId: "c1", args: { to: "a" } }] });
    expect(answered).toMatchObject({ callId: "c1", content: "sent to z", edited: { to: "z" } });
  });

  test("says what was edited also when nobody knows how it ended", async () => {
    const session = new Session(agentThat([], { script: answers([call("send", { to: "a" }, "c1")]) }));
    await session.say("go");
    session.admit({ resume: session.entries({ kind: "edit", args: { to: "z" } }) });
    session.store.setCall("c1", { status: "running", args: { to: "z" } });
    await session.play();
    expect(session.messages()[2]).toMatchObject({ callId: "c1", isError: true, edited: { to: "z" } });
  });

  test("is answered when rejected: an ordinary error result with the reason", async () => {
    const ran: Ran = [];
    const session = new Session(agentThat(ran, { script: answers([call("send", { to: "a" }, "c1")]) }));
    await session.say("go");
    const { results, outcome } = await session.resume({ kind: "reject", reason: "not now" });
    expect(results).toEqual({ "c1!": "A person refused this call of send; it was not run. Reason: not now" });
    expect(outcome.type).toBe("success");
    expect(ran).toEqual([]);
    const next = await session.say("again");
    expect(next.outcome.type).toBe("interrupt");
  });

  test("two of one tool have interrupts of their own, answered in any order; the sibling has run", async () => {
    const ran: Ran = [];
    const session = new Session(agentThat(ran, { script: twoSends }));
    const { outcome, results } = await session.say("go");
    expect(results).toEqual({ c2: "saw x" });
    expect(outcome).toMatchObject({ type: "interrupt", interrupts: [{ callId: "c1" }, { callId: "c3" }] });
    const [one, two] = session.store.pendingInterrupts();
    expect(one?.id).not.toBe(two?.id);
    const resumed = await session.send({
      resume: [
        { interruptId: two?.id ?? "", decision: { kind: "reject" } },
        { interruptId: one?.id ?? "", decision: { kind: "approve" } },
      ],
    });
    expect(resumed.results).toEqual({
      c1: "sent to a",
      "c3!": "A person refused this call of send; it was not run.",
    });
    expect(ran.map(({ callId }) => callId)).toEqual(["c2", "c1"]);
  });

  test("`when` decides by arguments and state", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        initialState: { trusted: ["a"] },
        script: answers([call("send", { to: "a" }, "c1"), call("send", { to: "b" }, "c2")]),
        interruptOn: {
          send: {
            when: ({ args, state }) =>
              !(Array.isArray(state.trusted) && state.trusted.includes(args.to ?? null)),
          },
        },
      }),
    );
    const { outcome, results } = await session.say("go");
    expect(results).toEqual({ c1: "sent to a" });
    expect(outcome).toMatchObject({ interrupts: [{ callId: "c2" }] });
  });

  test("asks when its rule throws", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const boom = () => {
      throw new Error("boom");
    };
    for (const rule of [{ when: boom }, { description: boom }]) {
      const session = new Session(
        agentThat([], { script: answers([call("send", { to: "a" }, "c1")]), interruptOn: { send: rule } }),
      );
      const { outcome } = await session.say("go");
      expect(outcome).toMatchObject({
        interrupts: [{ callId: "c1", message: "The agent wants to call send." }],
      });
    }
    log.mockRestore();
  });

  test("a name that objects have anyway is no rule", async () => {
    const session = new Session(agentThat([], { script: answers([call("constructor", {}, "c1")]) }));
    expect((await session.say("go")).results["c1!"]).toMatch(/^There is no tool "constructor"/);
  });

  test("decided while its pause is announced goes on at once", async () => {
    const ran: Ran = [];
    const session = new Session(agentThat(ran, { script: answers([call("send", { to: "a" }, "c1")]) }));
    session.onAnnounce = ([interrupt]) => session.store.decide(interrupt?.id ?? "", { kind: "approve" });
    const { outcome, text } = await session.say("go");
    expect(outcome.type).toBe("success");
    expect(text).toBe("sent to a");
  });

  test("one of two decided while the pause is announced: the other is asked", async () => {
    const session = new Session(agentThat([], { script: twoSends }));
    session.onAnnounce = ([interrupt]) => session.store.decide(interrupt?.id ?? "", { kind: "approve" });
    const { outcome, results } = await session.say("go");
    expect(outcome).toMatchObject({ type: "interrupt", interrupts: [{ callId: "c3" }] });
    expect(results).toEqual({ c2: "saw x" });
  });

  test("whose tool throws after the approval is answered with the error", async () => {
    const session = new Session(
      agentThat([], { script: answers([call("fail", {}, "c1")]), interruptOn: { fail: true } }),
    );
    await session.say("go");
    const { results, outcome } = await session.resume({ kind: "approve" });
    expect(results).toEqual({ "c1!": "it broke" });
    expect(outcome.type).toBe("success");
  });
});

describe("a pause that cannot be announced", () => {
  test("fails the turn: no call is left open, nobody can decide, and the next message is taken", async () => {
    const ran: Ran = [];
    const session = new Session(agentThat(ran, { script: twoSends }));
    session.onAnnounce = () => {
      throw new TurnFailedError("internal_error", "no inbox", { retryable: true });
    };
    const { outcome, results } = await session.say("go");
    expect(outcome).toEqual({
      type: "failed",
      failure: { code: "internal_error", message: "no inbox", retryable: true },
    });
    const closed = "The turn failed before a person had decided about this call; it was not run.";
    expect(results).toEqual({ c2: "saw x", "c1!": closed, "c3!": closed });
    expect(session.store.pendingInterrupts()).toEqual([]);
    expect(session.store.openCalls("main")).toEqual([]);
    session.onAnnounce = () => undefined;
    const next = await session.say("again");
    expect(next.outcome.type).toBe("interrupt");
    expect(ran.map(({ tool }) => tool)).toEqual(["look", "look"]);
  });
});

describe("a subagent", () => {
  const helper = (script: ReturnType<typeof answers>) => ({
    name: "helper",
    description: "",
    systemPrompt: "",
    script,
  });
  const toHelper = (id: string) => call("task", { subagent: "helper", description: "do it" }, id);

  test("that pauses pauses the whole turn; approved, the stored call runs before the model is asked", async () => {
    const ran: Ran = [];
    const asked: number[] = [];
    const script = answers([call("send", { to: "a" }, "h1")]);
    const session = new Session(
      agentThat(ran, {
        subagents: [
          helper((turn) => {
            asked.push(ran.length);
            return script(turn);
          }),
        ],
        script: answers([toHelper("t1"), call("look", { at: "x" }, "c2")]),
      }),
    );
    const first = await session.say("go");
    expect(first.outcome).toMatchObject({
      type: "interrupt",
      interrupts: [{ callId: "h1", subagent: "helper" }],
    });
    expect(first.results).toEqual({ c2: "saw x" });
    expect(asked).toEqual([0 + 1]);
    const second = await session.resume({ kind: "approve" });
    expect(second.results).toEqual({ h1: "sent to a", t1: "sent to a" });
    expect(second.outcome.type).toBe("success");
    // Asked twice: once for the call, once with its result.
    expect(asked).toEqual([1, 2]);
    expect(ran.map(({ callId }) => callId)).toEqual(["c2", "h1"]);
    expect(second.events.filter(({ type }) => type === "step-start" || type === "step-end")).toHaveLength(2);
  });

  test("approved in the same request as a new message, its call runs all the same", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        subagents: [helper(answers([call("send", { to: "a" }, "h1")]))],
        script: ({ step, user: said }) =>
          said === "go" && step === 0 ? [toHelper("t1")] : [{ text: `to ${said}` }],
      }),
    );
    await session.say("go");
    const { results, text } = await session.send({
      resume: session.entries({ kind: "approve" }),
      messages: [user("u2", "and then?")],
    });
    expect(results).toEqual({ h1: "sent to a", t1: "sent to a" });
    expect(text).toBe("to and then?");
    expect(ran).toHaveLength(1);
  });

  test("two that pause are both asked about, and go on in the order they were called", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        subagents: [
          helper(({ step, user: said }) =>
            step === 0 ? [call("send", { to: said })] : [{ text: `did ${said}` }],
          ),
        ],
        script: answers([
          call("task", { subagent: "helper", description: "one" }, "t1"),
          call("task", { subagent: "helper", description: "two" }, "t2"),
        ]),
      }),
    );
    const first = await session.say("go");
    expect(first.outcome).toMatchObject({ interrupts: [{ args: { to: "one" } }, { args: { to: "two" } }] });
    const second = await session.resume({ kind: "approve" }, { kind: "reject" });
    expect(second.results).toMatchObject({ t1: "did one", t2: "did two" });
    expect(ran).toMatchObject([{ args: { to: "one" } }]);
  });

  test("that fails fails the turn, once the others have had theirs; nothing is left open or asked", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        subagents: [
          helper(({ user: said, step }) =>
            said === "fail"
              ? [{ fail: { kind: "auth", message: "no" } }]
              : step === 0
                ? [call("send", { to: said })]
                : [{ text: "ok" }],
          ),
        ],
        script: ({ user: said, step }) =>
          said === "go" && step === 0
            ? [
                call("task", { subagent: "helper", description: "fail" }, "t1"),
                call("task", { subagent: "helper", description: "two" }, "t2"),
                call("send", { to: "three" }, "c3"),
              ]
            : [{ text: "fine" }],
      }),
    );
    const { outcome } = await session.say("go");
    expect(outcome).toMatchObject({ type: "failed", failure: { code: "model_not_configured" } });
    expect(session.store.pendingInterrupts()).toEqual([]);
    for (const frame of ["main", "t1", "t2"]) expect(session.store.openCalls(frame)).toEqual([]);
    expect(ran).toEqual([]);
    expect((await session.say("next")).text).toBe("fine");
  });

  test("an unknown one, or none, is told to the model", async () => {
    const session = new Session(
      agentThat([], {
        subagents: [helper(answers())],
        script: answers([
          call("task", { subagent: "nobody", description: "x" }, "c1"),
          call("task", { subagent: "helper" }, "c2"),
        ]),
      }),
    );
    const { results } = await session.say("go");
    expect(results).toEqual({
      "c1!": 'task needs "subagent", one of helper, and "description", a text.',
      "c2!": 'task needs "subagent", one of helper, and "description", a text.',
    });
  });

  test("whose tool is gone when it is approved says so", async () => {
    const session = new Session(agentThat([], { script: answers([call("send", { to: "a" }, "c1")]) }));
    await session.say("go");
    session.agent.tools = session.agent.tools.filter(({ name }) => name !== "send");
    const { results } = await session.resume({ kind: "approve" });
    expect(results).toEqual({ "c1!": "The tool send is no longer there." });
  });
});
