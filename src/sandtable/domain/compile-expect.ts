import type { Holey } from "./check-shape.ts";
import { compileWhere } from "./compile-where.ts";
import { eachOf, isMapping } from "./forms.ts";
import { inside, keysInOrder, type Place } from "./place.ts";
import { type Compilation, findTable, findTool, noCall, tableSubject, toolSubject } from "./references.ts";
import type { TaskSource } from "./source/tasks.ts";
import type { CallExpect, Expect, TextExpect } from "./types.ts";

type ExpectSource = NonNullable<Holey<TaskSource>["expect"]>;
type CallSource =
  | string
  | {
      tool?: string | undefined;
      args?: unknown;
      ok?: boolean | "any" | undefined;
      times?: number | undefined;
    };

/**
 * Compiles one expected call. A bare name, or a mapping without `ok`, means `ok` as given by `defaultOk`:
 * `undefined` is any attempt.
 */
export function compileCall(
  c: Compilation,
  source: CallSource | undefined,
  place: Place,
  defaultOk: true | undefined,
): CallExpect | undefined {
  if (source === undefined) return undefined;
  if (!isMapping(source)) {
    const tool = findTool(c, source, place);
    return tool && { tool: tool.name, ...(defaultOk && { ok: defaultOk }) };
  }
  const tool = findTool(c, source.tool, inside(place, "tool"));
  const scope = noCall("an expectation stands outside any call");
  const subjects = tool === undefined ? [] : [toolSubject(tool)];
  const args =
    source.args === undefined
      ? undefined
      : compileWhere(c, source.args, inside(place, "args"), subjects, scope);
  const ok = source.ok === "any" ? undefined : (source.ok ?? defaultOk);
  return (
    tool && {
      tool: tool.name,
      ...(args !== undefined && { args }),
      ...(ok !== undefined && { ok }),
      ...(source.times !== undefined && { times: source.times }),
    }
  );
}

/** Compiles what a task expects. `keys` are the rows each table has when the trial starts. */
export function compileExpect(
  c: Compilation,
  source: ExpectSource | undefined,
  place: Place,
  hasRow: (table: string, key: string) => boolean,
): Expect {
  const calls = (key: "called" | "not_called", defaultOk: true | undefined): CallExpect[] =>
    eachOf<CallSource | undefined>(source?.[key]).flatMap(
      ({ value, path }) => compileCall(c, value, inside(place, key, ...path), defaultOk) ?? [],
    );
  return {
    called: calls("called", true),
    notCalled: calls("not_called", undefined),
    state: compileState(c, source?.state, inside(place, "state"), hasRow),
    say: compileTexts(source?.say),
    notSay: compileTexts(source?.not_say),
  };
}

function compileTexts(source: ExpectSource["say"]): TextExpect[] {
  return eachOf(source).flatMap(({ value }) => {
    if (value === undefined) return [];
    const any = isMapping(value) ? (value.any ?? []) : [value];
    return [{ any: any.filter((text) => text !== undefined) }];
  });
}

function compileState(
  c: Compilation,
  source: ExpectSource["state"],
  place: Place,
  hasRow: (table: string, key: string) => boolean,
): Expect["state"] {
  const scope = noCall("an expectation stands outside any call");
  return Object.entries(source ?? {}).flatMap(([name, rows]) => {
    const there = inside(place, name);
    const table = findTable(c, name, there, "key");
    return keysInOrder(there).flatMap((key): Expect["state"] => {
      const condition = rows?.[key];
      if (rows === undefined || condition === undefined) return [];
      const at = inside(there, key);
      const subjects = table === undefined ? [] : [tableSubject(table)];
      const where = condition === null ? null : compileWhere(c, condition, at, subjects, scope);
      if (where && table?.rowsKnown && !table.created && !hasRow(name, key)) {
        const known = [...table.rowKeys].filter((row) => hasRow(name, row));
        c.problems.unknown(at, "key", { what: "row", name: key, of: name, known });
      }
      return table === undefined ? [] : [{ table: table.name, key, where }];
    });
  });
}
