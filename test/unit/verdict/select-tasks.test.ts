import { expect, test } from "vitest";
import { SelectionError, selectTasks } from "../../../src/sandtable/verdict/select-tasks.ts";

const tasks = [
  { id: "book-load", tags: ["booking"] },
  { id: "refuse", tags: ["refusal", "booking"] },
  { id: "small-talk", tags: [] },
];
const select = (names: string[], tags: string[]) =>
  selectTasks(tasks, { tasks: names, tags }).map(({ id }) => id);

test("names, tags and both, in the domain's order", () => {
  expect(select([], [])).toEqual(["book-load", "refuse", "small-talk"]);
  expect(select(["small-talk", "book-load"], [])).toEqual(["book-load", "small-talk"]);
  expect(select([], ["booking"])).toEqual(["book-load", "refuse"]);
  expect(select([], ["refusal", "untagged"])).toEqual(["refuse", "small-talk"]);
  expect(select(["refuse", "small-talk"], ["booking"])).toEqual(["refuse"]);
  expect(select(["refuse", "refuse"], [])).toEqual(["refuse"]);
});

test.each([
  [["book-laod"], [], 'there is no task "book-laod" in the domain; did you mean "book-load"?'],
  [["zzz"], [], 'there is no task "zzz" in the domain; there are book-load, refuse, small-talk'],
  [[], ["refusals"], 'there is no tag "refusals" in the domain; did you mean "refusal"?'],
  [["small-talk"], ["booking", "refusal"], "none of the tasks small-talk has the tag booking or refusal"],
  [["refuse"], ["untagged"], "none of the tasks refuse is untagged"],
])("tasks %j with tags %j select nothing", (names, tags, message) => {
  expect(() => select(names, tags)).toThrow(new SelectionError(message));
});

test("a domain without untagged tasks, or without any", () => {
  expect(() => selectTasks(tasks.slice(0, 1), { tasks: [], tags: ["untagged"] })).toThrow(
    new SelectionError("no task is untagged"),
  );
  expect(() => selectTasks([], { tasks: [], tags: [] })).toThrow(
    new SelectionError("the domain has no tasks"),
  );
});
