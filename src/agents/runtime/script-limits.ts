import type { Sampling } from "../../turn/request.ts";
import type { ScriptPart } from "../authoring/script.ts";

/** Characters a scripted token has. */
const tokenChars = 4;

/**
 * Ends a scripted answer where a model would end it: at the token limit, or before a stop sequence in its text. What
 * would have come after is left out.
 */
export function limitOutput(
  parts: readonly ScriptPart[],
  { maxOutputTokens, stop = [] }: Sampling,
): { parts: readonly ScriptPart[]; finish: "stop" | "length" } {
  if (maxOutputTokens === undefined && stop.length === 0) return { parts, finish: "stop" };
  let left = maxOutputTokens === undefined ? Number.POSITIVE_INFINITY : maxOutputTokens * tokenChars;
  const kept: ScriptPart[] = [];
  let text = "";
  for (const part of parts) {
    if (!("text" in part || "pieces" in part || "reasoning" in part)) {
      if (left <= 0) return { parts: kept, finish: "length" };
      kept.push(part);
      continue;
    }
    const pieces = "pieces" in part ? part.pieces : ["text" in part ? part.text : part.reasoning];
    const out: string[] = [];
    for (const piece of pieces) {
      const before = text.length;
      if (!("reasoning" in part)) text += piece;
      const stopAt = firstStop(text, stop);
      const allowed = Math.min(
        left,
        stopAt === null ? Number.POSITIVE_INFINITY : Math.max(0, stopAt - before),
      );
      if (allowed < piece.length) {
        out.push(piece.slice(0, allowed));
        kept.push(rebuilt(part, out));
        return { parts: kept, finish: allowed === left ? "length" : "stop" };
      }
      out.push(piece);
      left -= piece.length;
    }
    kept.push(rebuilt(part, out));
  }
  return { parts: kept, finish: "stop" };
}

function rebuilt(part: ScriptPart, pieces: string[]): ScriptPart {
  if ("pieces" in part) return { pieces };
  const text = pieces.join("");
  return "reasoning" in part ? { reasoning: text } : { text };
}

function firstStop(text: string, stop: readonly string[]): number | null {
  const places = stop
    .map((sequence) => (sequence === "" ? -1 : text.indexOf(sequence)))
    .filter((at) => at >= 0);
  return places.length === 0 ? null : Math.min(...places);
}
