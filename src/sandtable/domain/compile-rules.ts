import type { Holey } from "./check-shape.ts";
import { compileRuleForm } from "./compile-rule-form.ts";
import { compileWhere } from "./compile-where.ts";
import { emptyTree, mergeTree } from "./field-tree.ts";
import { eachOf, written } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import {
  type Compilation,
  findTool,
  type Scope,
  type Subject,
  type ToolInfo,
  toolSubject,
} from "./references.ts";
import { type RuleSource, ruleForms } from "./source/rules.ts";
import { checkQuote } from "./source-quote.ts";
import type { NamedParam, Rule } from "./types.ts";

/** What a rule is about: the tools it guards and the arguments their calls have. */
export interface RuleContext {
  /** Arguments must lead somewhere in all of these. */
  subjects: Subject[];
  scope: Scope;
}

/** Compiles one rule. `undefined`: something essential is mistaken, and that is reported. */
export function compileRule(
  c: Compilation,
  id: string,
  source: Holey<RuleSource> | undefined,
  place: Place,
): Rule | undefined {
  if (source === undefined) return undefined;
  checkForms(c, source, place);
  const tools = guardedTools(c, source, place);
  const context = ruleContext(c, tools, written(source, "on"));
  const when =
    source.when === undefined
      ? undefined
      : compileWhere(c, source.when, inside(place, "when"), context.subjects, context.scope);
  checkQuote(c, source.source, inside(place, "source"));
  const form = compileRuleForm(c, source, place, context);
  if (form === undefined) return undefined;
  const { quote, document, section } = source.source ?? {};
  return {
    id,
    ...(source.description !== undefined && { description: source.description }),
    on: source.on === undefined ? null : tools.map((tool) => tool.name),
    ...(when !== undefined && { when }),
    severity: source.severity ?? "hard",
    ...(quote !== undefined && {
      source: {
        quote,
        ...(document !== undefined && { document }),
        ...(section !== undefined && { section }),
      },
    }),
    ...form,
  };
}

function checkForms(c: Compilation, source: Holey<RuleSource>, place: Place): void {
  const [first, second] = ruleForms.filter((form) => written(source, form));
  if (first === undefined) {
    c.problems.atKey(place, `the rule demands nothing; expected one of ${ruleForms.join(", ")}`);
  } else if (second !== undefined) {
    c.problems.atKey(inside(place, second), `a rule has one form; ${second} stands beside ${first}`);
  }
  if (first !== "never_disclose" || second !== undefined) return;
  for (const key of ["on", "when"] as const) {
    if (source[key] === undefined) continue;
    c.problems.atKey(
      inside(place, key),
      `${key} is about calls; never_disclose is about what the agent says`,
    );
  }
}

function guardedTools(c: Compilation, source: Holey<RuleSource>, place: Place): ToolInfo[] {
  if (!written(source, "on")) return [...c.tools.values()];
  return eachOf(source.on).flatMap(
    ({ value, path }) => findTool(c, value, inside(place, "on", ...path)) ?? [],
  );
}

/**
 * A rule with `on` may name arguments that all its tools have. One without is about every tool, and may name the
 * arguments that any of them has.
 */
function ruleContext(c: Compilation, tools: readonly ToolInfo[], listed: boolean): RuleContext {
  const subjects = listed ? tools.map(toolSubject) : [everyTool(tools)];
  const complete = c.complete.tools && tools.every((tool) => tool.complete);
  const variants = conflicting(tools) ? tools.map((tool) => tool.params) : [commonParams(tools)];
  const cel = variants.map((params) => ({ kind: "rule" as const, params }));
  return { subjects, scope: { subjects, none: "", cel, complete } };
}

function everyTool(tools: readonly ToolInfo[]): Subject {
  const tree = emptyTree();
  for (const tool of tools) mergeTree(tree, tool.args);
  return { tree, what: "argument", name: "any tool" };
}

/** Whether tools give one argument different types: then an expression is checked for each tool by itself. */
function conflicting(tools: readonly ToolInfo[]): boolean {
  const types = new Map<string, string>();
  return tools.some((tool) =>
    tool.params.some(({ name, type }) => {
      const known = types.get(name) ?? type;
      types.set(name, known);
      return known !== type;
    }),
  );
}

/** Parameters by name; one that some tool lacks is optional there. */
function commonParams(tools: readonly ToolInfo[]): NamedParam[] {
  const byName = new Map<string, NamedParam>();
  for (const tool of tools)
    for (const param of tool.params) if (!byName.has(param.name)) byName.set(param.name, param);
  return [...byName.values()].map((param) => {
    const everywhere = tools.every((tool) => tool.params.some((other) => other.name === param.name));
    return everywhere ? param : { ...param, optional: true };
  });
}
