import type { Holey } from "./check-shape.ts";
import { compileCall } from "./compile-expect.ts";
import { compileAmountTests } from "./compile-where.ts";
import { eachOf, isList, isMapping, written } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import { type Compilation, checkedCel, checkTemplate, noCall } from "./references.ts";
import type {
  CallerSource,
  ModelSource,
  ReplySource,
  ScriptedSource,
  TurnTestSource,
} from "./source/callers.ts";
import { isModelPlayed } from "./source/callers.ts";
import type { AgentTurnTest, Caller, CallerLine, ModelCaller, ScriptedCaller } from "./types.ts";

/** Times a caller insists, refuses or falls back when the source does not say. */
const defaultPatience = 3;

/** Compiles a caller, shared or of one task. `undefined`: something essential is mistaken, and that is reported. */
export function compileCaller(
  c: Compilation,
  source: Holey<CallerSource> | undefined,
  place: Place,
): Caller | undefined {
  if (source === undefined) return undefined;
  return isModel(source) ? compileModel(source) : compileScripted(c, source, place);
}

function isModel(source: Holey<CallerSource>): source is Holey<ModelSource> {
  return isModelPlayed(source);
}

function compileModel(source: Holey<ModelSource>): ModelCaller | undefined {
  if (source.goal === undefined) return undefined;
  const { input, output } = source.price ?? {};
  const knows = Object.entries(source.knows ?? {}).flatMap(([fact, value]) =>
    value === undefined ? [] : [{ fact, value: String(value) }],
  );
  return {
    kind: "model",
    ...(source.model !== undefined && { model: source.model }),
    ...(input !== undefined && output !== undefined && { price: { input, output } }),
    goal: source.goal,
    knows,
    unknown: texts(source.does_not_know),
    ...(source.manner !== undefined && { manner: source.manner }),
    ...(source.opens !== undefined && { opens: source.opens }),
  };
}

function compileScripted(c: Compilation, source: Holey<ScriptedSource>, place: Place): ScriptedCaller {
  const replies = (source.replies ?? []).flatMap((reply, index) =>
    reply === undefined ? [] : [compileReply(c, reply, inside(place, "replies", index))],
  );
  const fallback = compileFallback(c, source.fallback, inside(place, "fallback"));
  checkLines(c, source.gives_up, inside(place, "gives_up"));
  return {
    kind: "scripted",
    opens: texts(source.opens),
    replies,
    ...(fallback !== undefined && { fallback }),
    patience: source.patience ?? defaultPatience,
    givesUp: texts(source.gives_up),
  };
}

function compileReply(c: Compilation, source: Holey<ReplySource>, place: Place): CallerLine {
  const when = eachOf<Holey<TurnTestSource> | undefined>(source.when).flatMap(
    ({ value, path }) => compileTurnTest(c, value, inside(place, "when", ...path)) ?? [],
  );
  checkLines(c, source.say, inside(place, "say"));
  if (!written(source, "say") && source.then !== "hang_up") {
    c.problems.at(place, 'missing "say"; only a line with then: hang_up says nothing');
  }
  return {
    when,
    say: texts(source.say),
    act: source.then ?? "continue",
    ...(source.times !== undefined && { times: source.times }),
  };
}

function compileFallback(
  c: Compilation,
  source: Holey<ScriptedSource>["fallback"],
  place: Place,
): CallerLine | undefined {
  if (source === undefined) return undefined;
  const full = isMapping(source) ? source : { say: source };
  checkLines(c, full.say, isMapping(source) ? inside(place, "say") : place);
  return { when: [], say: texts(full.say), act: full.then ?? "continue" };
}

function compileTurnTest(
  c: Compilation,
  source: Holey<TurnTestSource> | undefined,
  place: Place,
): AgentTurnTest | undefined {
  if (source === undefined) return undefined;
  const scope = noCall("a caller looks at the agent's turn, not at a call", "caller");
  const { asked, offered } = source;
  if (Object.keys(source).length === 0)
    c.problems.at(place, "the test is empty; leave when out for a line that always fits");
  const called = eachOf(source.called).flatMap(
    ({ value, path }) => compileCall(c, value, inside(place, "called", ...path), true) ?? [],
  );
  const cel =
    source.cel === undefined ? undefined : checkedCel(c, source.cel, inside(place, "cel"), scope, "bool");
  return {
    ...(source.said !== undefined && { said: texts(source.said) }),
    ...(source.not_said !== undefined && { notSaid: texts(source.not_said) }),
    ...(asked !== undefined && { asked: asked === true ? asked : texts(asked) }),
    ...(offered !== undefined && { offered: compileOffer(c, offered, inside(place, "offered")) }),
    ...(source.called !== undefined && { called }),
    ...(cel !== undefined && { cel }),
  };
}

function compileOffer(
  c: Compilation,
  source: NonNullable<Holey<TurnTestSource>["offered"]>,
  place: Place,
): NonNullable<AgentTurnTest["offered"]> {
  if (source === true) return true;
  const scope = noCall("a caller looks at the agent's turn, not at a call", "caller");
  return compileAmountTests(c, isMapping(source) ? source : { eq: source }, place, scope);
}

/** Reports placeholders other than `{offer}`. */
function checkLines(c: Compilation, source: Lines, place: Place): void {
  const children = new Map([
    ["offer", { children: new Map(), types: new Set(["number" as const]), open: false }],
  ]);
  const tree = { children, types: new Set<never>(), open: false };
  for (const { value, path } of eachOf(source)) {
    if (value === undefined) continue;
    checkTemplate(c, value, inside(place, ...path), { tree, what: "placeholder", name: "a line" });
  }
}

type Lines = string | (string | undefined)[] | undefined;

function texts(source: Lines): string[] {
  return (isList(source) ? source : [source]).filter((text) => text !== undefined);
}
