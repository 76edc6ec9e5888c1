import * as z from "zod";
import {
  type DeepAgentOptions,
  defineDeepAgent,
} from "../../../../src/agents/authoring/define-deep-agent.ts";
import { type AgentTool, tool } from "../../../../src/agents/authoring/tool.ts";

/** What ran, in order: one entry an execution. */
export type Ran = { callId: string; tool: string; args: Record<string, unknown> }[];

/** Tools that note that they ran: `look` and `send` return a text, `fail` throws, `long` returns many characters. */
function toolsThatNote(ran: Ran): AgentTool[] {
  const note = (name: string, callId: string, args: Record<string, unknown>) =>
    ran.push({ callId, tool: name, args });
  return [
    tool(
      ({ at }, { callId }) => {
        note("look", callId, { at });
        return `saw ${at}`;
      },
      { name: "look", description: "Looks.", schema: z.object({ at: z.string() }) },
    ),
    tool(
      ({ to }, { callId }) => {
        note("send", callId, { to });
        return `sent to ${to}`;
      },
      { name: "send", description: "Sends.", schema: z.object({ to: z.string().min(1) }) },
    ),
    tool(
      (_, { callId }) => {
        note("fail", callId, {});
        throw new Error("it broke");
      },
      { name: "fail", description: "Fails.", schema: z.object({}) },
    ),
    tool(
      ({ chars }, { callId }) => {
        note("long", callId, { chars });
        return "é".repeat(chars);
      },
      { name: "long", description: "Returns a lot.", schema: z.object({ chars: z.number() }) },
    ),
  ];
}

/** An agent with those tools, `send` behind a gate unless told otherwise. */
export function agentThat(ran: Ran, options: Partial<DeepAgentOptions> = {}) {
  return defineDeepAgent({
    systemPrompt: "You are tested.",
    tools: toolsThatNote(ran),
    interruptOn: { send: true },
    ...options,
  });
}
