import type { JsonObject } from "../../../../../src/turn/index.ts";

/** The tool this page offers to every agent it talks to: a question to the person in front of it. */
export const askUserTool = {
  name: "ask_user",
  description:
    "Asks the person in the chat a question and waits for the answer. Use it when you need a choice or a fact that only they have.",
  parameters: {
    type: "object",
    properties: {
      question: {
        type: "string",
        description: "One short question.",
        minLength: 1,
        examples: ["Which of these suits you best?"],
      },
      options: {
        type: "array",
        items: { type: "string" },
        description: "Answers to choose from; the person may also write another one.",
        examples: [["The first one", "The second one", "Neither"]],
      },
    },
    required: ["question"],
    additionalProperties: false,
  } satisfies JsonObject,
};

/** What the agent is told when the person does not want to answer. */
export const declined = "The person closed the question without an answer.";

/** A question as a call asks it; of another tool than this page's own, what it was called with. */
export function questionOf(
  name: string,
  args: JsonObject | null,
): { question: string; options: string[]; own: boolean } {
  const own = name === askUserTool.name;
  const question = own && typeof args?.question === "string" ? args.question : "";
  const options = own && Array.isArray(args?.options) ? args.options.map(String) : [];
  return { question: question || `The result of ${name}?`, options: [...new Set(options)], own };
}
