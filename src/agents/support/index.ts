import { defineDeepAgent } from "../authoring/define-deep-agent.ts";
import { supportScript } from "./script.ts";
import { dollars, findOrder } from "./shop.ts";
import { listPlans, lookUpOrder, refundOrder } from "./tools.ts";

/** Answers customers of a small software company. Refunds wait for a person. */
export default defineDeepAgent({
  description: "Customer support: plans, orders, and refunds that a person approves.",
  systemPrompt: [
    "You are the support desk of a small software company. It offers Free, Pro and Team plans.",
    "Look a price or an order up before you speak of it, and never guess an order's number: ask.",
    "Refund only what the customer asks for. A person approves every refund; when one is refused, say so and why.",
    "Answer in one or two friendly sentences.",
  ].join("\n"),
  tools: [listPlans, lookUpOrder, refundOrder],
  interruptOn: {
    refund_order: {
      allowedDecisions: ["approve", "edit", "reject"],
      description: ({ args }) => {
        const order = findOrder(String(args.orderId));
        const amount = typeof args.amount === "number" ? dollars(args.amount) : "everything";
        return order === undefined
          ? `Refund ${amount} of order ${String(args.orderId)}, which is not on file?`
          : `Refund ${amount} of order ${order.orderId} (${order.item}, ${dollars(order.amount)}) to ${order.customer}?`;
      },
    },
  },
  initialState: { refunds: [] },
  script: supportScript,
});
