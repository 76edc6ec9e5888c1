import { beginnings } from "./concepts.ts";
import { type Context, pickField } from "./context.ts";
import type { Field } from "./field.ts";
import type { Option } from "./lexicon.ts";
import type { SaidNumber } from "./numbers.ts";
import { Refusal } from "./pause.ts";

/** The date column meant: one that was named, the only one, or the one that says when a row began. Asks otherwise. */
export function dateField(
  context: Context,
  named: readonly Field[],
  purpose: "filter" | "read" | "sort" | "edit",
  said: string,
): Field {
  if (named.length > 0) return pickField(context, usable(named, purpose), said);
  const fields = usable(
    context.lexicon.fields.filter(({ kind }) => kind === "date"),
    purpose,
    true,
  );
  const begins = fields.filter(({ concepts }) => concepts.some((concept) => beginnings.includes(concept)));
  return pickField(context, begins.length === 1 ? begins : fields, said);
}

/** The number column meant: one that was named, the only one, or for a sum of money the only one of money. Asks otherwise. */
export function numberField(
  context: Context,
  named: readonly Field[],
  number: Pick<SaidNumber, "money">,
  purpose: "filter" | "read" | "sort" | "edit",
  said: string,
): Field {
  if (named.length > 0) return pickField(context, usable(named, purpose), said);
  const fields = usable(
    context.lexicon.fields.filter(({ kind }) => kind === "number"),
    purpose,
    true,
  );
  const money = fields.filter(({ concepts }) => concepts.includes("money") || concepts.includes("pay"));
  return pickField(context, number.money !== null && money.length > 0 ? money : fields, said);
}

/** The option meant of those that share a name: of the column named beside it, else the reader says which. */
export function optionOf(
  context: Context,
  options: readonly Option[],
  pending: readonly Field[],
  beside: readonly Field[],
  said: string,
): Option {
  const near = options.filter(({ field }) => pending.includes(field) || beside.includes(field));
  const left = near.length > 0 ? near : options;
  const [first, ...others] = left;
  if (first === undefined) throw new Refusal(`There is no value ${JSON.stringify(said)} here.`);
  if (others.length === 0) return first;
  const choices = left.map(({ field, label }, index) => ({
    id: String(index),
    label: `${field.label}: ${label}`,
  }));
  const { id } = context.answers.choose(`What do you mean by ${JSON.stringify(said)}?`, choices);
  return left[Number(id)] ?? first;
}

/** Fields that can be used so; when none can, says of the first why not. `quiet` leaves that to the caller. */
export function usable(
  fields: readonly Field[],
  purpose: "filter" | "read" | "sort" | "edit" | "group",
  quiet = false,
): Field[] {
  const fit = fields.filter((field) => fits(field, purpose));
  const [first] = fields;
  if (fit.length > 0 || first === undefined || quiet) return fit;
  if (first.column?.readable === false)
    throw new Refusal(`${first.label} is not shown to me in this table, so I cannot use it.`);
  throw new Refusal(`${first.label} ${refusals[purpose]}.`);
}

const refusals = {
  filter: "cannot be filtered in this table",
  read: "cannot be read in this table",
  sort: "cannot be sorted in this table",
  edit: "cannot be changed in this table",
  group: "cannot be grouped in this table",
};

function fits({ column, filter }: Field, purpose: keyof typeof refusals): boolean {
  if (column !== undefined && !column.readable) return false;
  if (purpose === "filter") return filter !== undefined;
  if (purpose === "sort") return column?.sortable === true;
  if (purpose === "edit") return column?.writable === true;
  return column !== undefined;
}
