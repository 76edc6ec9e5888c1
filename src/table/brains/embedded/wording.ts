import type { Json } from "../../../turn/json.ts";

/** A number as people read it: `97,000`, at most two decimals. */
export function numberText(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  const [whole = "", decimals] = Math.abs(rounded).toString().split(".");
  if (whole.includes("e")) return String(value);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${rounded < 0 ? "-" : ""}${grouped}${decimals === undefined ? "" : `.${decimals}`}`;
}

/** A cell as people read it, cut to a line. */
export function cellText(cell: Json): string {
  if (cell === null || cell === "") return "empty";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "number") return numberText(cell);
  if (Array.isArray(cell)) return cell.length === 0 ? "empty" : cell.map(cellText).join(", ");
  return cut(typeof cell === "string" ? cell : JSON.stringify(cell), 120);
}

/** `a, b and c`; after `most` of them, how many more there are. */
export function listText(items: readonly string[], most = 10): string {
  const shown = items.slice(0, most);
  const more = items.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** `1 row`, `2 rows`. */
export function countText(count: number, noun = "row"): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A text of at most `most` characters. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
