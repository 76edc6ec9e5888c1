import * as z from "zod";
import type { Json, JsonObject } from "../../turn/json.ts";
import { checkCron } from "./cron.ts";
import type { WorkflowDescription, WorkflowSchema } from "./types.ts";

/** A workflow as its file defines it. */
export interface WorkflowDefinition {
  name: string;
  /** The body: played from the start whenever the engine wakes, so it must do the same each time. */
  run: (input: never) => Promise<unknown>;
  inputSchema: z.ZodType | undefined;
  outputSchema: z.ZodType | undefined;
  schedules: readonly { cron: string; input: Json }[];
  /** One run at a time, in the order they were asked for. */
  serial: boolean;
}

/** What a workflow's file may export beside its function. */
export interface WorkflowOptions {
  inputSchema?: z.ZodType;
  outputSchema?: z.ZodType;
  schedules?: readonly { cron: string; input?: Json }[];
  executionMode?: "serial" | "parallel";
}

/**
 * A workflow that can be started. Throws when a schedule is no cron expression, or its input is not what the workflow
 * takes.
 */
export function workflow(
  name: string,
  run: WorkflowDefinition["run"],
  options: WorkflowOptions,
): WorkflowDefinition {
  const { inputSchema, outputSchema, schedules = [], executionMode = "parallel" } = options;
  for (const { cron, input = {} } of schedules) {
    const wrong = checkCron(cron);
    if (wrong !== null) throw new Error(`workflow "${name}": schedule "${cron}" ${wrong}`);
    const read = inputSchema?.safeParse(input);
    if (read?.success === false) {
      throw new Error(
        `workflow "${name}": the input of schedule "${cron}" does not fit: ${read.error.message}`,
      );
    }
  }
  return {
    name,
    run,
    inputSchema,
    outputSchema,
    schedules: schedules.map(({ cron, input = {} }) => ({ cron, input })),
    serial: executionMode === "serial",
  };
}

/** A workflow as the catalogue lists it. */
export function describeWorkflow(definition: WorkflowDefinition): WorkflowDescription {
  const { name, inputSchema, serial, schedules } = definition;
  return {
    name,
    trigger: schedules.length > 0 ? "schedule" : "manual",
    hasSchema: inputSchema !== undefined,
    serial,
    schedules: schedules.map(({ cron, input }) => ({ cron, input })),
  };
}

/** What a workflow takes and gives, as JSON Schema. */
export function schemaOf({ inputSchema, outputSchema }: WorkflowDefinition): WorkflowSchema {
  return { input: jsonSchema(inputSchema, "input"), output: jsonSchema(outputSchema, "output") };
}

function jsonSchema(schema: z.ZodType | undefined, io: "input" | "output"): JsonObject | null {
  if (schema === undefined) return null;
  // What JSON Schema cannot say is left open rather than refused.
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonObject;
}
