import type { Clause } from "./clause.ts";
import type { Context } from "./context.ts";
import { editField } from "./edit-field.ts";
import type { Field } from "./field.ts";

/** `the note "x" on SO-1`, `"x" in the notes of SO-1`: a quoted text, the column it is for and the row it goes to. */
export function noteFrom(
  context: Context,
  clause: Clause,
  from: number,
): { field: Field; value: string; target: Clause } | null {
  const quoted = clause.find(/"/);
  if (quoted === null || quoted.start < from) return null;
  const head = clause.part(from, quoted.start);
  const field = editField(context, head, "any");
  const value = clause.raw(quoted.start, quoted.end);
  const to = clause.part(quoted.end, clause.length).find(/to|on|for|in|into|as/);
  if (to === null || to.start > 0) return null;
  if (field === null) {
    // "put x in the notes of SO-1"
    const tail = clause.part(quoted.end + to.end, clause.length);
    const named = editField(context, tail, "any");
    return named === null ? null : { field: named, value, target: tail };
  }
  return { field, value, target: clause.part(quoted.end + to.end, clause.length) };
}
