import type { Interrupt, JsonObject } from "../../turn/index.ts";
import type { AguiInterrupt } from "./events.ts";

/**
 * An interrupt as a client is shown it: what is asked, about which call, and in `responseSchema` what may be answered.
 * `metadata` repeats the call, so that whoever holds only the interrupt can show what would run.
 */
export function encodeInterrupt(interrupt: Interrupt, subagentRunId: string | undefined): AguiInterrupt {
  const { id, callId, tool, args, message, allowedDecisions } = interrupt;
  return {
    id,
    reason: "tool_call",
    message,
    toolCallId: callId,
    responseSchema: responseSchema(interrupt),
    metadata: { toolName: tool, args, allowedDecisions },
    ...(subagentRunId === undefined ? {} : { subagentRunId }),
  };
}

/** `approved` says yes or no; `editedArgs` alone is a yes with other arguments. */
function responseSchema({ allowedDecisions, argsSchema }: Interrupt): JsonObject {
  const approve = allowedDecisions.includes("approve");
  const edit = allowedDecisions.includes("edit");
  const reject = allowedDecisions.includes("reject");
  const properties: JsonObject = {};
  if (approve || edit || reject) {
    properties.approved = {
      type: "boolean",
      ...(approve || edit ? {} : { const: false }),
      ...(reject ? {} : { const: true }),
      description: "Whether the call may run.",
    };
  }
  if (edit) {
    properties.editedArgs = {
      description: "The call runs with these arguments instead of its own, whole.",
      ...withoutDialect(argsSchema),
    };
  }
  if (reject) properties.reason = { type: "string", description: "Why not, for the agent to read." };
  const answers = [
    ...(approve || reject ? [{ required: ["approved"] }] : []),
    ...(edit ? [{ required: ["editedArgs"] }] : []),
  ];
  return { type: "object", properties, anyOf: answers };
}

/** A schema inside another says nothing of its dialect. */
function withoutDialect({ $schema: _, ...schema }: JsonObject): JsonObject {
  return schema;
}
