import type { JsonObject } from "../../turn/json.ts";

/** Longest shared state a model is shown, characters. */
const maxStateChars = 20_000;

/**
 * What the client says about the user's situation, and the shared state, as a text for the model; `null` when there is
 * neither. It goes beside the user's words, not into the instructions: it comes from the client, and it changes.
 */
export function surroundings(
  context: readonly { description: string; value: string }[],
  state: JsonObject,
): string | null {
  const sections = context.map(({ description, value }) => `${description}: ${value}`);
  if (Object.keys(state).length > 0) {
    const text = JSON.stringify(state);
    const shown = text.length > maxStateChars ? `${text.slice(0, maxStateChars)}… (cut)` : text;
    sections.push(`Shared state, which the user sees: ${shown}`);
  }
  return sections.length === 0 ? null : `<context>\n${sections.join("\n")}\n</context>`;
}
