import type * as z from "zod";
import { checkShape, type Holey } from "./check-shape.ts";
import { compileCaller } from "./compile-callers.ts";
import { compileParams } from "./compile-params.ts";
import { compileRule } from "./compile-rules.ts";
import { compileTask } from "./compile-tasks.ts";
import { compileTool } from "./compile-tools.ts";
import { compileTable, type OpenTable } from "./compile-world.ts";
import { emptyTree, treeOfParams } from "./field-tree.ts";
import { learnEffects, learnGiven, resultOf } from "./learn-effects.ts";
import { inside } from "./place.ts";
import type { DomainProblem } from "./problem.ts";
import { ProblemList } from "./problem-list.ts";
import { type Part, type Parts, readParts, type Thing } from "./read-parts.ts";
import type { Compilation, ToolInfo } from "./references.ts";
import { caller } from "./source/callers.ts";
import { type DomainSource, domain as domainSchema } from "./source/domain.ts";
import { rule } from "./source/rules.ts";
import { type TaskSource, task } from "./source/tasks.ts";
import { type ToolSource, tool } from "./source/tools.ts";
import { id, tableName, toolName } from "./source/value.ts";
import { table } from "./source/world.ts";
import type { Domain } from "./types.ts";

export type LoadedDomain = { ok: true; domain: Domain } | { ok: false; problems: DomainProblem[] };

/**
 * Compiles a domain folder, given as path inside the folder to text. Pure, and never throws on any input: whatever is
 * wrong comes back as problems, all of them at once, sorted by file, line and column.
 */
export function loadDomain(files: Readonly<Record<string, string>>): LoadedDomain {
  const problems = new ProblemList();
  const parts = readParts(files, problems);
  const domain = compileDomain(parts, problems);
  const found = problems.sorted();
  return domain !== undefined && found.length === 0 ? { ok: true, domain } : { ok: false, problems: found };
}

/** A thing whose shape has been checked. */
interface Checked<Source> extends Thing {
  source: Holey<Source> | undefined;
}

function checkPart<Source>(
  part: Part,
  name: z.ZodType<unknown, string>,
  schema: z.ZodType<unknown, Source>,
  problems: ProblemList,
): Checked<Source>[] {
  return [...part.things.values()].map((thing) => {
    const error = name.safeParse(thing.name).error?.issues[0]?.message;
    if (error !== undefined) problems.atKey(thing.place, `"${thing.name}" ${error}`);
    return { ...thing, source: checkShape(schema, thing.value, thing.place, problems) };
  });
}

function compileDomain({ domain, policy, parts, files }: Parts, problems: ProblemList): Domain | undefined {
  const head =
    domain === null
      ? undefined
      : checkShape(domainSchema, domain.value, { document: domain, path: [] }, problems);
  const worldThings = checkPart(parts.world, tableName, table, problems);
  const toolThings = checkPart(parts.tools, toolName, tool, problems);
  const ruleThings = checkPart(parts.rules, id, rule, problems);
  const callerThings = checkPart(parts.callers, id, caller, problems);
  const taskThings = checkPart(parts.tasks, id, task, problems);

  const tables = worldThings.map(({ name, source, place }) =>
    compileTable(name, source, place, files, problems),
  );
  const tools = new Map(toolThings.map((thing) => [thing.name, describeTool(thing, problems)]));
  const c: Compilation = {
    problems,
    files,
    tables: new Map(tables.map(({ info }) => [info.name, info])),
    tools,
    complete: { world: parts.world.complete, tools: parts.tools.complete, callers: parts.callers.complete },
    compiledTables: [],
  };
  learnFields(c, tables, toolThings, taskThings);

  const compiledTools = toolThings.flatMap(({ name, source, place }) => {
    const info = tools.get(name);
    return (info && compileTool(c, info, source, place)) ?? [];
  });
  const rules = ruleThings.flatMap(({ name, source, place }) => compileRule(c, name, source, place) ?? []);
  const callers = new Map(
    callerThings.map(({ name, source, place }) => [name, compileCaller(c, source, place)] as const),
  );
  const shared = { callers, tools: compiledTools };
  const tasks = taskThings.flatMap(
    ({ name, source, place }) => compileTask(c, name, source, place, shared) ?? [],
  );
  if (head?.name === undefined || head.description === undefined || head.clock === undefined)
    return undefined;
  return {
    name: head.name,
    description: head.description.trim(),
    policy: policy.trim(),
    clock: utc(head.clock),
    tables: c.compiledTables,
    tools: compiledTools,
    rules,
    tasks,
  };
}

function describeTool({ name, source, place }: Checked<ToolSource>, problems: ProblemList): ToolInfo {
  const { params, complete } = compileParams(source?.params, inside(place, "params"), problems);
  const known = source !== undefined && complete;
  const args = treeOfParams(params);
  // A mistaken parameter still has its name: what refers to it is right.
  for (const missing of Object.keys(source?.params ?? {})) {
    if (!args.children.has(missing)) args.children.set(missing, emptyTree(true));
  }
  return {
    name,
    params,
    args: source === undefined ? emptyTree(true) : args,
    result: emptyTree(true),
    complete: known,
  };
}

/** What conditions may name: the fields of rows, and those that tools and tasks add. */
function learnFields(
  c: Compilation,
  tables: readonly OpenTable[],
  tools: readonly Checked<ToolSource>[],
  tasks: readonly Checked<TaskSource>[],
): void {
  for (const { name, source } of tools) {
    const info = c.tools.get(name);
    if (info !== undefined) learnEffects(source, info, c.tables);
  }
  for (const { source } of tasks) learnGiven(source, c.tables);
  for (const { name, source } of tools) {
    const info = c.tools.get(name);
    if (info !== undefined) info.result = resultOf(source, info.args, c.tables);
  }
  c.compiledTables = tables.map(({ info, table }) => ({
    ...table,
    fields: [...info.fields.children.keys()],
  }));
}

/** The instant in UTC, without the milliseconds nobody wrote. */
function utc(clock: NonNullable<DomainSource["clock"]>): string {
  return new Date(clock).toISOString().replace(".000Z", "Z");
}
