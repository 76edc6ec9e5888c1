import { type LanguageModel, modelLabel } from "../../models/language-model.ts";

/**
 * Context windows in tokens by what a model's id contains, first match. Too small a number only trims early, so a
 * family counts for its smallest member.
 */
const windows: readonly (readonly [RegExp, number])[] = [
  [/claude/i, 200_000],
  [/gemini/i, 1_000_000],
  [/gpt-4\.1/i, 1_000_000],
  [/gpt-5/i, 272_000],
  [/\bo[134](?:-|$)/i, 200_000],
];

/** What any model in use takes today, for ids that say nothing. */
const leastWindow = 128_000;

/** How many tokens of prompt and answer the model takes, as far as its id tells. */
export function contextWindow(model: LanguageModel): number {
  const label = modelLabel(model);
  return windows.find(([pattern]) => pattern.test(label))?.[1] ?? leastWindow;
}
