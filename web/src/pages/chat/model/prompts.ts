import { playgroundPrompts } from "../../../../../src/agents/playground/prompts.ts";

export interface ExamplePrompt {
  say: string;
  /** What it shows, in a few words. */
  shows: string;
}

const byAgent: { [agent: string]: ExamplePrompt[] } = {
  support: [
    { say: "What plans do you offer?", shows: "a plain answer" },
    { say: "How much are they?", shows: "a tool" },
    { say: "Where is order 1042?", shows: "a tool with an argument" },
    { say: "Please refund order 1042", shows: "a refund that you approve" },
  ],
  planner: [
    { say: "Write a note about tea", shows: "a plan, two helpers and a draft" },
    { say: "Write a note about otters", shows: "the same with other facts" },
    { say: "Make the draft shorter", shows: "works on the draft you may change" },
  ],
  freight: [{ say: "What do you do?", shows: "an agent whose tools come with a request" }],
  playground: [
    { say: "Delete notes.txt", shows: "an approval" },
    { say: "Delete notes.txt and report.txt", shows: "two at once" },
    { say: "Use my tool", shows: "a question to you" },
    { say: "Think about tea", shows: "reasoning" },
    { say: "Ask the helper for the weather in Rome", shows: "a subagent" },
    { say: "Count slowly to 80", shows: "a slow stream" },
  ],
};

/** What to begin with; for an agent that is not known here, a sentence that fits any. */
export function examplePrompts(agent: string): ExamplePrompt[] {
  return Object.hasOwn(byAgent, agent)
    ? (byAgent[agent] ?? [])
    : [{ say: "What can you do for me?", shows: "what it says of itself" }];
}

/** Everything the playground understands. */
export function allPrompts(agent: string): readonly ExamplePrompt[] {
  return agent === "playground" ? playgroundPrompts : [];
}
