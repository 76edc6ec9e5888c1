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
  let tokensLeft = maxOutputTokens === undefined ? Number.POSITIVE_INFINITY : maxOutputTokens * tokenChars;
  let textLeft = firstStop(parts, stop);
  const kept: ScriptPart[] = [];
  for (const part of parts) {
    if (!("text" in part || "pieces" in part || "reasoning" in part)) {
      if (tokensLeft <= 0) return { parts: kept, finish: "length" };
      if (textLeft <= 0) return { parts: kept, finish: "stop" };
      kept.push(part);
      continue;
    }
    const out: string[] = [];
    for (const piece of piecesOf(part)) {
      const allowed = "reasoning" in part ? tokensLeft : Math.min(tokensLeft, textLeft);
      out.push(piece.slice(0, allowed));
      if (allowed < piece.length) {
        kept.push(rebuilt(part, out));
        return { parts: kept, finish: allowed === tokensLeft ? "length" : "stop" };
      }
      tokensLeft -= piece.length;
      if (!("reasoning" in part)) textLeft -= piece.length;
    }
    kept.push(rebuilt(part, out));
  }
  return { parts: kept, finish: "stop" };
}

type Spoken = Extract<ScriptPart, { text: string } | { pieces: readonly string[] } | { reasoning: string }>;

function piecesOf(part: Spoken): readonly string[] {
  if ("pieces" in part) return part.pieces;
  return ["text" in part ? part.text : part.reasoning];
}

function rebuilt(part: Spoken, pieces: string[]): ScriptPart {
  if ("pieces" in part) return { pieces };
  const text = pieces.join("");
  return "reasoning" in part ? { reasoning: text } : { text };
}

/** Characters of text before the first stop sequence. */
function firstStop(parts: readonly ScriptPart[], stop: readonly string[]): number {
  if (stop.length === 0) return Number.POSITIVE_INFINITY;
  const text = parts.flatMap((part) => ("text" in part || "pieces" in part ? piecesOf(part) : [])).join("");
  const places = stop.filter((one) => one !== "").map((one) => text.indexOf(one));
  return Math.min(Number.POSITIVE_INFINITY, ...places.filter((at) => at >= 0));
}
