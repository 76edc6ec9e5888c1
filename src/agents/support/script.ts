import type { Json, JsonObject } from "../../turn/json.ts";
import type { ScriptPart, ScriptResult, ScriptTurn } from "../authoring/script.ts";
import { dollars, plans } from "./shop.ts";
import { understand } from "./understand.ts";

/** A support desk without a model: it looks things up before it says them, and asks for what it does not know. */
export function supportScript(turn: ScriptTurn): readonly ScriptPart[] {
  const { results } = turn;
  const { wish, orderId, amount } = understand(turn.messages);
  const last = results.at(-1);
  const found = results.find(({ name, isError }) => name === "find_order" && !isError);
  if (last?.name === "refund_order") return [{ text: afterRefund(last) }];
  if (last?.isError) return [{ text: `I'm sorry, that did not work: ${last.content}` }];
  if (last?.name === "list_plans") return [{ text: priceList() }];
  switch (wish) {
    case "refund":
      if (orderId === null) return [{ text: "I can help with that. What is the number of your order?" }];
      return found === undefined ? look(orderId) : refund(turn, readOrder(found), amount);
    case "order":
      if (orderId === null)
        return [{ text: "Which order is that? Its number is on the receipt, such as 1042." }];
      return found === undefined ? look(orderId) : [{ text: whereabouts(readOrder(found)) }];
    case "prices":
      return [{ call: { name: "list_plans", args: {} } }];
    case "plans":
      return [
        {
          text: `We offer ${plans
            .slice(0, -1)
            .map(({ name }) => name)
            .join(", ")} and ${plans.at(-1)?.name} plans.`,
        },
      ];
    case "person":
      return [
        {
          text: "I'm sorry, nobody can take over this chat. Write to help@example.com and a person will answer.",
        },
      ];
    case "thanks":
      return [{ text: "You're welcome. Anything else?" }];
    case "hello":
      return [{ text: "Hello! Ask me about our plans, an order, or a refund." }];
    case null:
      return [
        {
          text: "I can tell you about our plans and their prices, find an order by its number, and refund one.",
        },
      ];
  }
}

function look(orderId: string): ScriptPart[] {
  return [{ call: { name: "find_order", args: { orderId } } }];
}

function refund({ user }: ScriptTurn, order: OrderFacts, asked: number | null): ScriptPart[] {
  const left = order.amount - order.refunded;
  if (left <= 0) return [{ text: `Order ${order.orderId} was refunded already.` }];
  const amount = asked ?? left;
  if (amount > left) {
    return [{ text: `I can refund at most ${dollars(left)} of order ${order.orderId}. Shall I do that?` }];
  }
  return [
    { text: `I'll ask for approval to refund ${dollars(amount)}. ` },
    { call: { name: "refund_order", args: { orderId: order.orderId, amount, reason: user.slice(0, 500) } } },
  ];
}

function afterRefund({ content, isError }: ScriptResult): string {
  if (isError) return `I could not make that refund: ${content}`;
  const { orderId, refunded } = readObject(content);
  return `Done, ${dollars(Number(refunded))} of order ${String(orderId)} is on its way back to you.`;
}

function priceList(): string {
  const lines = plans.map(
    ({ name, price, seats, includes }) =>
      `${name} is ${price === 0 ? "free" : `${dollars(price)} a month`} for ${seats === 1 ? "one person" : `up to ${seats} people`}, with ${includes}.`,
  );
  return lines.join(" ");
}

interface OrderFacts {
  orderId: string;
  item: string;
  amount: number;
  refunded: number;
  status: string;
  arrives: string | null;
}

function whereabouts({ orderId, item, amount, refunded, status, arrives }: OrderFacts): string {
  const when = arrives === null ? "" : `, expected on ${arrives}`;
  const back = refunded > 0 ? ` ${dollars(refunded)} of it was refunded.` : "";
  return `Order ${orderId} (${item}, ${dollars(amount)}) is ${status}${when}.${back}`;
}

function readOrder({ content }: ScriptResult): OrderFacts {
  const { orderId, item, amount, refunded, status, arrives } = readObject(content);
  return {
    orderId: String(orderId),
    item: String(item),
    amount: Number(amount),
    refunded: Number(refunded),
    status: String(status),
    arrives: typeof arrives === "string" ? arrives : null,
  };
}

function readObject(text: string): JsonObject {
  const value: Json = JSON.parse(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
