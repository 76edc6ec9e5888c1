import * as z from "zod";
import { tool } from "../authoring/tool.ts";
import { dollars, findOrder, plans, refunded, refundsIn } from "./shop.ts";

const orderId = z.string().describe("The order's number, such as 1042.");

export const listPlans = tool(() => plans.map((plan) => ({ ...plan })), {
  name: "list_plans",
  description: "All plans with their prices in US dollars a month.",
  schema: z.object({}),
});

export const lookUpOrder = tool(
  (input, { state }) => {
    const order = findOrder(input.orderId);
    if (order === undefined) throw new Error(`There is no order ${input.orderId}.`);
    return { ...order, refunded: refunded(refundsIn(state.get().refunds), order.orderId) };
  },
  {
    name: "find_order",
    description: "One order: what, for whom, how much, where it is, and what was refunded of it.",
    schema: z.object({ orderId }),
  },
);

/** Pays back at most what was paid. A call that is made again does not pay again. */
export const refundOrder = tool(
  (input, { callId, state }) => {
    const order = findOrder(input.orderId);
    if (order === undefined) throw new Error(`There is no order ${input.orderId}.`);
    const refunds = refundsIn(state.get().refunds);
    const before = refunds.find((refund) => refund.callId === callId);
    if (before !== undefined) return { orderId: order.orderId, refunded: before.amount };
    const left = order.amount - refunded(refunds, order.orderId);
    const amount = input.amount ?? left;
    if (left === 0) throw new Error(`Order ${order.orderId} was refunded already.`);
    if (amount > left)
      throw new Error(`No more than ${dollars(left)} of order ${order.orderId} can be refunded.`);
    state.set(
      "refunds",
      [...refunds, { orderId: order.orderId, amount, callId }].map((one) => ({ ...one })),
    );
    return { orderId: order.orderId, refunded: amount };
  },
  {
    name: "refund_order",
    description: "Pays an order back, all of it or an amount. A person approves it first.",
    schema: z.object({
      orderId,
      amount: z.number().positive().optional().describe("US dollars; left out: all of it."),
      reason: z.string().describe("Why the customer wants the money back."),
    }),
  },
);
