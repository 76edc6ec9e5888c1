import * as z from "zod";
import type { Json } from "../../turn/json.ts";
import { type ToolContext, tool } from "../authoring/tool.ts";

/** Characters `long_output` returns when it is not told how many. */
const longOutput = 20_000;

/**
 * Notes in the shared state that a call took effect: one entry an execution, so a call id that is there twice has run
 * twice. Effects of the tools themselves are in the state as well.
 */
function noteEffect(tool: string, { callId, state }: ToolContext): void {
  const { effects } = state.get();
  state.set("effects", [...(Array.isArray(effects) ? effects : []), { callId, tool }]);
}

const weather = tool(
  ({ city }, context) => {
    noteEffect("weather", context);
    return weatherOf(city);
  },
  {
    name: "weather",
    description: "The weather in a city.",
    schema: z.object({ city: z.string().min(1) }),
  },
);

/** The same city always has the same weather. */
function weatherOf(city: string): { city: string; celsius: number; sky: string } {
  const sum = [...city.toLowerCase()].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return { city, celsius: (sum % 35) - 5, sky: ["sunny", "cloudy", "rainy"][sum % 3] ?? "sunny" };
}

const deleteFile = tool(
  ({ path }, context) => {
    const { files } = context.state.get();
    const there: Json[] = Array.isArray(files) ? files : [];
    if (!there.includes(path)) throw new Error(`There is no file ${path}.`);
    noteEffect("delete_file", context);
    context.state.set(
      "files",
      there.filter((file) => file !== path),
    );
    return `Deleted ${path}.`;
  },
  {
    name: "delete_file",
    description: "Deletes a file for good. A person is asked first.",
    schema: z.object({ path: z.string().min(1) }),
  },
);

const setColor = tool(
  ({ color }, context) => {
    noteEffect("set_color", context);
    context.state.set("color", color);
    return `The color is ${color}.`;
  },
  {
    name: "set_color",
    description: "Sets the color in the shared state.",
    schema: z.object({ color: z.string().min(1) }),
  },
);

const failingTool = tool(
  (_input, context) => {
    noteEffect("failing_tool", context);
    throw new Error("The failing tool failed, as always.");
  },
  { name: "failing_tool", description: "Always fails.", schema: z.object({}) },
);

const longOutputTool = tool(
  ({ chars }, context) => {
    noteEffect("long_output", context);
    return "0123456789".repeat(Math.ceil(chars / 10)).slice(0, chars);
  },
  {
    name: "long_output",
    description: "Returns a long text.",
    schema: z.object({ chars: z.int().min(1).max(1_000_000).default(longOutput) }),
  },
);

const slowTool = tool(
  async ({ ms }, context) => {
    noteEffect("slow_tool", context);
    context.emit("progress", { done: 0, of: 2 });
    await pause(ms, context.signal);
    context.emit("progress", { done: 2, of: 2 });
    return `Waited ${ms} ms.`;
  },
  {
    name: "slow_tool",
    description: "Takes its time and says how far it is.",
    schema: z.object({ ms: z.int().min(0).max(60_000) }),
  },
);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** What the agent can use. */
export const playgroundTools = [weather, deleteFile, setColor, failingTool, longOutputTool, slowTool];

/** What its helper can use. */
export const helperTools = [weather, deleteFile];
