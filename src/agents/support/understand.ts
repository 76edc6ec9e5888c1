import type { Message } from "../../turn/message.ts";

/** What a customer wants. */
type Wish = "refund" | "order" | "prices" | "plans" | "thanks" | "hello" | "person";

/** What a customer's newest message comes to, with what was said before it. */
export interface Request {
  wish: Wish | null;
  /** Digits of the order it is about. */
  orderId: string | null;
  /** US dollars named in the newest message. */
  amount: number | null;
}

const wishes: readonly (readonly [RegExp, Wish])[] = [
  [/\b(refund|money back|pay(ing)? (me )?back|reimburse|return (it|my|the))\b/i, "refund"],
  [/\b(order|package|parcel|delivery|deliver(ed)?|tracking|arrive)\b/i, "order"],
  [
    /\b(price|prices|pricing|cost|costs|how much|compare|cheap(er|est)?|expensive|seats?|upgrade)\b/i,
    "prices",
  ],
  [/\b(plans?|subscriptions?|tiers?|offer)\b/i, "plans"],
  [/\b(person|human|someone|agent|manager)\b/i, "person"],
  [/\b(thanks|thank you|great|perfect|bye|goodbye)\b/i, "thanks"],
  [/\b(hi|hello|hey|good (morning|afternoon|evening))\b/i, "hello"],
];

/**
 * Reads the newest user message. One that only gives a number or says yes goes on with the wish before it; an order
 * that was named earlier is still the one that is meant.
 */
export function understand(messages: readonly Message[]): Request {
  const lines = messages.flatMap((message) => (message.role === "user" ? [textOf(message)] : []));
  const newest = lines.at(-1) ?? "";
  const amount = /\$\s?(\d+(?:\.\d{1,2})?)|\b(\d+(?:\.\d{1,2})?) dollars\b/i.exec(newest);
  return {
    wish: wishOf(newest) ?? (isFollowUp(newest) ? earlierWish(lines.slice(0, -1)) : null),
    orderId:
      lines
        .toReversed()
        .map(orderOf)
        .find((id) => id !== null) ?? null,
    amount: amount === null ? null : Number(amount[1] ?? amount[2]),
  };
}

function textOf(message: Message & { role: "user" }): string {
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function wishOf(line: string): Wish | null {
  return wishes.find(([pattern]) => pattern.test(line))?.[1] ?? null;
}

function orderOf(line: string): string | null {
  return (
    /(?:#|\bord[-_]?|\border (?:number |no\.? )?#?|^\s*(?:it'?s |it is )?)(\d{3,8})\b/i.exec(line)?.[1] ??
    null
  );
}

function isFollowUp(line: string): boolean {
  return orderOf(line) !== null || /^\s*(yes|yeah|please|ok|okay|do it|go ahead)\b/i.test(line);
}

function earlierWish(lines: readonly string[]): Wish | null {
  return (
    lines
      .toReversed()
      .map(wishOf)
      .find((wish) => wish === "refund" || wish === "order") ?? null
  );
}
