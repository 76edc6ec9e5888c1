import { defineDeepAgent } from "../authoring/define-deep-agent.ts";
import { plannerScript, researcherScript, writerScript } from "./script.ts";
import { searchNotes, tickTodo, writeDraft, writeTodos } from "./tools.ts";

/** Writes short notes with two helpers. Its list of things to do and its draft are in the shared state. */
export default defineDeepAgent({
  description: "Plans and writes a short note with a researcher and a writer.",
  systemPrompt: [
    "You write short notes. First write the list of things to do, then work through it and tick each one off.",
    "Leave facts to the researcher and sentences to the writer; give each all it needs, for they see nothing else.",
    "Put the text into the draft. The user may change the draft: what the shared state says is what counts.",
  ].join("\n"),
  tools: [writeTodos, tickTodo, writeDraft],
  subagents: [
    {
      name: "researcher",
      description: "Finds facts about a subject.",
      systemPrompt: "You look up what the notebook says and list the facts. Never make one up.",
      tools: [searchNotes],
      script: researcherScript,
    },
    {
      name: "writer",
      description: "Makes a short text of facts.",
      systemPrompt: "You write three plain sentences from the facts you are given, and nothing else.",
      tools: [],
      script: writerScript,
    },
  ],
  initialState: { todos: [], draft: "" },
  editableState: { draft: { type: "string" } },
  script: plannerScript,
});
