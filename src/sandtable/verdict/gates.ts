import type { Gate, TaskResult } from "../report/results.ts";
import { hasTag, untagged } from "./select-tasks.ts";
import { meanPassHatK } from "./task-verdict.ts";

/** A gate as written cannot be used. The message is for the person who wrote it. */
export class GateError extends Error {
  override readonly name = "GateError";
}

/** A threshold on the agent, parsed. Plain JSON, stored with the rehearsal. */
export type GateSpec =
  | { kind: "fail_under"; name: string; k: number; required: number }
  | { kind: "floor"; name: string; tag: string; required: number };

/** What gates are checked against: the selected tasks, and the trials each is to have. */
interface GateScope {
  tasks: { tags: string[] }[];
  trials: number;
}

/** Sums of thirds and the like are off in the last digits; a gate does not turn on those. */
const tolerance = 1e-9;

/**
 * Parses `--fail-under` values (`0.9`, `pass^3=0.8`) and `--floor` values (`tag=1`), in the order given.
 * Throws GateError for bad syntax, a share outside 0 to 1, k above the trials, or a tag no selected task has.
 */
export function parseGates(
  written: { failUnder?: string[]; floor?: string[] },
  scope: GateScope,
): GateSpec[] {
  return [
    ...(written.failUnder ?? []).map((text) => parseFailUnder(text, scope)),
    ...(written.floor ?? []).map((text) => parseFloor(text, scope)),
  ];
}

function parseFailUnder(text: string, { trials }: GateScope): GateSpec {
  const name = `--fail-under ${text}`;
  const match = /^(?:pass\^(\d{1,9})=)?([^=]*)$/.exec(text.trim());
  if (match === null) throw new GateError(`${name}: expected a share such as 0.9, or pass^3=0.8`);
  const k = Number(match[1] ?? 1);
  if (k < 1) throw new GateError(`${name}: k of pass^k starts at 1`);
  const required = parseShare(name, match[2] ?? "", "0.9 or pass^3=0.8");
  if (k > trials)
    throw new GateError(`${name}: pass^${k} needs at least ${k} trials a task; this rehearsal has ${trials}`);
  return { kind: "fail_under", name, k, required };
}

function parseFloor(text: string, { tasks }: GateScope): GateSpec {
  const name = `--floor ${text}`;
  const at = text.lastIndexOf("=");
  const tag = text.slice(0, at).trim();
  if (at < 0 || tag === "") throw new GateError(`${name}: expected a tag and a share, such as refusal=1`);
  const required = parseShare(name, text.slice(at + 1), "refusal=0.9");
  if (!tasks.some((task) => hasTag(task, tag))) {
    if (tag === untagged) throw new GateError(`${name}: every selected task has a tag`);
    const known = [...new Set(tasks.flatMap((task) => task.tags))].sort();
    const choice = known.length === 0 ? "none of them has one" : `their tags are ${known.join(", ")}`;
    throw new GateError(`${name}: no selected task has the tag ${JSON.stringify(tag)}; ${choice}`);
  }
  return { kind: "floor", name, tag, required };
}

function parseShare(name: string, text: string, example: string): number {
  const share = text.trim();
  if (!/^(\d+\.?\d*|\.\d+)$/.test(share))
    throw new GateError(
      `${name}: ${JSON.stringify(share)} is not a share from 0 to 1; write it as in ${example}`,
    );
  const required = Number(share);
  if (required > 1) throw new GateError(`${name}: ${share} is above 1; a share goes from 0 to 1`);
  return required;
}

/**
 * Evaluates the written gates, then one gate for each critical task, on the tasks' results in their order.
 * `--fail-under` looks at mean pass^k over all graded tasks, `--floor` at mean pass^1 over the graded tasks with the tag;
 * a critical task's gate holds when it has a graded trial and none failed. A gate with nothing graded does not hold.
 */
export function evaluateGates(specs: GateSpec[], tasks: TaskResult[]): Gate[] {
  const written = specs.map((spec): Gate => {
    const actual =
      spec.kind === "fail_under"
        ? meanPassHatK(tasks, spec.k)
        : meanPassHatK(
            tasks.filter((task) => hasTag(task, spec.tag)),
            1,
          );
    const held = actual !== null && actual >= spec.required - tolerance;
    return { name: spec.name, held, actual, required: spec.required };
  });
  const critical = tasks
    .filter((task) => task.critical)
    .map((task): Gate => {
      const actual = task.passHatK[0] ?? null;
      const held = task.graded > 0 && task.passed === task.graded;
      return { name: `critical ${task.id}`, held, actual, required: 1 };
    });
  return [...written, ...critical];
}
