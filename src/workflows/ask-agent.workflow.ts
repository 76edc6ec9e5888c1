import { streamDeepAgent } from "greenroom/workflow";
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
  "use step";
  return streamDeepAgent(agent, question);
}
