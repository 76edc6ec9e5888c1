import * as z from "zod";
import type { Json } from "../../turn/json.ts";
import { tool } from "../authoring/tool.ts";
import { lookUp } from "./notebook.ts";

/** One thing to do. */
interface Todo {
  text: string;
  done: boolean;
}

/** The list in a shared state. */
function todosIn(todos: Json | undefined): Todo[] {
  if (!Array.isArray(todos)) return [];
  return todos.flatMap((todo) => {
    if (typeof todo !== "object" || todo === null || Array.isArray(todo)) return [];
    return typeof todo.text === "string" ? [{ text: todo.text, done: todo.done === true }] : [];
  });
}

export const writeTodos = tool(
  ({ todos }, { state }) => {
    state.set(
      "todos",
      todos.map((text) => ({ text, done: false })),
    );
    return `${todos.length} things to do.`;
  },
  {
    name: "write_todos",
    description: "Writes the list of things to do, which the user sees. Replaces the one before.",
    schema: z.object({ todos: z.array(z.string().min(1)).min(1).max(20) }),
  },
);

export const tickTodo = tool(
  ({ number }, { state }) => {
    const todo = todosIn(state.get().todos)[number - 1];
    if (todo === undefined) throw new Error(`There is no thing to do number ${number}.`);
    state.patch([{ op: "replace", path: `/todos/${number - 1}/done`, value: true }]);
    return `Done: ${todo.text}`;
  },
  {
    name: "tick_todo",
    description: "Ticks one thing off the list.",
    schema: z.object({ number: z.int().min(1).describe("Its place in the list, from 1.") }),
  },
);

export const writeDraft = tool(
  ({ text }, { state }) => {
    state.set("draft", text);
    return "The draft is written.";
  },
  {
    name: "write_draft",
    description: "Writes the draft, which the user sees and may change. Replaces the one before.",
    schema: z.object({ text: z.string() }),
  },
);

export const searchNotes = tool(({ subject }) => [...lookUp(subject)], {
  name: "search_notes",
  description: "What the notebook says about a subject, a fact a line.",
  schema: z.object({ subject: z.string().min(1) }),
});
