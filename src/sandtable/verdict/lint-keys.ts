import type { CallExpect, Domain, Effect, Table, Task, Tool, Value } from "../domain/types.ts";

/**
 * Expected or forbidden calls that name a row which is never there, one message each: such an expectation is most often
 * a slip of the pen, and a forbidden call of that kind forbids nothing. Only arguments by which the tool finds a row
 * count, and only keys written out. A key that the caller speaks of may be wrong on purpose; so may that of a call that is
 * expected to fail.
 */
export function missingKeys(domain: Domain, task: Task): string[] {
  const { called, notCalled } = task.expect;
  return [
    ...called.flatMap((call) => missingIn("called", call, domain, task)),
    ...notCalled.flatMap((call) => missingIn("not_called", call, domain, task)),
  ];
}

function missingIn(part: string, call: CallExpect, domain: Domain, task: Task): string[] {
  const tool = domain.tools.find(({ name }) => name === call.tool);
  if (tool === undefined || call.args === undefined || call.ok === false) return [];
  const keys = keyArguments(tool);
  return call.args.flat().flatMap((test) => {
    if (test.op !== "eq" || test.path.length !== 1 || test.value.kind !== "literal") return [];
    const [argument = ""] = test.path;
    const key = test.value.value;
    const tables = domain.tables.filter(({ name }) => keys.get(argument)?.has(name));
    if (typeof key !== "string" || tables.length === 0 || spokenOf(key, task)) return [];
    if (tables.some((table) => mayHave(table, key, domain.tools, task))) return [];
    const names = tables.map(({ name }) => name).join(" or ");
    return [
      `${part} names ${call.tool} with ${argument} ${JSON.stringify(key)}, and ${names} has no such row`,
    ];
  });
}

/** Arguments by which a tool finds a row, with the tables it looks in. */
function keyArguments(tool: Tool): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const note = (table: string, key: Value | undefined) => {
    const [argument, ...deeper] = key?.kind === "arg" ? key.path : [];
    if (argument === undefined || deeper.length > 0) return;
    found.set(argument, (found.get(argument) ?? new Set()).add(table));
  };
  const { action } = tool;
  for (const { test } of tool.guards) if (test.kind === "row") note(test.table, test.key);
  if (action.kind === "lookup") note(action.rows.table, action.rows.key);
  if (action.kind === "write")
    for (const effect of action.effects)
      if (effect.kind !== "create") note(effect.rows.table, effect.rows.key);
  return found;
}

/** Whether the row is there at the start of the task, or a tool could add it. */
function mayHave(table: Table, key: string, tools: Tool[], task: Task): boolean {
  if (table.rows.some((row) => row[table.key] === key)) return true;
  if (task.given.some((given) => given.table === table.name && given.key === key)) return true;
  return tools.some(
    ({ action }) => action.kind === "write" && action.effects.some((effect) => mayCreate(effect, table, key)),
  );
}

function mayCreate(effect: Effect, table: Table, key: string): boolean {
  if (effect.kind !== "create" || effect.table !== table.name) return false;
  if (effect.key === undefined) {
    const [before = "", after = ""] = table.newKey.pattern.split("{n}");
    const number = key.slice(before.length, key.length - after.length);
    return key.startsWith(before) && key.endsWith(after) && /^\d+$/.test(number);
  }
  return effect.key.kind !== "literal" || effect.key.value === key;
}

/** Whether the task's caller may say the key, or the model that plays it knows it. */
function spokenOf(key: string, { caller }: Task): boolean {
  return JSON.stringify(caller).toLowerCase().includes(key.toLowerCase());
}
