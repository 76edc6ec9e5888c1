// Written by scripts/make-workflows.ts from refund.workflow.ts; run `npm run generate` after changing that.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
import { runStep as runStep$, type StepFunction as StepFunction$ } from "../authoring/step.ts";
import { requestApproval } from "../authoring/index.ts";
import * as z from "zod";

export const inputSchema = z.object({
  orderId: z.string().min(1),
  amount: z.number().positive(),
  approvalToken: z
    .string()
    .min(1)
    .max(200)
    .describe("Any text no other waiting run has; who decides outside the inbox needs it."),
});

export const outputSchema = z.object({
  orderId: z.string(),
  refunded: z.boolean(),
  amount: z.number().optional(),
});

/** Pays an order back once a person has approved it. Nobody deciding in a day counts as no. */
export async function refundWorkflow(input: { orderId: string; amount: number; approvalToken: string }) {
  "use workflow";

  const decision = await requestApproval({
    token: input.approvalToken,
    topic: "refund",
    payload: { orderId: input.orderId, amount: input.amount },
    title: "Approve refund",
    timeout: "24h",
    fallback: "reject",
  });

  if (decision.status !== "approved") {
    return { orderId: input.orderId, refunded: false };
  }
  // A person may have changed the amount.
  const { amount } = z.object({ amount: z.number().positive() }).parse(decision.payload ?? input);
  await payBack(input.orderId, amount);
  return { orderId: input.orderId, refunded: true, amount };
}

/** Where a shop would call its payment provider, with the step's id as idempotency key. */
async function payBack(orderId: string, amount: number) {
  const step$: StepFunction$ = payBack; return runStep$(step$, "payBack", async () => {
  return { orderId, amount };
}); }
