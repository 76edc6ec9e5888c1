import type { Clause } from "./clause.ts";
import { type Context, demand, offers } from "./context.ts";
import type { Draft } from "./draft.ts";
import { Refusal } from "./pause.ts";
import { isNoise } from "./phrases.ts";
import { listText } from "./wording.ts";
import { wordsOf } from "./words.ts";

const formats: Record<string, readonly string[]> = {
  csv: ["csv"],
  excel: ["xlsx", "excel", "xls"],
  xlsx: ["xlsx", "excel"],
  xls: ["xls", "xlsx", "excel"],
  spreadsheet: ["xlsx", "excel", "csv"],
  pdf: ["pdf"],
  json: ["json"],
  html: ["html"],
  tsv: ["tsv"],
  markdown: ["markdown", "md"],
  xml: ["xml"],
};

/** Understands a wish for a file. True when there was one. */
export function takeExport(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /export(?:ed)?|download|(?:save|get|give|send|dump)(?: me)?(?: the| this| it| them| everything| all| that| table| view| rows| data| a)* (?:as|to|in|into)(?: an?)? (?:csv|excel|xlsx|xls|spreadsheet|pdf|json|html|tsv|xml|markdown)/,
  );
  if (found === null || found.start > 3) return false;
  demand(context, "export.run", "export");
  const named = clause.find(/csv|excel|xlsx|xls|spreadsheet|pdf|json|html|tsv|xml|markdown/);
  const wanted = named === null ? null : clause.word(named.start);
  const choices = context.guides.choices("export.run", "format");
  clause.take(0, clause.length);
  draft.last.push({ name: "export.run", args: { format: formatOf(context, wanted, choices) } });
  draft.doing.push(`asking for an export as ${String(draft.last.at(-1)?.args.format)}`);
  return true;
}

function formatOf(context: Context, wanted: string | null, choices: string[] | null): string {
  const names = wanted === null ? ["csv"] : (formats[wanted] ?? [wanted]);
  if (choices === null) return names[0] ?? "csv";
  const offered = choices.find((choice) => names.includes(choice.toLowerCase()));
  if (offered !== undefined) return offered;
  const [only, ...others] = choices;
  if (only === undefined) throw new Refusal("This table offers no format to export to.");
  if (wanted !== null)
    throw new Refusal(`This table cannot export ${wanted}; it offers ${listText(choices)}.`);
  return others.length === 0
    ? only
    : context.answers.choose(
        "Which format?",
        choices.map((id) => ({ id, label: id })),
      ).id;
}

/** Understands a wish for a saved view. True when there was one. */
export function takeSavedView(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /(?:open|apply|load|use|switch(?: over)? to|activate|go to|bring up|show)(?: me)?(?: up)?(?: the| saved)?/,
  );
  if (found === null || found.start > 1) return false;
  const says = clause.has(/views?/);
  const next = clause.word(found.end);
  const { lexicon } = context;
  const sure =
    /^(?:open|apply|load|use|activate)$/.test(clause.word(found.start)) &&
    next !== "" &&
    !lexicon.isRowNoun(next) &&
    lexicon.optionsAt(clause.tokens, found.end) === null;
  if (!says && !(sure && offers(context, "views.apply"))) return false;
  if (clause.has(/this view|the view|view/) && clause.length - found.end <= 1) return false;
  demand(context, "views.apply", "open saved views");
  const choices = context.guides.choices("views.apply", "viewId");
  if (choices === null)
    throw new Refusal("I do not know the saved views of this table, so I cannot open one.");
  const said = new Set(clause.tokens.map(({ word }) => word));
  const fit = choices.filter((id) => wordsOf(id).every((word) => said.has(word)));
  const near =
    fit.length > 0
      ? fit
      : choices.filter((id) => wordsOf(id).some((word) => word.length > 3 && said.has(word)));
  const longest = near.filter(
    (id) => wordsOf(id).length === Math.max(...near.map((other) => wordsOf(other).length)),
  );
  const [first, ...others] = fit.length > 0 ? longest : near;
  if (first === undefined) {
    if (!says) return false;
    throw new Refusal(`There is no such saved view; this table has ${listText(choices)}.`);
  }
  const viewId =
    others.length === 0
      ? first
      : context.answers.choose(
          "Which saved view?",
          near.map((id) => ({ id, label: id })),
        ).id;
  clause.take(0, clause.length);
  draft.last.push({ name: "views.apply", args: { viewId } });
  draft.doing.push(`opening the saved view ${viewId}`);
  return true;
}

/** Understands a search in all columns: `search for silva`, `find "double charge"`. True when there was one. */
export function takeSearch(context: Context, clause: Clause, draft: Draft): boolean {
  const found =
    clause.find(
      /(?:search|look)(?: (?:it|the table|everything|all))? (?:for|up)(?: the (?:word|text|phrase))?|search|lookup|look up|google/,
    ) ?? clause.find(/find(?: me)?(?= ")/);
  if (found === null || found.start > 2) return mentioning(context, clause, draft);
  return searchFor(context, clause, draft, found);
}

/** `tickets mentioning invoice`: words anywhere in a row, when no column was named for them. */
function mentioning(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /(?:that )?(?:mention|mentions|mentioning|containing|saying|say|with the (?:word|text|phrase))(?: the (?:word|text|phrase))?/,
  );
  if (found === null || !offers(context, "view.setSearch")) return false;
  for (let at = 0; at < found.start; at++) if (!isNoise(clause.word(at), context.lexicon)) return false;
  return searchFor(context, clause, draft, found);
}

function searchFor(
  context: Context,
  clause: Clause,
  draft: Draft,
  found: { start: number; end: number },
): boolean {
  const quoted = clause.tokens[found.end]?.kind === "quoted";
  let end = found.end + (quoted ? 1 : 0);
  while (
    !quoted &&
    end < clause.length &&
    !clause.isTaken(end) &&
    !/^(?:,|;|\.|\?|!|please|pls|thanks)$/.test(clause.word(end))
  )
    end++;
  const query = clause.raw(found.end, end);
  if (query.trim() === "") return false;
  demand(context, "view.setSearch", "search");
  clause.take(0, end);
  draft.search = query;
  draft.doing.push(`searching for "${query}"`);
  return true;
}
