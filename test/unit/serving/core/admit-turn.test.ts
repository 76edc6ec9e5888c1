import { describe, expect, test } from "vitest";
import { isRepeat } from "../../../../src/agents/runtime/admit-turn.ts";
import { TurnFailedError } from "../../../../src/agents/runtime/turn-failed.ts";
import type { Message, TurnRequest } from "../../../../src/turn/index.ts";
import { systemMessage } from "../../../../src/wires/system-messages.ts";
import { agentThat, type Ran } from "./agents.ts";
import { answers, call, result, Session, user } from "./session.ts";

const pick = { name: "pick", description: "Picks.", parameters: { type: "object", properties: {} } };

/** A session that has answered twice, and its messages as a client holds them. */
async function talked(): Promise<Session> {
  const session = new Session(agentThat([], { script: ({ user: said }) => [{ text: `heard ${said}` }] }));
  await session.send({ messages: [user("u1", "one")] });
  await session.send({ messages: [user("u2", "two")] });
  return session;
}

/** A session that waits for a person about two calls. */
async function paused(ran: Ran = []): Promise<Session> {
  const script = answers([
    call("send", { to: "a" }, "c1"),
    call("look", { at: "x" }, "c2"),
    call("send", { to: "b" }, "c3"),
  ]);
  const session = new Session(agentThat(ran, { script }));
  await session.send({ messages: [user("u1", "go")] });
  return session;
}

/** A session with an open call of a client's tool. */
async function picking(): Promise<Session> {
  const session = new Session(agentThat([], { script: answers([call("pick", {}, "c1")]) }));
  await session.send({ messages: [user("u1", "go")], clientTools: [pick] });
  return session;
}

/** Expects a refusal that changes nothing. */
function expectRefused(session: Session, changes: Partial<TurnRequest>, code: string): string {
  const before = session.everything();
  const admitted = session.admit(changes);
  expect(admitted).toMatchObject({ kind: "refused", failure: { code, retryable: false } });
  expect(session.everything()).toBe(before);
  return admitted.kind === "refused" ? admitted.failure.message : "";
}

function expectRepeated(session: Session, changes: Partial<TurnRequest>): void {
  const before = session.everything();
  expect(session.admit(changes)).toEqual({ kind: "repeated" });
  expect(session.everything()).toBe(before);
}

const ids = (session: Session) => session.messages().map(({ id }) => id);
const assistant = (id: string, text: string): Message => ({
  role: "assistant",
  id,
  blocks: [{ type: "text", text }],
});

describe("messages", () => {
  test("the session knows are skipped, by id, and its own copies win", async () => {
    const session = await talked();
    const before = ids(session);
    const replayed = session
      .messages()
      .map((message) =>
        message.role === "assistant" ? assistant(message.id, "edited by the client") : message,
      );
    const { text } = await session.send({ messages: [...replayed, user("u3", "three")] });
    expect(text).toBe("heard three");
    expect(ids(session).slice(0, before.length)).toEqual(before);
    expect(ids(session)).toHaveLength(before.length + 2);
    expect(JSON.stringify(session.messages())).not.toContain("edited by the client");
  });

  test("of a wire that mints ids are known by the assistant's turns among them", async () => {
    const session = await talked();
    await session.send({
      messages: [
        user("x1", "one"),
        assistant("x2", "heard one"),
        user("x3", "two"),
        assistant("x4", "heard two"),
        user("x5", "three"),
      ],
    });
    expect(
      session
        .messages()
        .filter(({ role }) => role === "user")
        .map(({ id }) => id),
    ).toEqual(["u1", "u2", "x5"]);
  });

  test("after the last one that is known are new, whatever the client put in between", async () => {
    const session = await talked();
    const { text } = await session.send({
      messages: [...session.messages(), user("u3", "three"), assistant("local", "typing…")],
    });
    expect(text).toBe("heard three");
    expect(ids(session)).not.toContain("local");
  });

  test("a user message with a new id before known ones is no news: history is not rewritten", async () => {
    const session = await talked();
    const [u1, ...rest] = session.messages();
    expect(u1?.id).toBe("u1");
    expectRefused(session, { messages: [user("edited", "ONE"), ...rest] }, "invalid_messages");
  });

  test("two of one id in a request count once", async () => {
    const session = new Session(agentThat([], { script: () => [{ text: "ok" }] }));
    await session.send({ messages: [user("u1", "one"), user("u1", "one again")] });
    await session.send({ messages: [user("u2", "two"), user("u2", "two again"), user("u3", "three")] });
    expect(
      session
        .messages()
        .filter(({ role }) => role === "user")
        .map(({ id }) => id),
    ).toEqual(["u1", "u2", "u3"]);
  });

  test("instructions that come with every request are kept once", async () => {
    const session = new Session(agentThat([], { script: () => [{ text: "ok" }] }));
    const [brief, long] = [systemMessage("Be brief."), systemMessage("Be long.")];
    await session.send({ messages: [brief, user("u1", "one")] });
    await session.send({ messages: [brief, user("u2", "two")] });
    await session.send({ messages: [brief, long, user("u3", "three")] });
    await session.send({ messages: [brief, long, user("u4", "four")] });
    const roles = session.messages().map(({ role }) => role);
    expect(roles.filter((role) => role === "system")).toHaveLength(2);
    expect(roles.filter((role) => role === "user")).toHaveLength(4);
  });

  test("instructions that are known do not make the transcript after them new", async () => {
    const session = new Session(agentThat([], { script: ({ user: said }) => [{ text: `heard ${said}` }] }));
    const brief = systemMessage("Be brief.");
    await session.send({ messages: [brief, user("x1", "one")] });
    // As a client without message ids replays it.
    await session.send({
      messages: [brief, user("x2", "one"), assistant("x3", "heard one"), user("x4", "two")],
    });
    expect(ids(session).filter((id) => id.startsWith("x"))).toEqual(["x1", "x4"]);
  });

  test("none that is new: refused, or on a wire that shows the conversation told how it stands", async () => {
    const session = await talked();
    for (const messages of [[], session.messages()]) {
      expect(expectRefused(session, { messages }, "invalid_messages")).toBe(
        "There is no new message to answer.",
      );
      expectRepeated(session, { messages, snapshot: true });
    }
    expectRefused(new Session(agentThat([])), { snapshot: true }, "invalid_messages");
  });

  test("a conversation from elsewhere begins a session", async () => {
    const session = new Session(
      agentThat([], { script: ({ messages }) => [{ text: `${messages.length}` }] }),
    );
    const { text } = await session.send({
      messages: [
        user("u1", "one"),
        { role: "assistant", id: "a1", blocks: [{ type: "call", callId: "c1", name: "x", args: {} }] },
        result("r1", "c1", "y"),
        user("u2", "two"),
      ],
    });
    expect(text).toBe("4");
    expect(session.admit({ messages: [user("u3", "three")] })).toMatchObject({
      kind: "admitted",
      known: true,
      spoke: true,
    });
  });

  test("a conversation from elsewhere that ends with the assistant leaves nothing to answer", () => {
    const session = new Session(agentThat([]));
    expectRefused(session, { messages: [user("u1", "one"), assistant("a1", "Hi")] }, "invalid_messages");
  });

  test("a result before the call it answers is refused, and names it", () => {
    const session = new Session(agentThat([]));
    const made: Message = {
      role: "assistant",
      id: "a1",
      blocks: [{ type: "call", callId: "c1", name: "x", args: {} }],
    };
    const messages = [user("u1", "one"), result("r1", "c1", "y"), made, user("u2", "two")];
    expect(expectRefused(session, { messages }, "invalid_messages")).toContain('"c1"');
  });
});

describe("results of a client's tools", () => {
  test("for a call nobody made are refused, and named", async () => {
    const session = await picking();
    expect(expectRefused(session, { messages: [result("r1", "c7", "x")] }, "invalid_messages")).toContain(
      '"c7"',
    );
  });

  test("count once: the second is ignored, also in one request, also later", async () => {
    const session = await picking();
    await session.send({ messages: [result("r1", "c1", "red"), result("r2", "c1", "blue")] });
    expect(session.messages().filter(({ role }) => role === "tool")).toEqual([result("r1", "c1", "red")]);
    expectRefused(session, { messages: [result("r3", "c1", "green")] }, "invalid_messages");
    await session.send({ messages: [result("r4", "c1", "green"), user("u2", "next")] });
    expect(session.messages().filter(({ role }) => role === "tool")).toHaveLength(1);
  });

  test("come with the client's whole history, the call's answer in its place among it", async () => {
    const session = await picking();
    const [u1, a1] = session.messages();
    const messages = [u1, result("r1", "c1", "red"), a1].filter((message) => message !== undefined);
    const { text } = await session.send({ messages });
    expect(text).toBe("red");
    expect(session.messages().filter(({ role }) => role === "assistant")).toHaveLength(2);
  });

  test("under an id that is taken get another", async () => {
    const session = await picking();
    await session.send({ messages: [result("u1", "c1", "red")] });
    const [stored] = session.messages().filter(({ role }) => role === "tool");
    expect(stored).toMatchObject({ callId: "c1", content: "red", id: expect.stringMatching(/^msg_/) });
  });

  test("left out when the user moves on: the call is closed, so that providers take the conversation", async () => {
    const session = await picking();
    await session.say("never mind");
    expect(session.messages().map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
    ]);
    expect(session.messages()[2]).toMatchObject({
      callId: "c1",
      isError: true,
      content: "The user went on without a result for this call.",
    });
    // Too late.
    expectRefused(session, { messages: [result("r9", "c1", "red")] }, "invalid_messages");
  });

  test("given and the user moves on, in one request, in either order", async () => {
    for (const turned of [false, true]) {
      const session = await picking();
      const messages = [result("r1", "c1", "red"), user("u2", "and now?")];
      await session.send({ messages: turned ? messages.reverse() : messages });
      expect(session.messages()).toContainEqual(result("r1", "c1", "red"));
    }
  });

  test("are not results of the server's own calls", async () => {
    const session = await paused();
    expectRefused(session, { messages: [result("r1", "c1", "I did it")] }, "approval_pending");
    await session.send({
      resume: session.entries({ kind: "reject" }, { kind: "reject" }),
      messages: [result("r1", "c1", "I did it"), result("r2", "c2", "me too")],
    });
    expect(JSON.stringify(session.messages())).not.toContain("I did it");
    expect(JSON.stringify(session.messages())).not.toContain("me too");
  });
});

describe("while a person is asked", () => {
  test("a message is refused and changes nothing, state included", async () => {
    const session = await paused();
    const message = expectRefused(
      session,
      { messages: [user("u2", "hello?")], state: { draft: "x" } },
      "approval_pending",
    );
    expect(message).toBe(
      "A tool approval is pending for this session — decide it before sending a new message.",
    );
    expect(session.store.pendingInterrupts()).toHaveLength(2);
  });

  test("a page that was reloaded is shown what it has to decide", async () => {
    const session = await paused();
    expectRepeated(session, { snapshot: true });
    expectRepeated(session, { snapshot: true, messages: session.messages() });
    expectRefused(session, { snapshot: true, messages: [user("u2", "hello?")] }, "approval_pending");
  });

  test("a resume must answer every open interrupt", async () => {
    const session = await paused();
    const [first, second] = session.entries({ kind: "approve" }, { kind: "approve" });
    const message = expectRefused(
      session,
      { resume: first === undefined ? [] : [first] },
      "incomplete_resume",
    );
    expect(message).toContain(second?.interruptId);
  });

  test("an interrupt that is not there, or is answered twice in one resume, is refused", async () => {
    const session = await paused();
    const entries = session.entries({ kind: "approve" }, { kind: "approve" });
    const unknown = { interruptId: "int_no", decision: { kind: "approve" as const } };
    expect(expectRefused(session, { resume: [...entries, unknown] }, "unknown_interrupt")).toContain(
      '"int_no"',
    );
    expectRefused(session, { resume: [...entries, ...entries] }, "invalid_resume");
    expectRefused(await talked(), { resume: [unknown] }, "unknown_interrupt");
  });

  test("edited arguments that do not fit, and decisions that are not offered, are refused", async () => {
    const session = await paused();
    const [first, second] = session.entries({ kind: "edit", args: { to: 7 } }, { kind: "approve" });
    const resume = [first, second].filter((entry) => entry !== undefined);
    expect(expectRefused(session, { resume }, "invalid_resume")).toMatch(
      /^The edited arguments of send cannot be used: invalid arguments: to: /,
    );
    const strict = new Session(
      agentThat([], {
        script: answers([call("send", { to: "a" }, "c1")]),
        interruptOn: { send: { allowedDecisions: ["approve"] } },
      }),
    );
    await strict.say("go");
    for (const decision of [{ kind: "reject" as const }, { kind: "edit" as const, args: { to: "b" } }]) {
      expectRefused(strict, { resume: strict.entries(decision) }, "invalid_resume");
    }
  });

  test("a decision too long to be kept is refused", async () => {
    const session = await paused();
    const long = { kind: "reject" as const, reason: "x".repeat(200_000) };
    const message = expectRefused(session, { resume: session.entries(long, long) }, "invalid_resume");
    expect(message).toBe("A decision can have 200000 characters.");
  });

  test("arguments of a subagent's tool are checked by that tool", async () => {
    const helper = {
      name: "helper",
      description: "",
      systemPrompt: "",
      script: answers([call("send", { to: "a" }, "h1")]),
    };
    const session = new Session(
      agentThat([], {
        subagents: [helper],
        script: answers([call("task", { subagent: "helper", description: "x" }, "t1")]),
      }),
    );
    await session.say("go");
    expectRefused(session, { resume: session.entries({ kind: "edit", args: {} }) }, "invalid_resume");
  });
});

describe("a decision that was made", () => {
  test("the same way again, is repeated: nothing is done", async () => {
    const ran: Ran = [];
    const session = await paused(ran);
    const resume = session.entries({ kind: "edit", args: { to: "z" } }, { kind: "reject", reason: "no" });
    await session.send({ resume });
    const before = ran.length;
    expectRepeated(session, { resume });
    expectRepeated(session, { resume: [...resume].reverse() });
    expectRepeated(session, { resume, messages: session.messages(), snapshot: true });
    expect(ran).toHaveLength(before);
  });

  test("in another way, is refused: the first holds", async () => {
    const session = await paused();
    const resume = session.entries({ kind: "approve" }, { kind: "reject", reason: "no" });
    await session.send({ resume });
    for (const decision of [{ kind: "reject" as const }, { kind: "edit" as const, args: { to: "a" } }]) {
      const changed = resume.map((entry, at) => (at === 0 ? { ...entry, decision } : entry));
      expect(expectRefused(session, { resume: changed }, "unknown_interrupt")).toContain(
        "the first decision holds",
      );
    }
  });

  test("again, with a new message beside it: the message is taken", async () => {
    const session = await paused();
    const resume = session.entries({ kind: "approve" }, { kind: "approve" });
    await session.send({ resume });
    const { text } = await session.send({ resume, messages: [user("u2", "go")] });
    expect(text).toBe("");
    expect(ids(session)).toContain("u2");
  });

  test("one by the inbox: a resume of the other is enough, and one that agrees is fine", async () => {
    for (const both of [false, true]) {
      const ran: Ran = [];
      const session = await paused(ran);
      const [first, second] = session.entries({ kind: "approve" }, { kind: "approve" });
      session.store.decide(first?.interruptId ?? "", { kind: "approve" });
      const { results } = await session.send({
        resume: [...(both ? [first] : []), second].filter((entry) => entry !== undefined),
      });
      expect(results).toEqual({ c1: "sent to a", c3: "sent to b" });
    }
    const session = await paused();
    const [first, second] = session.entries({ kind: "reject" }, { kind: "approve" });
    session.store.decide(first?.interruptId ?? "", { kind: "approve" });
    const resume = [first, second].filter((entry) => entry !== undefined);
    expectRefused(session, { resume }, "unknown_interrupt");
    expect(session.store.pendingInterrupts()).toHaveLength(1);
  });

  test("whatever the order of members", async () => {
    const session = new Session(agentThat([], { script: answers([call("send", { to: "a" }, "c1")]) }));
    await session.say("go");
    const [entry] = session.entries({ kind: "edit", args: { to: "z", cc: "y" } });
    if (entry === undefined) throw new Error("nothing to decide");
    await session.send({ resume: [entry] });
    expectRepeated(session, {
      resume: [{ ...entry, decision: { args: { cc: "y", to: "z" }, kind: "edit" } }],
    });
  });

  test("of a turn that failed before it was decided cannot be made", async () => {
    const session = new Session(agentThat([], { script: answers([call("send", { to: "a" }, "c1")]) }));
    session.onAnnounce = () => {
      throw new TurnFailedError("internal_error", "no inbox");
    };
    await session.say("go");
    const { interrupt } = session.store.interruptOfCall("c1") ?? {};
    const resume = [{ interruptId: interrupt?.id ?? "", decision: { kind: "approve" as const } }];
    expect(expectRefused(session, { resume }, "unknown_interrupt")).toContain("its turn failed");
  });

  test("whose turn then failed: the same resume again tries the turn again, not the call", async () => {
    const ran: Ran = [];
    let fails = false;
    const script = answers([call("send", { to: "a" }, "c1")]);
    const session = new Session(
      agentThat(ran, {
        script: (turn) => (fails ? [{ fail: { kind: "auth", message: "no" } }] : script(turn)),
      }),
    );
    await session.say("go");
    fails = true;
    const resume = session.entries({ kind: "approve" });
    expect((await session.send({ resume })).outcome.type).toBe("failed");
    fails = false;
    expect((await session.send({ resume })).text).toBe("sent to a");
    expect(ran).toHaveLength(1);
  });
});

describe("a request while its turn runs is a repetition", () => {
  test("when it brings only what is known", async () => {
    const session = await talked();
    expect(isRepeat(session.request({ messages: [user("u2", "two")] }), session.store)).toBe(true);
    expect(isRepeat(session.request({ messages: session.messages() }), session.store)).toBe(true);
    expect(isRepeat(session.request({ messages: [user("u3", "three")] }), session.store)).toBe(false);
    expect(isRepeat(session.request({}), session.store)).toBe(false);
  });

  test("when its decisions have been made that way", async () => {
    const session = await paused();
    const resume = session.entries({ kind: "approve" }, { kind: "reject" });
    expect(isRepeat(session.request({ resume }), session.store)).toBe(false);
    await session.send({ resume });
    expect(isRepeat(session.request({ resume }), session.store)).toBe(true);
    expect(isRepeat(session.request({ resume, messages: [user("u2", "x")] }), session.store)).toBe(false);
    const other = resume.map((entry) => ({ ...entry, decision: { kind: "reject" as const } }));
    expect(isRepeat(session.request({ resume: other }), session.store)).toBe(false);
  });
});
