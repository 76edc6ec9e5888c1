import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AgentTurn,
  type CallerMove,
  nextScripted,
  openScripted,
  type ScriptedState,
} from "../../../src/sandtable/caller/caller.ts";
import type { CallerLine, ScriptedCaller } from "../../../src/sandtable/domain/types.ts";
import { CelError } from "../../../src/sandtable/expr/cel.ts";
import type { EvalContext } from "../../../src/sandtable/expr/context.ts";

const ctx: EvalContext = {
  world: { get: () => undefined, scan: () => [] },
  args: {},
  conversation: { messages: [], calls: [] },
  clock: "2026-10-18T21:05:00Z",
};
const first = () => 0;

function line(say: string | string[], more: Partial<CallerLine> = {}): CallerLine {
  return { when: [], say: [say].flat(), act: "continue", ...more };
}

function caller(more: Partial<ScriptedCaller>): ScriptedCaller {
  return { kind: "scripted", opens: ["Hi"], replies: [], patience: 3, givesUp: [], ...more };
}

/** Plays a caller against fixed replies and lists its moves, the opening line left out. */
function play(scripted: ScriptedCaller, replies: string[], random = first): CallerMove[] {
  let { state } = openScripted(scripted, random);
  const moves: CallerMove[] = [];
  for (const [i, reply] of replies.entries()) {
    const turn: AgentTurn = { reply, calls: [], turn: i + 1 };
    // Through JSON, as between two steps of a trial.
    const stored: ScriptedState = JSON.parse(JSON.stringify(state));
    const next = nextScripted(scripted, stored, turn, ctx, random);
    moves.push(next.move);
    state = next.state;
  }
  return moves;
}

const says = (moves: CallerMove[]) => moves.map((move) => move.say);

test("a caller opens with one of its lines, chosen by the random number", () => {
  const opens = caller({ opens: ["Hi", "Hello", "Morning"] });
  expect(openScripted(opens, () => 0.34)).toEqual({
    move: { say: "Hello", act: "continue", hangUp: false },
    state: { used: [0], patience: 3, offer: null },
  });
  expect(openScripted(opens, () => 0.999).move.say).toBe("Morning");
});

test("no number is drawn where there is nothing to choose", () => {
  const drawn: number[] = [];
  const random = () => drawn.push(1) && 0;
  play(caller({ replies: [line("Yes")] }), ["One?", "Two?"], random);
  expect(drawn).toEqual([]);
  expect(says(play(caller({ replies: [line(["a", "b"])] }), ["x"], () => 0.5))).toEqual(["b"]);
});

test("the first line that matches is said, until its times are used up", () => {
  const scripted = caller({
    replies: [
      line("One", { when: [{ said: ["load"] }], times: 1 }),
      line("Two", { when: [{ said: ["LOAD"] }], times: 2, act: "confirm" }),
      line("Rest"),
    ],
  });
  expect(play(scripted, ["the load", "the load", "nothing", "the load", "the load"])).toEqual([
    { say: "One", act: "continue", hangUp: false },
    { say: "Two", act: "confirm", hangUp: false },
    { say: "Rest", act: "continue", hangUp: false },
    { say: "Two", act: "confirm", hangUp: false },
    { say: "Rest", act: "continue", hangUp: false },
  ]);
});

test("without a match the fallback is said; without a fallback the caller hangs up without a word", () => {
  const never = line("Never", { when: [{ said: ["zebra"] }] });
  expect(play(caller({ replies: [never], fallback: line("Sorry?") }), ["Hm"])).toEqual([
    { say: "Sorry?", act: "continue", hangUp: false },
  ]);
  const gone: CallerMove = { say: null, act: "hang_up", hangUp: true, endedBy: "caller_hung_up" };
  expect(play(caller({ replies: [never] }), ["Hm"])).toEqual([gone]);
  expect(play(caller({ fallback: line("Sorry?", { times: 1 }) }), ["Hm", "Hm"]).at(1)).toEqual(gone);
});

test("insisting, refusing and falling back share one patience; then the caller gives up", () => {
  const scripted = caller({
    replies: [
      line("I need more.", { when: [{ said: ["rate"] }], act: "insist" }),
      line("No.", { when: [{ said: ["other"] }], act: "refuse" }),
      line("Fine.", { when: [{ said: ["ok"] }], act: "accept" }),
    ],
    fallback: line("What?"),
    givesUp: ["Never mind."],
  });
  const replies = ["rate", "other", "ok", "hm", "ok", "rate"];
  const moves = play(scripted, replies);
  expect(says(moves)).toEqual(["I need more.", "No.", "Fine.", "What?", "Fine.", "Never mind."]);
  expect(moves.at(-1)).toEqual({ say: "Never mind.", act: "hang_up", hangUp: true, endedBy: "patience" });
});

test("a caller without last words gives up at once, and one without patience never insists", () => {
  const scripted = caller({ replies: [line("More!", { act: "insist" })], patience: 0 });
  expect(play(scripted, ["x"])).toEqual([{ say: null, act: "hang_up", hangUp: true, endedBy: "patience" }]);
});

test("a fallback that insists uses one patience, not two", () => {
  const scripted = caller({ fallback: line("More!", { act: "insist" }), patience: 2, givesUp: ["Bye"] });
  expect(says(play(scripted, ["x", "x", "x"]))).toEqual(["More!", "More!", "Bye"]);
});

test("hanging up delivers the last line and needs no patience", () => {
  const scripted = caller({
    fallback: line("Bye.", { act: "hang_up" }),
    patience: 0,
    givesUp: ["Never mind."],
  });
  expect(play(scripted, ["x"])).toEqual([
    { say: "Bye.", act: "hang_up", hangUp: true, endedBy: "caller_hung_up" },
  ]);
});

test("a line without words is silence, not the end of the call", () => {
  expect(play(caller({ replies: [{ when: [], say: [], act: "continue" }] }), ["x"])).toEqual([
    { say: "", act: "continue", hangUp: false },
  ]);
});

test("{offer} is the amount the agent last named, written as money", () => {
  const scripted = caller({ replies: [line("So {offer}? {offer}!")] });
  expect(says(play(scripted, ["$1,200 or $1,375.", "Yes", "I meant $900.50"]))).toEqual([
    "So $1,375? $1,375!",
    "So $1,375? $1,375!",
    "So $900.50? $900.50!",
  ]);
});

test("a line that was chosen for an offer speaks of the offer it accepted", () => {
  const low = {
    offered: [{ path: [], op: "lt" as const, value: { kind: "literal" as const, value: 1600 } }],
  };
  const scripted = caller({
    replies: [line("I take {offer}.", { when: [low], act: "accept", times: 1 }), line("Still {offer}.")],
  });
  expect(says(play(scripted, ["I can do $1,375, not $1,600.", "Right", "It is $1,700"]))).toEqual([
    "I take $1,375.",
    "Still $1,375.",
    "Still $1,700.",
  ]);
});

test("a line that needs an offer waits until there is one", () => {
  const scripted = caller({
    replies: [line("I take {offer}."), line(["Tell me a rate.", "{offer} it is."])],
  });
  expect(says(play(scripted, ["Hello", "$1,000"], () => 0.9))).toEqual(["Tell me a rate.", "I take $1,000."]);
});

test("dollar signs of a text are not taken for anything else", () => {
  expect(says(play(caller({ replies: [line("$& {offer} $1")] }), ["$5"]))).toEqual(["$& $5 $1"]);
});

test("the state is plain JSON and the one passed in is left alone", () => {
  const scripted = caller({ replies: [line("A", { times: 2 })], fallback: line("B") });
  const state: ScriptedState = { used: [1, 0], patience: 3, offer: null };
  const next = nextScripted(scripted, state, { reply: "$7", calls: [], turn: 2 }, ctx, first);
  expect(next.state).toEqual({ used: [2, 0], patience: 3, offer: 7 });
  expect(nextScripted(scripted, next.state, { reply: "", calls: [], turn: 3 }, ctx, first).state).toEqual({
    used: [2, 1],
    patience: 2,
    offer: 7,
  });
  expect(state).toEqual({ used: [1, 0], patience: 3, offer: null });
});

test("CEL that cannot be evaluated is an error, not a line that does not match", () => {
  const scripted = caller({ replies: [line("A", { when: [{ cel: "row('loads', 'L-1').rate > 5" }] })] });
  expect(() => play(scripted, ["x"])).toThrow(CelError);
});

test("whatever is said, a caller ends for a reason and is silent only when it leaves", () => {
  const act = fc.constantFrom("continue", "accept", "refuse", "insist", "confirm", "hang_up");
  const text = fc.constantFrom("Yes", "{offer}?", "No");
  const anyLine = fc.record({
    when: fc.constantFrom([], [{ said: ["rate"] }], [{ asked: true as const }], [{ offered: true as const }]),
    say: fc.array(text, { maxLength: 2 }),
    act,
  }) as fc.Arbitrary<CallerLine>;
  const anyCaller = fc.record({
    kind: fc.constant("scripted" as const),
    opens: fc.constant<string[]>(["Hi"]),
    replies: fc.array(anyLine, { maxLength: 3 }),
    fallback: anyLine,
    patience: fc.nat(3),
    givesUp: fc.array(text, { maxLength: 2 }),
  });
  const replies = fc.array(fc.constantFrom("the rate", "Why?", "$1,375", ""), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      anyCaller,
      replies,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (one, said, draw) => {
        const moves = play(one, said, () => draw);
        for (const move of moves) {
          expect(move.hangUp).toBe(move.endedBy !== undefined);
          if (move.say === null) expect(move.hangUp).toBe(true);
          else expect(move.say).not.toContain("{offer}");
        }
        const losing = moves.filter(({ act: meant }) => meant === "insist" || meant === "refuse");
        expect(losing.length).toBeLessThanOrEqual(one.patience);
      },
    ),
  );
});
