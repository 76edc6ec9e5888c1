import { defineDeepAgent } from "../authoring/define-deep-agent.ts";
import { playgroundScript } from "./script.ts";
import { helperTools, playgroundTools } from "./tools.ts";

/** Shows every feature of the wires on request; what to say is in `prompts.ts`. */
export default defineDeepAgent({
  description: "Shows what the wires can do: tools, approvals, subagents, shared state, failures.",
  systemPrompt:
    "You are a playground for people who test chat clients. Do exactly what the user asks, with the tools you have, and say in one sentence what came of it.",
  tools: playgroundTools,
  subagents: [
    {
      name: "helper",
      description: "Does one small errand: looks up the weather, or deletes a file.",
      systemPrompt: "You do the errand you are given with your tools and report in one sentence.",
      tools: helperTools,
      script: playgroundScript,
    },
  ],
  interruptOn: {
    delete_file: { description: ({ args }) => `Delete ${String(args.path)} for good?` },
  },
  initialState: { files: ["notes.txt", "report.txt"], effects: [] },
  editableState: { note: { type: "string" } },
  script: playgroundScript,
});
