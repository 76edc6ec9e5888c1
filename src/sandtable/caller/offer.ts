const placeholder = "{offer}";

/** The texts that can be said now: those with `{offer}` only once the agent has offered an amount. */
export function sayable(texts: string[], offer: number | null): string[] {
  return offer === null ? texts.filter((text) => !text.includes(placeholder)) : texts;
}

/** `text` with `{offer}` written as money, such as `$1,375` or `$1,375.50`. */
export function fillOffer(text: string, offer: number | null): string {
  return offer === null ? text : text.replaceAll(placeholder, () => money(offer));
}

function money(amount: number): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  return amount.toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
