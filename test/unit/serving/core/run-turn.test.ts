import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { defineDeepAgent } from "../../../../src/agents/authoring/define-deep-agent.ts";
import { tool } from "../../../../src/agents/authoring/tool.ts";
import { interruptedResult } from "../../../../src/agents/runtime/end-call.ts";
import { agentThat, type Ran } from "./agents.ts";
import { answers, call, result, Session, user } from "./session.ts";

const clientTool = { name: "pick", description: "Picks.", parameters: { type: "object", properties: {} } };
const success = { type: "success", finish: { unified: "stop", raw: "stop" }, pendingCallIds: [] };

describe("a turn", () => {
  test("is a reply, stored under the id it was streamed with", async () => {
    const session = new Session(agentThat([], { script: () => [{ text: "Hello " }, { text: "you." }] }));
    const { events, outcome, text } = await session.say("hi");
    expect(text).toBe("Hello you.");
    expect(outcome).toEqual(success);
    expect(events.map(({ type }) => type)).toEqual([
      "turn-start",
      "state-snapshot",
      "text-start",
      "text-delta",
      "text-delta",
      "text-end",
      "usage",
      "turn-end",
    ]);
    const start = events.find((event) => event.type === "text-start");
    expect(session.messages().at(-1)).toEqual({
      role: "assistant",
      id: start?.type === "text-start" ? start.messageId : "",
      blocks: [{ type: "text", text: "Hello you." }],
    });
  });

  test("that says nothing is a success with an empty answer", async () => {
    const session = new Session(agentThat([], { script: () => [] }));
    const { outcome, text } = await session.say("hi");
    expect(outcome).toEqual(success);
    expect(text).toBe("");
    expect(session.messages().at(-1)).toMatchObject({ role: "assistant", blocks: [] });
  });

  test("runs tools side by side and stores one result for each call", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        script: answers([
          call("look", { at: "a" }, "c1"),
          call("fail", {}, "c2"),
          call("look", { at: "b" }, "c3"),
        ]),
      }),
    );
    const { results, outcome, text } = await session.say("go");
    expect(results).toEqual({ c1: "saw a", "c2!": "it broke", c3: "saw b" });
    expect(outcome.type).toBe("success");
    for (const said of ["saw a", "it broke", "saw b"]) expect(text).toContain(said);
    expect(ran.map(({ callId }) => callId)).toEqual(["c1", "c2", "c3"]);
  });

  test("sums what its model calls used, subagents' included", async () => {
    const usage = async (steps: Parameters<typeof answers>) => {
      const script = answers(...steps);
      const helper = {
        name: "helper",
        description: "",
        systemPrompt: "",
        script: () => [{ text: "12345678" }],
      };
      const session = new Session(agentThat([], { script, subagents: [helper] }));
      const { events } = await session.say("go");
      return events.flatMap((event) => (event.type === "usage" ? [event.usage.outputTokens] : []));
    };
    expect(await usage([[{ text: "1234" }]])).toEqual([1]);
    // The call's arguments and the answer, two tokens of the subagent between them.
    const [alone = 0] = await usage([
      [call("task", { subagent: "nobody", description: "x" })],
      [{ text: "1234" }],
    ]);
    const [helped = 0] = await usage([
      [call("task", { subagent: "helper", description: "x" })],
      [{ text: "1234" }],
    ]);
    expect(helped - alone).toBe(2);
  });

  test("gives invalid arguments, unknown tools and tools that throw back to the model", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        script: answers([
          call("look", { at: 7 }, "c1"),
          call("nothing", {}, "c2"),
          call("fail", {}, "c3"),
          call("send", { to: "" }, "c4"),
        ]),
      }),
    );
    const { results, outcome } = await session.say("go");
    expect(results["c1!"]).toMatch(/^invalid arguments: at: /);
    expect(results["c2!"]).toBe('There is no tool "nothing". There is: look, send, fail, long.');
    expect(results["c3!"]).toBe("it broke");
    // Nobody is asked about a call that cannot run.
    expect(results["c4!"]).toMatch(/^invalid arguments: to: /);
    expect(outcome.type).toBe("success");
    expect(ran).toEqual([{ callId: "c3", tool: "fail", args: {} }]);
    expect(session.announced).toEqual([]);
  });

  test("cuts a long result with a mark, and not in the middle of a character", async () => {
    const long = tool(() => `${"x".repeat(199_999)}😀tail`, {
      name: "long",
      description: "",
      schema: z.object({}),
    });
    const session = new Session(
      defineDeepAgent({ systemPrompt: "", tools: [long], script: answers([call("long", {}, "c1")]) }),
    );
    const { results } = await session.say("go");
    expect(results.c1).toBe(`${"x".repeat(199_999)}\ufffd\n[cut: 5 more characters]`);
    expect(results.c1?.isWellFormed()).toBe(true);
  });

  test("ends at the step limit with what its tools did, and the next message goes on", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        maxSteps: 3,
        script: ({ step, user: said }) => (said === "stop" ? [] : [call("look", { at: `${step}` })]),
      }),
    );
    const { outcome } = await session.say("go");
    expect(outcome).toEqual({
      type: "failed",
      failure: {
        code: "step_limit",
        message: "The agent asked its model 3 times in one turn without coming to an end.",
        retryable: false,
      },
    });
    expect(ran).toHaveLength(3);
    expect((await session.say("stop")).outcome.type).toBe("success");
  });

  test("whose model fails ends typed; the next message sees both", async () => {
    let fails = true;
    const session = new Session(
      agentThat([], {
        script: ({ messages }) =>
          fails
            ? [{ text: "Well, " }, { fail: { kind: "auth", message: "no" } }]
            : [{ text: `${messages.length}` }],
      }),
    );
    const failed = await session.say("one");
    expect(failed.outcome).toMatchObject({ type: "failed", failure: { code: "model_not_configured" } });
    expect(session.messages().map(({ role }) => role)).toEqual(["user"]);
    fails = false;
    expect((await session.say("two")).text).toBe("2");
  });

  test("whose model fails can be tried again with nothing new", async () => {
    let fails = true;
    const session = new Session(
      agentThat([], {
        script: () => (fails ? [{ fail: { kind: "auth", message: "no" } }] : [{ text: "There." }]),
      }),
    );
    const messages = [user("u1", "one")];
    await session.send({ messages });
    fails = false;
    const again = await session.send({ messages });
    expect(again.text).toBe("There.");
    expect(session.messages().map(({ id }) => id)).toEqual(["u1", expect.stringMatching(/^msg_/)]);
  });

  test("a script that throws is a fault of ours, told without its words", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const session = new Session(
      agentThat([], {
        script: () => {
          throw new Error("a secret");
        },
      }),
    );
    const { outcome } = await session.say("go");
    expect(outcome).toMatchObject({ type: "failed", failure: { code: "internal_error", retryable: true } });
    expect(JSON.stringify([outcome, log.mock.calls])).not.toContain("secret");
    log.mockRestore();
  });

  test("call ids that are taken are replaced, those of an imported conversation included", async () => {
    const session = new Session(agentThat([], { script: answers([call("look", { at: "a" }, "c1")]) }));
    const made = { type: "call", callId: "c1", name: "look", args: { at: "z" } } as const;
    const { events } = await session.send({
      messages: [
        user("u1", "one"),
        { role: "assistant", id: "a1", blocks: [made] },
        result("r1", "c1", "saw z"),
        user("u2", "two"),
      ],
    });
    const ids = events.flatMap((event) => (event.type === "call-result" ? [event.callId] : []));
    expect(ids).toHaveLength(1);
    expect(ids).not.toContain("c1");
    const again = await session.say("three");
    expect(Object.keys(again.results)).not.toContain(ids[0]);
  });

  test("given up is cancelled at once, and what its tool says later is not written", async () => {
    let finish: (value: string) => void = () => undefined;
    const slow = tool(() => new Promise<string>((resolve) => (finish = resolve)), {
      name: "slow",
      description: "",
      schema: z.object({}),
    });
    const session = new Session(
      defineDeepAgent({ systemPrompt: "", tools: [slow], script: answers([call("slow", {}, "c1")]) }),
    );
    const playing = session.say("go");
    await vi.waitFor(() => expect(session.store.call("c1")?.status).toBe("running"));
    session.cancel.abort(new Error("left"));
    const { outcome, results } = await playing;
    expect(outcome).toEqual({ type: "cancelled" });
    expect(results).toEqual({ "c1!": interruptedResult });
    const before = session.everything();
    finish("late");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(session.everything()).toBe(before);
  });

  test("a tool that outlives its turn cannot change the state or send events", async () => {
    const thrown: unknown[] = [];
    let go: () => void = () => undefined;
    const late = tool(
      async (_, { state, emit }) => {
        await new Promise<void>((resolve) => (go = resolve));
        for (const act of [() => state.set("a", 1), () => emit("late", 1)]) {
          try {
            act();
          } catch (error) {
            thrown.push(error);
          }
        }
        return null;
      },
      { name: "late", description: "", schema: z.object({}) },
    );
    const session = new Session(
      defineDeepAgent({ systemPrompt: "", tools: [late], script: answers([call("late", {}, "c1")]) }),
    );
    const playing = session.say("go");
    await vi.waitFor(() => expect(session.store.call("c1")?.status).toBe("running"));
    const reason = new Error("left");
    session.cancel.abort(reason);
    await playing;
    go();
    await vi.waitFor(() => expect(thrown).toEqual([reason, reason]));
    expect(session.store.state()).toEqual({});
  });

  test("a tool reads and emits through its context", async () => {
    const seen: unknown[] = [];
    const curious = tool(
      (_, { sessionId, runId, callId, forwarded, emit }) => {
        seen.push({ sessionId, runId, callId, forwarded });
        emit("progress", { done: 1 });
        return { ok: true };
      },
      { name: "curious", description: "", schema: z.object({}) },
    );
    const script = answers([call("curious", {}, "c1")]);
    const session = new Session(defineDeepAgent({ systemPrompt: "", tools: [curious], script }));
    const { events, results } = await session.say("go", { forwarded: { user: 7 }, runId: "r9" });
    expect(seen).toEqual([{ sessionId: "thread-1", runId: "r9", callId: "c1", forwarded: { user: 7 } }]);
    expect(events).toContainEqual({ type: "custom", name: "progress", value: { done: 1 } });
    expect(results.c1).toBe('{"ok":true}');
  });
});

describe("after a restart", () => {
  test("a call that was running is answered as interrupted and not run again", async () => {
    const ran: Ran = [];
    const session = new Session(agentThat(ran, { script: answers([call("look", { at: "a" }, "c1")]) }));
    await session.say("go");
    ran.length = 0;
    session.store.append("main", user("u9", "again"));
    session.store.append("main", {
      role: "assistant",
      id: "m9",
      blocks: [{ type: "call", callId: "c9", name: "look", args: { at: "b" } }],
    });
    const call9 = {
      callId: "c9",
      frame: "main",
      messageId: "m9",
      name: "look",
      args: { at: "b" },
      invalid: null,
    };
    session.store.addCalls([{ ...call9, status: "running" }]);
    const { results } = await session.play();
    expect(results).toEqual({ "c9!": interruptedResult });
    expect(ran).toEqual([]);
  });

  test("also a tool that is called task, on an agent without subagents", async () => {
    let runs = 0;
    const task = tool(
      () => {
        runs += 1;
        return "done";
      },
      { name: "task", description: "", schema: z.object({}) },
    );
    const session = new Session(
      defineDeepAgent({ systemPrompt: "", tools: [task], script: answers([call("task", {}, "c1")]) }),
    );
    expect((await session.say("go")).results).toEqual({ c1: "done" });
    session.store.setCall("c1", { status: "running" });
    expect((await session.play()).results).toEqual({ "c1!": interruptedResult });
    expect(runs).toBe(1);
  });

  test("a subagent goes on where it stood, with its task said once", async () => {
    const ran: Ran = [];
    const helper = {
      name: "helper",
      description: "",
      systemPrompt: "",
      script: answers([call("look", { at: "in" }, "h1")]),
    };
    const session = new Session(
      agentThat(ran, {
        subagents: [helper],
        script: answers([call("task", { subagent: "helper", description: "look" }, "t1")]),
      }),
    );
    // As it stands when the runtime stops while the subagent's tool runs.
    session.store.append("main", user("u1", "go"));
    session.store.append("main", {
      role: "assistant",
      id: "m1",
      blocks: [
        { type: "call", callId: "t1", name: "task", args: { subagent: "helper", description: "look" } },
      ],
    });
    const args = { subagent: "helper", description: "look" };
    session.store.addCalls([
      { callId: "t1", frame: "main", messageId: "m1", name: "task", args, invalid: null, status: "running" },
    ]);
    session.store.append("t1", user("tu", "look"));
    session.store.append("t1", {
      role: "assistant",
      id: "h",
      blocks: [{ type: "call", callId: "h1", name: "look", args: { at: "in" } }],
    });
    session.store.addCalls([
      {
        callId: "h1",
        frame: "t1",
        messageId: "h",
        name: "look",
        args: { at: "in" },
        invalid: null,
        status: "new",
      },
    ]);
    const { results } = await session.play();
    expect(results).toEqual({ h1: "saw in", t1: "saw in" });
    expect(ran).toHaveLength(1);
    expect(session.store.messages("t1").filter(({ role }) => role === "user")).toHaveLength(1);
  });
});

describe("a client's tools", () => {
  test("end the turn with their calls open; the results go on with it", async () => {
    const session = new Session(
      agentThat([], { script: answers([call("pick", {}, "c1"), call("pick", {}, "c2")]) }),
    );
    const first = await session.say("go", { clientTools: [clientTool] });
    expect(first.outcome).toMatchObject({
      type: "success",
      finish: { unified: "tool_calls" },
      pendingCallIds: ["c1", "c2"],
    });
    const second = await session.send({ messages: [result("r1", "c1", "red")] });
    expect(second.outcome).toMatchObject({ type: "success", pendingCallIds: ["c2"] });
    const third = await session.send({ messages: [result("r2", "c2", "blue")] });
    expect(third.text).toBe("red blue");
  });

  test("mixed with server tools: those run once, in the first turn", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, { script: answers([call("pick", {}, "c1"), call("look", { at: "a" }, "c2")]) }),
    );
    const first = await session.say("go", { clientTools: [clientTool] });
    expect(first.results).toEqual({ c2: "saw a" });
    expect(first.outcome).toMatchObject({ type: "success", pendingCallIds: ["c1"] });
    const second = await session.send({ messages: [result("r1", "c1", "red")] });
    expect(second.text).toBe("saw a red");
    expect(ran).toHaveLength(1);
  });

  test("mixed with gated ones: an interrupt, the client's call open beside it", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, {
        script: answers([
          call("pick", {}, "c1"),
          call("look", { at: "a" }, "c2"),
          call("send", { to: "b" }, "c3"),
        ]),
      }),
    );
    const first = await session.say("go", { clientTools: [clientTool] });
    expect(first.outcome).toMatchObject({
      type: "interrupt",
      interrupts: [{ callId: "c3" }],
      pendingCallIds: ["c1"],
    });
    const second = await session.resume({ kind: "approve" });
    expect(second.results).toEqual({ c3: "sent to b" });
    expect(second.outcome).toMatchObject({ type: "success", pendingCallIds: ["c1"] });
    const third = await session.send({ messages: [result("r1", "c1", "red")] });
    expect(third.text).toBe("saw a sent to b red");
    expect(ran.map(({ callId }) => callId)).toEqual(["c2", "c3"]);
  });

  test("decision and result come in one request", async () => {
    const session = new Session(
      agentThat([], { script: answers([call("pick", {}, "c1"), call("send", { to: "b" }, "c2")]) }),
    );
    await session.say("go", { clientTools: [clientTool] });
    const { text, outcome } = await session.send({
      resume: session.entries({ kind: "approve" }),
      messages: [result("r1", "c1", "red")],
    });
    expect(text).toBe("red sent to b");
    expect(outcome).toEqual(success);
  });

  test("are not a subagent's", async () => {
    const helper = {
      name: "helper",
      description: "",
      systemPrompt: "",
      script: answers([call("pick", {}, "h1")]),
    };
    const session = new Session(
      agentThat([], {
        subagents: [helper],
        script: answers([call("task", { subagent: "helper", description: "x" }, "t1")]),
      }),
    );
    const { results } = await session.say("go", { clientTools: [clientTool] });
    expect(results["h1!"]).toMatch(/^There is no tool "pick"/);
  });
});

describe("a stateless turn", () => {
  test("fails before a gated tool runs, and before its siblings do", async () => {
    const ran: Ran = [];
    const session = new Session(
      agentThat(ran, { script: answers([call("look", { at: "a" }, "c1"), call("send", { to: "b" }, "c2")]) }),
    );
    session.durable = false;
    const { outcome } = await session.say("go");
    expect(outcome).toMatchObject({
      type: "failed",
      failure: { code: "session_required", retryable: false },
    });
    expect(outcome.type === "failed" && outcome.failure.message).toContain("x-stackbone-session");
    expect(ran).toEqual([]);
  });

  test("also when the gated call is a subagent's", async () => {
    const ran: Ran = [];
    const helper = {
      name: "helper",
      description: "",
      systemPrompt: "",
      script: answers([call("send", { to: "b" }, "h1")]),
    };
    const session = new Session(
      agentThat(ran, {
        subagents: [helper],
        script: answers([call("task", { subagent: "helper", description: "x" }, "t1")]),
      }),
    );
    session.durable = false;
    const { outcome } = await session.say("go");
    expect(outcome).toMatchObject({ type: "failed", failure: { code: "session_required" } });
    expect(ran).toEqual([]);
  });

  test("continues what the assistant began", async () => {
    const session = new Session(agentThat([], { script: () => [{ text: "upon a time" }] }));
    session.askFirst = true;
    session.store.append("main", user("u1", "Begin"));
    session.store.append("main", { role: "assistant", id: "a1", blocks: [{ type: "text", text: "Once " }] });
    expect((await session.play()).text).toBe("upon a time");
  });
});
