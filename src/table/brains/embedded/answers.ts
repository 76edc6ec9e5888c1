import type { Json, JsonObject } from "../../../turn/json.ts";
import type { ToolResult } from "../../protocol/messages.ts";
import { ownValue } from "./own-value.ts";
import { Pause, Refusal } from "./pause.ts";
import { cut } from "./wording.ts";
import { fold } from "./words.ts";

export interface Choice {
  id: string;
  label: string;
}

/** Most options put to a reader. */
const maxChoices = 12;

/** What the reader answered in this turn, by the question. */
export class Answers {
  readonly #byQuestion = new Map<string, JsonObject>();

  constructor(results: readonly ToolResult[]) {
    for (const entry of results) {
      if ("error" in entry || !isObject(entry.result)) continue;
      const question = ownValue(entry.result, "question");
      if (typeof question === "string") this.#byQuestion.set(question, entry.result);
    }
  }

  /**
   * The choice the reader made. Pauses with the question when it was not answered yet, refuses when the answer is none of
   * the choices.
   */
  choose(question: string, choices: readonly Choice[]): Choice {
    const options = choices.slice(0, maxChoices).map(({ id, label }) => ({ id, label: cut(label, 120) }));
    const answer = this.#byQuestion.get(question);
    if (answer === undefined) throw new Pause({ ask: { question, options, allowFreeText: true } });
    const picked =
      choices.find(({ id }) => id === ownValue(answer, "optionId")) ??
      said(choices, ownValue(answer, "text"));
    if (picked === null)
      throw new Refusal(
        `I left it at that: the answer was none of ${options.map(({ label }) => label).join(", ")}.`,
      );
    return picked;
  }
}

const places: Record<string, number> = { first: 0, second: 1, third: 2, fourth: 3, last: -1 };

/** The one choice that free text names, by label, a part of it, or its place in the list. */
function said(choices: readonly Choice[], text: Json): Choice | null {
  if (typeof text !== "string" || text.trim() === "" || text.length > 500) return null;
  const wanted = fold(text).trim();
  const whole = choices.filter(({ id, label }) => fold(label) === wanted || fold(id) === wanted);
  const parts =
    whole.length > 0
      ? whole
      : choices.filter(({ label }) => fold(label).includes(wanted) || wanted.includes(fold(label)));
  if (parts.length === 1) return parts[0] ?? null;
  const place = Object.keys(places).find((word) => wanted.split(/\W+/).includes(word));
  return place === undefined || parts.length > 1 ? null : (choices.at(places[place] ?? 0) ?? null);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
