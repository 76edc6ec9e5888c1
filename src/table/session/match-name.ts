import { Refusal } from "./refusal.ts";

export interface Named {
  id: string;
  label: string;
}

/**
 * The one item someone means by an id or a label, letter case and separators aside: an exact id first, then ids, then
 * labels. Undefined when none fits. Throws `invalid-arguments` when several fit equally well.
 */
export function matchName<T extends Named>(wanted: string, items: readonly T[]): T | undefined {
  const exact = items.find((item) => item.id === wanted);
  if (exact !== undefined) return exact;
  const name = fold(wanted);
  if (name === "") return undefined;
  for (const property of ["id", "label"] as const) {
    const fitting = items.filter((item) => fold(item[property]) === name);
    if (fitting.length > 1) {
      const ids = fitting.map((item) => item.id).join(", ");
      throw new Refusal("invalid-arguments", `"${wanted}" could be any of ${ids}: use the id`);
    }
    if (fitting[0] !== undefined) return fitting[0];
  }
  return undefined;
}

/** A name without what people vary: letter case, spaces, underscores, hyphens. */
export function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "");
}
