import type { Clause } from "./clause.ts";
import { type Context, demand } from "./context.ts";
import type { Draft } from "./draft.ts";
import { numberAt } from "./numbers.ts";
import { ordinals } from "./ordinals.ts";
import { Refusal } from "./pause.ts";
import { listText } from "./wording.ts";

/** Understands page and page size in a clause, and takes them. True when there were any. */
export function takePaging(context: Context, clause: Clause, draft: Draft): boolean {
  const size = takeSize(context, clause, draft);
  const page = takePage(context, clause);
  if (page === null) return size;
  demand(context, "view.setPage", "change the page");
  draft.page = page;
  draft.doing.push(`going to page ${page}`);
  return true;
}

function takeSize(context: Context, clause: Clause, draft: Draft): boolean {
  const found =
    clause.find(
      /# (?:(?:rows?|records?|entries|items|results|lines|people|orders|tickets|at a time) )?(?:per|a|each|on a|on each|to a|at a)(?: single)? (?:page|time)/,
    ) ??
    clause.find(/(?:page size|rows per page|page length)(?: (?:of|to|is|=|:|should be))* #/) ??
    clause.find(/pages of #/);
  if (found === null) return false;
  demand(context, "view.setPage", "change the page size");
  const at =
    clause.word(found.end - 1) !== "" && numberAt(clause.tokens, found.end - 1) !== null
      ? found.end - 1
      : found.start;
  const limit = numberAt(clause.tokens, at)?.value ?? 0;
  clause.take(found.start, found.end);
  const { pageSizeOptions: sizes } = context.view.pagination ?? {};
  const offered = sizes?.filter((one) => one <= context.contract.limits.pageMax);
  if (!Number.isInteger(limit) || limit < 1) throw new Refusal("A page needs a whole number of rows.");
  if (offered !== undefined && !offered.includes(limit))
    throw new Refusal(
      `A page of this table cannot have ${limit} rows; it can have ${listText(offered.map(String))}.`,
    );
  if (limit > context.contract.limits.pageMax)
    throw new Refusal(
      `A page of this table cannot have ${limit} rows; ${context.contract.limits.pageMax} is the most.`,
    );
  draft.limit = limit;
  draft.doing.push(`showing ${limit} rows per page`);
  return true;
}

function takePage(context: Context, clause: Clause): number | null {
  const { view } = context;
  const pages = view.pagination?.totalPages;
  const go = /(?:(?:go|jump|move|turn|skip|take me|get)(?: back)? (?:on )?(?:to )?)?(?:the )?/.source;
  if (clause.pull(new RegExp(`${go}next page|page forward|one page (?:on|forward)`)) !== null)
    return checked(view.page + 1, pages);
  if (
    clause.pull(
      new RegExp(
        `(?:back )?${go}(?:previous|prev|last viewed) page|page back|one page back|back (?:one|a) page`,
      ),
    ) !== null
  ) {
    if (view.page <= 1) throw new Refusal("This is the first page already.");
    return view.page - 1;
  }
  if (clause.pull(new RegExp(`${go}(?:last|final) page`)) !== null) {
    if (pages === undefined)
      throw new Refusal(
        "I cannot tell which page is the last one: this table does not say how many rows it has.",
      );
    return pages;
  }
  const placed = clause.find(new RegExp(`(?:back )?(?:to )?${go}(${Object.keys(ordinals).join("|")}) page`));
  if (placed !== null) {
    clause.take(placed.start, placed.end);
    return checked(ordinals[placed.groups[0] ?? ""] ?? 1, pages);
  }
  const numbered = clause.find(
    new RegExp(`${go}page (?:number )?(?:#|one|two|three|four|five|six|seven|eight|nine|ten)`),
  );
  if (numbered === null) return null;
  const page = numberAt(clause.tokens, numbered.end - 1)?.value ?? 1;
  clause.take(numbered.start, numbered.end);
  if (!Number.isInteger(page) || page < 1) throw new Refusal("Pages are counted from 1.");
  return checked(page, pages);
}

function checked(page: number, pages: number | undefined): number {
  if (pages !== undefined && page > pages)
    throw new Refusal(`There is no page ${page}: the table has ${pages} page${pages === 1 ? "" : "s"} now.`);
  return page;
}
