import { expect, test } from "vitest";
import { withKey } from "../../../../src/agents/runtime/state-editor.ts";
import { Conversation } from "./converse.ts";

const facts = [
  "Green, black and oolong tea come from the same plant.",
  "Green tea is best with water of about 80 °C.",
  "Black tea keeps for about two years in a closed tin.",
];
const draft = `Three things about tea. ${facts.join(" ")}`;

test("plans, lets its helpers work, and ticks off what is done", async () => {
  const { events, calls, text, state } = await new Conversation("planner").say("Write a note about tea");
  expect(calls).toEqual([
    "write_todos",
    "task",
    "tick_todo",
    "task",
    "tick_todo",
    "write_draft",
    "tick_todo",
  ]);
  const helpers = events.flatMap((event) => (event.type === "step-start" ? [event.subagent.name] : []));
  expect(helpers).toEqual(["researcher", "writer"]);
  expect(state).toEqual({
    todos: [
      { text: "Find facts about tea", done: true },
      { text: "Write the draft", done: true },
      { text: "Check the draft", done: true },
    ],
    draft,
  });
  expect(text).toContain("The note about tea is in the draft.");
});

test("what the user changed in the draft is what counts", async () => {
  const chat = new Conversation("planner");
  await chat.say("Write a note about tea");
  chat.store.setState(withKey(chat.store.state(), "draft", "Tea is nice. It is warm."));
  expect((await chat.say("What does the draft say?")).text).toBe("The draft says: Tea is nice. It is warm.");
  const shorter = await chat.say("Make it shorter");
  expect(shorter.calls).toEqual(["write_draft"]);
  expect(shorter.state.draft).toBe("Tea is nice.");
});

test("an unknown subject is still written about, without made-up facts", async () => {
  const { state } = await new Conversation("planner").say("Write a note about quarks.");
  expect(state.draft).toBe("Some things about quarks. I know nothing about quarks yet.");
});

test.each([
  ["Plan a launch", "a launch"],
  ["Write about night trains.", "night trains"],
  ["Please draft something about otters!", "otters"],
])("%s is about %s", async (line, subject) => {
  const { text, state } = await new Conversation("planner").say(line);
  expect(text).toContain(`The note about ${subject} is in the draft.`);
  expect(state.draft).toMatch(new RegExp(`^Three things about ${subject}\\.`));
});

test("without a subject it asks", async () => {
  expect((await new Conversation("planner").say("Hello")).text).toMatch(/^Tell me what to write about/);
  expect((await new Conversation("planner").say("What is in the draft?")).text).toBe(
    "There is no draft yet.",
  );
});
