import type { TableContract, TableView } from "../../protocol/contract.ts";
import type { BrainRound } from "../brain.ts";
import { Answers } from "./answers.ts";
import { type Field, labelOf } from "./field.ts";
import { FoundRows } from "./found-rows.ts";
import { Guides } from "./guides.ts";
import { Lexicon } from "./lexicon.ts";
import { Refusal } from "./pause.ts";
import { Rows } from "./rows.ts";

/** What understanding a turn looks at. */
export interface Context {
  contract: TableContract;
  view: TableView;
  today: string;
  lexicon: Lexicon;
  rows: Rows;
  found: FoundRows;
  answers: Answers;
  guides: Guides;
}

export function contextOf({ contract, view, today, toolResults, phaseId }: BrainRound): Context {
  const lexicon = new Lexicon(contract);
  return {
    contract,
    view,
    today,
    lexicon,
    rows: new Rows(contract, view, toolResults),
    found: new FoundRows(contract, view, phaseId, toolResults, lexicon.title?.id),
    answers: new Answers(toolResults),
    guides: new Guides(contract, toolResults),
  };
}

/** Whether the contract offers a capability. */
export function offers({ contract }: Context, key: string): boolean {
  return contract.capabilities.some((capability) => capability.key === key);
}

/** Refuses, in words, what the contract does not offer. `what` completes "This table does not let me …". */
export function demand(context: Context, key: string, what: string): void {
  if (!offers(context, key)) throw new Refusal(`This table does not let me ${what}.`);
}

/** Refuses writes that the policy forbids: all of them, or those that cannot be staged. */
export function demandWrite(context: Context, key: string, what: string): void {
  const { write, commit } = context.contract.policy;
  if (write === "deny") throw new Refusal(`I cannot ${what}: this table is read-only for me.`);
  demand(context, key, what);
  if (commit === "stage" && /^rows\./.test(key))
    throw new Refusal(`I cannot ${what}: changes wait for your save here, and only cells can wait.`);
}

/** The one field of several that fit; asks the reader when more than one does. `said` is how it was said. */
export function pickField(context: Context, fields: readonly Field[], said: string, why = ""): Field {
  const [first, ...others] = fields;
  if (first === undefined) throw new Refusal(`There is no column for ${JSON.stringify(said)} here.`);
  if (others.length === 0) return first;
  const choices = fields.map((field) => ({ id: field.id, label: labelOf(field, context.lexicon.fields) }));
  const question = `Which column do you mean by ${JSON.stringify(said)}${why}?`;
  const { id } = context.answers.choose(question, choices);
  return fields.find((field) => field.id === id) ?? first;
}
