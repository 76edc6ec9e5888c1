import type { Sampling } from "../../turn/request.ts";
import type { ScriptPart } from "../authoring/script.ts";

/** Characters a scripted token has. */
const tokenChars = 4;

export interface LimitedAnswer {
  parts: readonly ScriptPart[];
  finish: "stop" | "length";
  /** The stop sequence that ended it. */
  sequence: string | null;
}

const cut = { finish: "length", sequence: null } as const;

/**
 * Ends a scripted answer where a model would end it: at the token limit, or before a stop sequence in its text. What
 * would have come after is left out.
 */
export function limitOutput(
  parts: readonly ScriptPart[],
  { maxOutputTokens, stop = [] }: Sampling,
): LimitedAnswer {
  let tokensLeft = maxOutputTokens === undefined ? Number.POSITIVE_INFINITY : maxOutputTokens * tokenChars;
  const first = firstStop(parts, stop);
  let textLeft = first.at;
  const stopped: Omit<LimitedAnswer, "parts"> = { finish: "stop", sequence: first.sequence };
  const kept: ScriptPart[] = [];
  for (const part of parts) {
    if (!("text" in part || "pieces" in part || "reasoning" in part)) {
      if (tokensLeft <= 0) return { parts: kept, ...cut };
      if (textLeft <= 0) return { parts: kept, ...stopped };
      kept.push(part);
      continue;
    }
    const out: string[] = [];
    for (const piece of piecesOf(part)) {
      const allowed = "reasoning" in part ? tokensLeft : Math.min(tokensLeft, textLeft);
      out.push(piece.slice(0, allowed));
      if (allowed < piece.length) {
        kept.push(rebuilt(part, out));
        return allowed === tokensLeft ? { parts: kept, ...cut } : { parts: kept, ...stopped };
      }
      tokensLeft -= piece.length;
      if (!("reasoning" in part)) textLeft -= piece.length;
    }
    kept.push(rebuilt(part, out));
  }
  return { parts: kept, finish: "stop", sequence: null };
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

/** Characters of text before the first stop sequence, and which it is. */
function firstStop(
  parts: readonly ScriptPart[],
  stop: readonly string[],
): { at: number; sequence: string | null } {
  let first: { at: number; sequence: string | null } = { at: Number.POSITIVE_INFINITY, sequence: null };
  if (stop.length === 0) return first;
  const text = parts.flatMap((part) => ("text" in part || "pieces" in part ? piecesOf(part) : [])).join("");
  for (const sequence of stop) {
    const at = sequence === "" ? -1 : text.indexOf(sequence);
    if (at >= 0 && at < first.at) first = { at, sequence };
  }
  return first;
}
