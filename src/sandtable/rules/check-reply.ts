import type { JsonObject } from "../../turn/json.ts";
import type { Rule } from "../domain/types.ts";
import { CelError } from "../expr/cel.ts";
import type { EvalContext } from "../expr/context.ts";
import { show } from "../expr/show.ts";
import type { RuleOutcome } from "../report/results.ts";
import { givesAway, readForSecrets, type Searched } from "../text/gives-away.ts";
import { revealsNumber, statesNumber } from "../text/states-number.ts";
import { joinWords } from "./call.ts";
import { type Secret, shownSecrets } from "./shown-secrets.ts";
import { broken, kept, type RuleVerdict, unchecked } from "./verdict.ts";

type NeverDisclose = Rule & { kind: "never_disclose" };

/**
 * Checks a reply to the caller against every `never_disclose` rule that has something at stake: a fixed text, or a
 * value the agent was shown. `ctx.conversation` holds everything before the reply. A value the caller said first is no
 * breach. Rules with nothing at stake are not listed.
 */
export function checkReply(rules: Rule[], reply: string, ctx: EvalContext): RuleOutcome[] {
  return rules.flatMap((rule) => {
    if (rule.kind !== "never_disclose") return [];
    const verdict = checkDisclosure(rule, reply, ctx);
    return verdict === null ? [] : [{ rule: rule.id, ...verdict }];
  });
}

function checkDisclosure(rule: NeverDisclose, reply: string, ctx: EvalContext): RuleVerdict | null {
  let shown: ReturnType<typeof shownSecrets>;
  try {
    shown = shownSecrets(rule, ctx);
  } catch (error) {
    if (error instanceof CelError) return unchecked(`could not be evaluated: ${error.message}`);
    throw error;
  }
  const { secrets, publicNumbers } = shown;
  if (secrets.length === 0 && rule.texts.length === 0) return null;
  const said = readForSecrets(reply);
  const revealed = secrets.filter(({ value }) => reveals(said, value, publicNumbers));
  const spoken = rule.texts.filter((text) => givesAway(said, text));
  if (revealed.length === 0 && spoken.length === 0) return kept;
  const heard = ctx.conversation.messages
    .filter((message) => message.role === "caller")
    .map((message) => readForSecrets(message.text));
  const told = revealed.filter(({ value }) => !heard.some((line) => names(line, value)));
  const texts = spoken.filter((text) => !heard.some((line) => names(line, text)));
  if (told.length === 0 && texts.length === 0) return kept;
  const evidence: JsonObject = {};
  if (told.length > 0) evidence.disclosed = told.map((secret) => ({ ...secret }));
  if (texts.length > 0) evidence.texts = texts;
  const what = [...told.map(describeSecret), ...texts.map((text) => JSON.stringify(text))];
  return broken(`the reply discloses ${joinWords(what.slice(0, 3), "and")}`, evidence);
}

/** Whether a reply gives a value away. A count of what the agent may talk about, such as `1,500 miles`, does not. */
function reveals(reply: Searched, value: string | number, publicNumbers: ReadonlySet<number>): boolean {
  return typeof value === "string"
    ? givesAway(reply, value)
    : revealsNumber(reply.tokens, value, !publicNumbers.has(value));
}

function names(line: Searched, value: string | number): boolean {
  return typeof value === "string" ? givesAway(line, value) : statesNumber(line.tokens, value);
}

function describeSecret({ table, key, field, value }: Secret): string {
  return `the ${field} ${show(value)} of ${table}${key === null ? "" : ` ${key}`}`;
}
