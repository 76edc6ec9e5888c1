import { AgentCapabilitiesSchema } from "@ag-ui/core/schemas";
import { expect, test } from "vitest";
import * as z from "zod";
import { defineDeepAgent, named } from "../../../../src/agents/authoring/define-deep-agent.ts";
import { tool } from "../../../../src/agents/authoring/tool.ts";
import { capabilitiesOf } from "../../../../src/wires/agui/capabilities.ts";

const refund = tool(() => "done", {
  name: "refund",
  description: "Refunds.",
  schema: z.object({ order: z.string() }),
});

test("an agent's capabilities are the protocol's, and say no more than is known", () => {
  const agent = named(
    "shop",
    defineDeepAgent({
      description: "Sells.",
      systemPrompt: "Sell.",
      tools: [refund],
      interruptOn: { refund: { allowedDecisions: ["approve", "reject"] } },
      editableState: { draft: { type: "string" } },
    }),
  );
  const capabilities = capabilitiesOf(agent);
  expect(AgentCapabilitiesSchema.safeParse(capabilities).error?.issues ?? []).toEqual([]);
  expect(capabilities).toMatchObject({
    identity: { name: "shop", description: "Sells." },
    tools: { items: [{ name: "refund", description: "Refunds." }] },
    multiAgent: { supported: false, subagents: [] },
    humanInTheLoop: { interrupts: true, approveWithEdits: false },
    custom: { editableState: { draft: { type: "string" } } },
  });
  expect(Object.keys(capabilities)).not.toContain("multimodal");
  expect(Object.keys(capabilities)).not.toContain("reasoning");
});

test("an agent that asks nobody does not say that it does", () => {
  const agent = named("echo", defineDeepAgent({ systemPrompt: "Echo." }));
  expect(capabilitiesOf(agent)).toMatchObject({
    humanInTheLoop: { supported: false, approvals: false, interrupts: false, approveWithEdits: false },
  });
});
