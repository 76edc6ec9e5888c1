import type { TableContract } from "../../protocol/contract.ts";
import { Clause } from "./clause.ts";
import type { Token } from "./tokenise.ts";
import { wordsOf } from "./words.ts";

/** Words that begin a wish of their own behind `and`, `then`, `but` or a comma. */
const verbs: ReadonlySet<string> = new Set(
  (
    "raise bump increase lower cut reduce decrease set change update make mark give assign reassign rename add create delete remove archive hide unhide show pin unpin freeze unfreeze " +
    "move put export download select deselect unselect go jump clear reset group ungroup sort search find filter undo apply load switch take drop turn tell count"
  ).split(" "),
);
const opening: ReadonlySet<string> = new Set(["how", "who", "which", "what", "when", "where"]);
const connectors: ReadonlySet<string> = new Set([",", "and", "then", "but", "plus", "&"]);
const between: ReadonlySet<string> = new Set([
  "and",
  "then",
  "also",
  "please",
  "now",
  "just",
  "finally",
  "so",
  "after",
  "that",
  ",",
  "but",
]);
const pronouns: ReadonlySet<string> = new Set(["it", "them", "those", "these"]);

/** The wishes of a message, in order: its sentences, cut again where a connecting word leads to another verb. */
export function splitClauses(
  tokens: readonly Token[],
  message: string,
  contract: Pick<TableContract, "capabilities">,
): Clause[] {
  const own = new Set(
    contract.capabilities.flatMap(({ key }) =>
      /^(?:row|bulk)Action\./.test(key) ? wordsOf(key.slice(key.indexOf(".") + 1)).slice(0, 1) : [],
    ),
  );
  const clauses: Clause[] = [];
  let start = 0;
  const cut = (end: number, next: number) => {
    const from = pastPoliteness(tokens, start, end);
    if (from < end) clauses.push(new Clause(tokens.slice(from, end), message));
    start = next;
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined || at < start) continue;
    if (token.kind === "sign" && /^[.!?;]$/.test(token.word)) {
      cut(token.word === "?" ? at + 1 : at, at + 1);
      continue;
    }
    if (!connectors.has(token.word) || token.kind === "quoted") continue;
    let next = at + 1;
    while (between.has(tokens[next]?.word ?? "")) next++;
    if (next > start && at > start && begins(tokens, next, own) && !isLead(tokens, start, next))
      cut(at, next);
  }
  cut(tokens.length, tokens.length);
  return clauses;
}

function begins(tokens: readonly Token[], at: number, own: ReadonlySet<string>): boolean {
  const token = tokens[at];
  const next = tokens[at + 1]?.word ?? "";
  if (token?.kind !== "word") return false;
  if (token.word === "order") return next === "by" || pronouns.has(next);
  if (token.word === "how") return next === "many" || next === "much";
  // "close them", "archive T-1": a value or an action as a verb.
  return verbs.has(token.word) || own.has(token.word) || opening.has(token.word) || pronouns.has(next);
}

/** `in Platform, who earns least`: what stands before says among which rows. */
function isLead(tokens: readonly Token[], start: number, at: number): boolean {
  const from = pastPoliteness(tokens, start, at);
  return (
    opening.has(tokens[at]?.word ?? "") &&
    /^(?:in|for|of|among|within|at|on|across)$/.test(tokens[from]?.word ?? "")
  );
}

const polite: readonly (readonly string[])[] = [
  "please",
  "pls",
  "hey",
  "hi there",
  "ok",
  "okay",
  "so",
  "now",
  "then",
  "and",
  "also",
  "could you",
  "can you",
  "would you",
  "can we",
  "could we",
  "will you",
  "i want you to",
  "i want to",
  "i'd like you to",
  "i'd like to",
  "i would like to",
  "i need you to",
  "i need to",
  "let's",
  "let us",
  "let is",
  "lets",
  "go ahead and",
  "kindly",
  "would you mind",
  "i want",
  "i'd like",
  "i need",
  "just",
  ",",
  "but",
  "actually",
  "well",
  "um",
  "alright",
  "great",
].map((words) => words.split(" "));

/** Past what is only said to be polite. */
function pastPoliteness(tokens: readonly Token[], start: number, end: number): number {
  let at = start;
  for (;;) {
    const lead = polite.find((words) =>
      words.every(
        (word, index) => tokens[at + index]?.word === word && tokens[at + index]?.kind !== "quoted",
      ),
    );
    if (lead === undefined || at + lead.length >= end) return at;
    at += lead.length;
  }
}
