import { type Context, offers } from "./context.ts";
import { cut } from "./wording.ts";

/** Sentences that this table understands, at most three, made of what its contract offers. */
function examplesFor(context: Context): string[] {
  const { fields } = context.lexicon;
  const choice = fields.find(
    ({ filter, options, column }) => filter !== undefined && options.length > 1 && column?.readable !== false,
  );
  const number = fields.find(({ kind, column }) => kind === "number" && column?.sortable && column.readable);
  const date = fields.find(({ kind, filter }) => kind === "date" && filter !== undefined);
  const groups = fields.filter((field) => field !== context.lexicon.title && field.column?.readable);
  const group = groups.find(({ kind }) => kind === "option") ?? groups.find(({ kind }) => kind === "text");
  const sortable = number ?? fields.find(({ column }) => column?.sortable && column.readable);
  const all: (string | null)[] = [
    choice !== undefined && offers(context, "view.setFilters")
      ? `show only ${choice.options[0]?.label} in ${choice.label}`
      : null,
    sortable !== undefined && offers(context, "view.setSort")
      ? `sort by ${sortable.label}${sortable.kind === "number" ? ", highest first" : ""}`
      : null,
    offers(context, "rows.read") && group !== undefined ? `how many rows per ${group.label}` : null,
    date !== undefined && offers(context, "view.setFilters") ? `${date.label} in the last 30 days` : null,
    offers(context, "view.setSearch") ? "search for Smith" : null,
    offers(context, "view.setPage") ? "next page" : null,
    offers(context, "export.run") ? "export as csv" : null,
  ];
  return all
    .filter((one) => one !== null)
    .slice(0, 3)
    .map((one) => cut(one, 100));
}

/** What can be asked of this table, in one sentence. */
export function helpText(context: Context): string {
  const { write } = context.contract.policy;
  const can = (key: string, text: string) => (offers(context, key) ? [text] : []);
  const writes = (key: string, text: string) => (write === "allow" ? can(key, text) : []);
  const parts = [
    ...can("view.setFilters", "filter"),
    ...can("view.setSort", "sort"),
    ...can("view.setSearch", "search"),
    ...can("view.setPage", "turn pages"),
    ...can("view.setGroupBy", "group"),
    ...can("view.hideColumn", "hide and show columns"),
    ...can("view.pinColumn", "pin columns"),
    ...can("view.setSelection", "select rows"),
    ...can("rows.read", "count and answer questions about rows"),
    ...can("export.run", "export"),
    ...writes("edit.cells", "change cells"),
    ...writes("rows.add", "add rows"),
    ...writes("rows.delete", "delete rows"),
  ];
  const shown =
    parts.length === 0
      ? "This table offers me nothing to do."
      : `I can ${parts.slice(0, -1).join(", ")}${parts.length > 1 ? " and " : ""}${parts.at(-1)}.`;
  return `${shown} ${exampleText(context)}`.trim();
}

/** The examples as a sentence; empty when there are none. */
export function exampleText(context: Context): string {
  const examples = examplesFor(context).map((example) => `"${example}"`);
  if (examples.length === 0) return "";
  return `You can say, for example, ${examples.slice(0, -1).join(", ")}${examples.length > 1 ? " or " : ""}${examples.at(-1)}.`;
}
