// Written by scripts/make-workflows.ts from ask-agent.workflow.ts; run `npm run generate` after changing that.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
import { runStep as runStep$, type StepFunction as StepFunction$ } from "../authoring/step.ts";
import { streamDeepAgent } from "../authoring/index.ts";
import * as z from "zod";

export const inputSchema = z.object({
  agent: z.string().default("support"),
  question: z.string().min(1),
});

export const outputSchema = z.object({ answer: z.string() });

/** Asks an agent a question; whoever watches the run sees the agent's turn as it happens. */
export async function askAgentWorkflow({ agent, question }: z.output<typeof inputSchema>) {
  "use workflow";
  const { text } = await ask(agent, question);
  return { answer: text };
}

async function ask(agent: string, question: string) {
  const step$: StepFunction$ = ask; return runStep$(step$, "ask", async () => {
  return streamDeepAgent(agent, question);
}); }
