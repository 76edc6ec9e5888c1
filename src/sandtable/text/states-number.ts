import { type Text, tokensOf } from "./tokens.ts";

/** Whether a text names this number in any format, as a label or a count too: `1.4k`, `$1,400.00`, `load 1400`. */
export function statesNumber(text: Text, value: number): boolean {
  return tokensOf(text).some((token) => token.kind === "number" && token.value === value);
}

/**
 * Whether a text gives this number away as a quantity: an amount, a percentage or its share (0.15 as `15%`), and with
 * `counts` a count such as `26 pallets`. Labels and dates, such as `MC 1500`, do not.
 */
export function revealsNumber(text: Text, value: number, counts: boolean): boolean {
  return tokensOf(text).some((token) => {
    if (token.kind === "percent") return token.value === value || token.value / 100 === value;
    if (token.kind !== "number" || token.value !== value) return false;
    return token.role === "money" || token.role === "plain" || (counts && token.role === "count");
  });
}
