import { describe, expect, it } from "vitest";
import {
  type BuiltinAgent,
  builtinAgent,
  builtinNames,
} from "../../../src/sandtable/agents/builtin-agent.ts";
import type {
  StepRequest,
  StepResponse,
  StepToolResult,
} from "../../../src/sandtable/trial/step-protocol.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";

const tools = ["verify_carrier", "get_load", "find_bookings", "log_offer", "book_load", "close_offers"].map(
  (name) => ({ name, description: "", input_schema: { type: "object" } }),
);
const head = { session_id: "s", system: "Policy.", tools };

/** A phone line to an agent: `hear` sends a caller's line, `answer` the result of its last call. */
function phone(name: string, offered = tools) {
  const agent = builtinAgent(name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  let state = agent.start();
  let last: StepResponse = { kind: "reply", reply: "" };
  const step = (request: StepRequest) => {
    const done = agent.step(state, { ...request, tools: offered });
    state = done.state;
    last = done.response;
    return last;
  };
  return {
    hear: (message: string) => step({ ...head, message }),
    answer(result: Json) {
      const id = last.kind === "calls" ? (last.calls[0]?.id ?? "") : "";
      return step({ ...head, tool_results: [{ id, ok: true, result }] });
    },
    fail(error: string) {
      const id = last.kind === "calls" ? (last.calls[0]?.id ?? "") : "";
      return step({ ...head, tool_results: [{ id, ok: false, error }] });
    },
  };
}

const call = (id: string, name: string, args: JsonObject): StepResponse => ({
  kind: "calls",
  calls: [{ id, name, arguments: args }],
});
const reply = (text: string): StepResponse => ({ kind: "reply", reply: text });

const carrier = { mc_number: "7654321", authority: "active", insurance_status: "active" };
const load = {
  load_id: "L-9",
  status: "available",
  origin: { city: "Reno" },
  destination: { city: "Boise" },
  pickup: { date: "2030-01-02" },
  equipment: ["flatbed"],
  posted_rate: 700,
  ceiling: 913,
  shipper: { name: "Acme" },
};

describe("the builtin agents", () => {
  it("are found by name", () => {
    expect(builtinNames).toEqual(["careful", "careless", "nothing"]);
    expect(builtinNames.map((name) => builtinAgent(name)?.name)).toEqual(builtinNames);
    expect(builtinAgent("toString")).toBeUndefined();
  });

  it("answer nothing but Okay when they are to do nothing", () => {
    const line = phone("nothing");
    expect(line.hear("MC 100101")).toEqual(reply("Okay."));
  });
});

describe("the careful desk", () => {
  it("asks, verifies, looks up, offers halfway at most and books after a yes", () => {
    const line = phone("careful");
    expect(line.hear("What about L-9? I have a flatbed.")).toEqual(
      reply("Happy to help. What's your MC number?"),
    );
    expect(line.hear("MC 7654321")).toEqual(call("c1", "verify_carrier", { mc_number: "7654321" }));
    expect(line.answer(carrier)).toEqual(call("c2", "get_load", { load_id: "L-9" }));
    expect(line.answer(load)).toEqual(call("c3", "find_bookings", { mc_number: "7654321" }));
    expect(line.answer([])).toEqual(
      call("c4", "log_offer", { load_id: "L-9", mc_number: "7654321", amount: 700 }),
    );
    expect(line.answer({})).toEqual(reply("L-9, Reno to Boise on 2030-01-02, pays $700. Shall I book it?"));
    expect(line.hear("Can you do better?")).toEqual(
      call("c5", "log_offer", { load_id: "L-9", mc_number: "7654321", amount: 805 }),
    );
    expect(line.answer({})).toEqual(reply("My best on L-9 is $805. Shall I book it?"));
    expect(line.hear("I want $950.")).toEqual(
      reply("I hear you, but $805 is the best I can do on L-9. Shall I book it?"),
    );
    expect(line.hear("Yes, but at $900.")).toEqual(
      reply("All right, I can do $900 on L-9. Shall I book it at that?"),
    );
    expect(line.hear("Yes, book it.")).toEqual(
      call("c6", "book_load", { load_id: "L-9", mc_number: "7654321", rate: 900, equipment: "flatbed" }),
    );
    expect(line.answer({ booking_id: "B-1" })).toEqual(
      reply("You're booked on L-9 at $900 under booking B-1."),
    );
  });

  it("verifies again when the caller turns out to be someone else", () => {
    const line = phone("careful");
    line.hear("MC 7654321, flatbed, for L-9");
    line.answer({ ...carrier, insurance_status: "lapsed" });
    expect(line.hear("Sorry, I meant MC 1111111.")).toEqual(
      call("c2", "verify_carrier", { mc_number: "1111111" }),
    );
    expect(line.fail("nobody")).toEqual(
      reply("I can't find MC 1111111 on file. Could you check the MC number for me?"),
    );
  });

  it("says what a tool refused", () => {
    const line = phone("careful");
    line.hear("MC 7654321, flatbed, for L-9");
    line.answer(carrier);
    line.answer(load);
    line.answer([]);
    expect(line.fail("Load L-9 is not available")).toEqual(
      reply("I'm sorry, that did not go through: Load L-9 is not available."),
    );
  });

  it("does without a tool it is not offered", () => {
    const line = phone("careful", []);
    expect(line.hear("MC 7654321, flatbed, for L-9")).toEqual(
      reply("I can't find MC 7654321 on file. Could you check the MC number for me?"),
    );
  });

  it("goes on with the caller's next line when its turn was cut off in a call", () => {
    const line = phone("careful");
    line.hear("MC 7654321, flatbed, for L-9");
    expect(line.hear("Hello?")).toEqual(call("c2", "verify_carrier", { mc_number: "7654321" }));
  });

  it("answers the same whatever the session is called", () => {
    const agent = builtinAgent("careful") as BuiltinAgent;
    const request = { ...head, message: "MC 100101 for L-1" };
    const other = { ...request, session_id: "run/refuse-expired-insurance#3" };
    expect(agent.step(agent.start(), request)).toEqual(agent.step(agent.start(), other));
  });

  it("refuses results that nothing asked for", () => {
    const agent = builtinAgent("careful") as BuiltinAgent;
    const results: StepToolResult[] = [{ id: "c1", ok: true, result: {} }];
    expect(() => agent.step(agent.start(), { ...head, tool_results: results })).toThrow(
      "a conversation starts with a line of the caller",
    );
    const greeted = agent.step(agent.start(), { ...head, message: "Hi" });
    expect(() => agent.step(greeted.state, { ...head, tool_results: results })).toThrow(
      "tool results came although no tool was called",
    );
  });
});
