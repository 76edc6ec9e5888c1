import type { Task } from "../domain/types.ts";
import { nearest } from "../text/nearest.ts";

/** The tasks asked for do not exist or exclude each other. The message is for the person who asked. */
export class SelectionError extends Error {
  override readonly name = "SelectionError";
}

/** As a tag it stands for the tasks without any. */
export const untagged = "untagged";

/** Whether a task carries a tag, or none when the tag is `untagged`. */
export function hasTag(task: Pick<Task, "tags">, tag: string): boolean {
  return tag === untagged ? task.tags.length === 0 : task.tags.includes(tag);
}

/**
 * The tasks a rehearsal plays, in the domain's order: those named by `tasks`, of which those with any of `tags`; an
 * empty list selects all. The tag `untagged` stands for tasks without tags.
 * Throws SelectionError for an unknown task, an unknown tag, or when nothing is left: a gate over nothing proves nothing.
 */
export function selectTasks<T extends Pick<Task, "id" | "tags">>(
  all: T[],
  { tasks, tags }: { tasks: string[]; tags: string[] },
): T[] {
  if (all.length === 0) throw new SelectionError("the domain has no tasks");
  const ids = all.map((task) => task.id);
  const known = [...new Set(all.flatMap((task) => task.tags)), untagged];
  for (const id of tasks) if (!ids.includes(id)) throw unknown("task", id, ids);
  for (const tag of tags) if (!known.includes(tag)) throw unknown("tag", tag, known);
  const selected = all.filter(
    (task) =>
      (tasks.length === 0 || tasks.includes(task.id)) &&
      (tags.length === 0 || tags.some((tag) => hasTag(task, tag))),
  );
  if (selected.length > 0) return selected;
  const among = tasks.length === 0 ? "no task" : `none of the tasks ${tasks.join(", ")}`;
  if (tags.includes(untagged) && tags.length === 1) throw new SelectionError(`${among} is untagged`);
  throw new SelectionError(`${among} has the tag ${tags.join(" or ")}`);
}

/** How many right words a message lists when none is near. */
const listedWords = 14;

function unknown(kind: string, word: string, words: string[]): SelectionError {
  const close = nearest(word, words);
  const shown = words.slice(0, listedWords).join(", ");
  const more = words.length > listedWords ? ` and ${words.length - listedWords} more` : "";
  const hint = close === undefined ? `; there are ${shown}${more}` : `; did you mean "${close}"?`;
  return new SelectionError(`there is no ${kind} "${word}" in the domain${hint}`);
}
