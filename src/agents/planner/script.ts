import type { Json } from "../../turn/json.ts";
import type { ScriptPart, ScriptTurn } from "../authoring/script.ts";

/** Milliseconds a step takes, so that who watches sees the list being ticked off. */
const stepMs = 250;

/** Writes a text in three steps: facts, draft, check. Changes the draft it has when that is what the user wants. */
export function plannerScript(turn: ScriptTurn): readonly ScriptPart[] {
  const { user, step, state } = turn;
  const draft = typeof state.draft === "string" ? state.draft : "";
  if (/\b(what|show|read)\b.*\bdraft\b/i.test(user)) {
    return [{ text: draft === "" ? "There is no draft yet." : `The draft says: ${draft}` }];
  }
  if (/\b(shorten|shorter)\b/i.test(user)) return shorten(step, draft);
  const subject = subjectOf(user);
  if (subject === null) {
    return [{ text: "Tell me what to write about, such as: write a note about tea." }];
  }
  switch (step) {
    case 0:
      return [
        { text: `I'll plan a note about ${subject}. ` },
        {
          call: {
            name: "write_todos",
            args: { todos: [`Find facts about ${subject}`, "Write the draft", "Check the draft"] },
          },
        },
      ];
    case 1:
      return [{ wait: stepMs }, task("researcher", `Find facts about ${subject}.`)];
    case 2:
      return [
        { wait: stepMs },
        tick(1),
        task("writer", `Write a note about ${subject} from these facts:\n${lastResult(turn, "task")}`),
      ];
    case 3:
      return [
        { wait: stepMs },
        tick(2),
        { call: { name: "write_draft", args: { text: lastResult(turn, "task") } } },
      ];
    case 4:
      return [{ wait: stepMs }, tick(3)];
    default:
      return [
        {
          text: `The note about ${subject} is in the draft. Change it as you like, or ask me to shorten it.`,
        },
      ];
  }
}

function shorten(step: number, draft: string): readonly ScriptPart[] {
  if (draft === "") return [{ text: "There is no draft yet." }];
  if (step > 0) return [{ text: "The draft is shorter now." }];
  const first = /^.*?[.!?](?=\s|$)/s.exec(draft)?.[0] ?? draft;
  return [{ call: { name: "write_draft", args: { text: first } } }];
}

function subjectOf(user: string): string | null {
  const said =
    /\babout (.+?)[.!?]*$/is.exec(user)?.[1] ?? /\b(?:plan|write|draft) (.+?)[.!?]*$/is.exec(user)?.[1];
  return said === undefined ? null : said.trim().slice(0, 200) || null;
}

function task(subagent: string, description: string): ScriptPart {
  return { call: { name: "task", args: { subagent, description } } };
}

function tick(number: number): ScriptPart {
  return { call: { name: "tick_todo", args: { number } } };
}

function lastResult({ results }: ScriptTurn, name: string): string {
  return results.findLast((result) => result.name === name)?.content ?? "";
}

/** Looks the subject up and lists what it found. */
export function researcherScript({ user, step, results }: ScriptTurn): readonly ScriptPart[] {
  const subject = /^Find facts about (.*)\.$/s.exec(user)?.[1] ?? user;
  if (step === 0) return [{ call: { name: "search_notes", args: { subject } } }];
  const found: Json = JSON.parse(results.at(-1)?.content ?? "[]");
  const facts = Array.isArray(found) ? found.map(String) : [];
  if (facts.length === 0) return [{ text: `I know nothing about ${subject} yet.` }];
  return [{ text: facts.map((fact) => `- ${fact}`).join("\n") }];
}

/** Makes sentences of a list of facts. */
export function writerScript({ user }: ScriptTurn): readonly ScriptPart[] {
  const [head = "", ...facts] = user.split("\n");
  const subject = /about (.*) from/.exec(head)?.[1] ?? "this";
  const sentences = facts.map((fact) => fact.replace(/^- /, "")).join(" ");
  return [
    {
      text: `Three things about ${subject}. ${sentences}`.replace(
        /^Three/,
        facts.length === 3 ? "Three" : "Some",
      ),
    },
  ];
}
