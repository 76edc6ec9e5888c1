import { checkCron } from "../runtime/cron.ts";
import { checkBody, checkStep } from "./check-code.ts";
import { type FileOutline, outline, type TopFunction } from "./file-outline.ts";
import { type Problem, placeIn } from "./problem.ts";
import {
  directiveOf,
  functionTypes,
  nameOf,
  nodeOf,
  nodesOf,
  type Parse,
  type SyntaxNode,
  textOf,
  walk,
} from "./syntax.ts";

/** A workflow's file made ready to run. */
export interface CompiledWorkflow {
  name: string;
  /** The exported function that is its body. */
  functionName: string;
  /** Which of what a workflow may declare its file does. */
  options: string[];
  code: string;
}

/** What a file may declare beside its function. */
const optionNames = ["inputSchema", "outputSchema", "schedules", "executionMode"];

/** Names under which authors may import what workflows are written with, and where that is. */
const aliases: { [source: string]: string } = {
  "greenroom/workflow": "../authoring/index.ts",
  "@stackbone/sdk/workflow": "../authoring/index.ts",
  "@stackbone/sdk": "zod",
};

/**
 * Compiles `<name>.workflow.ts`: functions that begin with `'use step'` are wrapped so that their result is kept, the
 * rest stays as it is. The result lies one folder below the file. What cannot work is a problem with its place.
 */
export function compileWorkflow(
  file: string,
  source: string,
  parse: Parse,
): { ok: true; workflow: CompiledWorkflow } | { ok: false; problems: Problem[] } {
  const problems: Problem[] = [];
  const at = (place: number, message: string) => {
    problems.push({ file, ...placeIn(source, place), message });
  };
  const report = (node: SyntaxNode, message: string) => at(node.start, message);
  const base = (file.split("/").at(-1) ?? file).replace(/\.workflow\.ts$/, "");
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(base)) {
    at(0, `"${base}": the file's name is the workflow's, in small letters, digits and "-"`);
    return { ok: false, problems };
  }
  let program: SyntaxNode;
  try {
    program = parse(source);
  } catch (error) {
    at(positionOf(error), firstLine(error));
    return { ok: false, problems };
  }
  const outlined = outline(program);
  reportTwins(outlined, source, report);
  const functionName = `${base.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Workflow`;
  const bodies = outlined.functions.filter(({ fn }) => directiveOf(fn)?.text === "use workflow");
  const steps = outlined.functions.filter(({ fn }) => directiveOf(fn)?.text === "use step");
  reportDirectives(program, new Set([...bodies, ...steps].map(({ fn }) => fn)), report);
  for (const one of [...bodies, ...steps]) reportKind(one, report);
  const body = bodies.find(({ name, exported }) => name === functionName && exported);
  if (body === undefined) reportMissing(functionName, bodies, outlined, report, at);
  for (const other of bodies) {
    if (other.name !== functionName && body !== undefined)
      report(other.fn, `the workflow of this file is ${functionName}; give ${other.name} a file of its own`);
  }
  const isAuthoring = (imported: string) =>
    Object.hasOwn(aliases, imported) || /(^|\/)authoring\/[a-z-]+\.ts$/.test(imported);
  for (const one of bodies) checkBody(one, program, outlined, isAuthoring, report);
  for (const one of steps) checkStep(one, program, outlined, isAuthoring, report);
  reportSchedules(outlined.exported.get("schedules"), report);
  if (problems.length > 0 || body === undefined) {
    return { ok: false, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) };
  }
  const options = optionNames.filter((name) => outlined.exported.has(name));
  return {
    ok: true,
    workflow: { name: base, functionName, options, code: emit(file, source, program, outlined, steps) },
  };
}

function emit(
  file: string,
  source: string,
  program: SyntaxNode,
  { sources }: FileOutline,
  steps: TopFunction[],
): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { name, fn } of steps) {
    const directive = directiveOf(fn);
    const body = nodeOf(fn, "body");
    if (directive === null || body === null) continue;
    const { start, end } = directive.node;
    const text = `const step$: StepFunction$ = ${name}; return runStep$(step$, ${JSON.stringify(name)}, async () => {`;
    edits.push({ start, end, text }, { start: body.end - 1, end: body.end - 1, text: "}); " });
  }
  for (const node of [...sources, ...dynamicSources(program)]) {
    const moved = movedSource(textOf(node, "value"));
    if (moved !== null) edits.push({ start: node.start, end: node.end, text: JSON.stringify(moved) });
  }
  let code = source;
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start || b.end - a.end))
    code = code.slice(0, start) + text + code.slice(end);
  const name = file.split("/").at(-1);
  const runs =
    steps.length > 0
      ? 'import { runStep as runStep$, type StepFunction as StepFunction$ } from "../authoring/step.ts";\n'
      : "";
  return `// Written by scripts/make-workflows.ts from ${name}; run \`npm run generate\` after changing that.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
${runs}${code}`;
}

/** Where a module named in a file is, seen from one folder below; `null`: where it was. */
function movedSource(source: string): string | null {
  if (Object.hasOwn(aliases, source)) return aliases[source] ?? null;
  if (source.startsWith("./")) return `../${source.slice(2)}`;
  return source.startsWith("../") ? `../${source}` : null;
}

function dynamicSources(program: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  walk(program, (node) => {
    const source = node.type === "ImportExpression" ? nodeOf(node, "source") : null;
    if (source?.type === "Literal") found.push(source);
    return true;
  });
  return found;
}

function reportTwins(
  { names }: FileOutline,
  source: string,
  report: (node: SyntaxNode, message: string) => void,
): void {
  const first = new Map<string, SyntaxNode>();
  for (const { name, node } of names) {
    const before = first.get(name);
    if (before === undefined) first.set(name, node);
    else
      report(
        node,
        `the name ${name} is used twice; line ${placeIn(source, before.start).line} has it already`,
      );
  }
}

/** Directives where they do nothing: silently, a step there would run again and again. */
function reportDirectives(
  program: SyntaxNode,
  known: ReadonlySet<SyntaxNode>,
  report: (node: SyntaxNode, message: string) => void,
): void {
  walk(program, (node, above) => {
    if (functionTypes.has(node.type)) {
      const directive = directiveOf(node);
      if (directive === null || known.has(node)) return true;
      if (directive.text === "use step" || directive.text === "use workflow") {
        const kind = directive.text === "use step" ? "a step" : "a workflow";
        if (above.at(-1)?.type === "ExportDefaultDeclaration") {
          report(node, `${kind} goes by its name: leave out "default"`);
          return true;
        }
        const outer = above.find(({ type }) => functionTypes.has(type));
        const where = outer === undefined ? "in a class or an object" : "inside of another function";
        report(
          directive.node,
          `${kind} cannot be defined ${where}: what it takes from around it is gone when it runs again. Move it to the top level of the file and hand over what it needs`,
        );
      }
      return true;
    }
    if (node.type !== "ExpressionStatement") return true;
    const expression = nodeOf(node, "expression");
    const text = expression?.type === "Literal" ? expression.value : null;
    if (typeof text !== "string" || !/^use\b/i.test(text) || text === "use strict") return true;
    const block = above.at(-1);
    const fn = above.at(-2);
    const begins =
      block?.type === "BlockStatement" &&
      fn !== undefined &&
      functionTypes.has(fn.type) &&
      nodesOf(block, "body")[0] === node;
    if (text !== "use step" && text !== "use workflow")
      report(node, `'${text}' is no directive; there are 'use workflow' and 'use step'`);
    else if (!begins) report(node, `'${text}' must be the first statement of a function`);
    return true;
  });
}

function reportKind({ name, fn }: TopFunction, report: (node: SyntaxNode, message: string) => void): void {
  const what = directiveOf(fn)?.text === "use step" ? "step" : "workflow";
  if (fn.generator === true) report(fn, `the ${what} ${name} cannot be a generator`);
  else if (fn.async !== true) report(fn, `the ${what} ${name} must be async`);
}

function reportMissing(
  functionName: string,
  bodies: TopFunction[],
  { functions }: FileOutline,
  report: (node: SyntaxNode, message: string) => void,
  at: (place: number, message: string) => void,
): void {
  const named = functions.find(({ name }) => name === functionName);
  const [other] = bodies;
  if (named !== undefined && directiveOf(named.fn)?.text !== "use workflow")
    report(named.fn, `${functionName} must begin with 'use workflow'`);
  else if (named !== undefined) report(named.fn, `${functionName} must be exported`);
  else if (other !== undefined)
    report(other.fn, `the workflow of this file must be called ${functionName}; it is called ${other.name}`);
  else at(0, `the file exports no function ${functionName} that begins with 'use workflow'`);
}

/** Cron expressions that are written out are checked here, so that the place is known. */
function reportSchedules(
  schedules: SyntaxNode | undefined,
  report: (node: SyntaxNode, message: string) => void,
): void {
  if (schedules === undefined) return;
  walk(schedules, (node) => {
    const value = nodeOf(node, "value");
    if (node.type !== "Property" || nameOf(nodeOf(node, "key")) !== "cron" || value?.type !== "Literal")
      return true;
    const wrong = checkCron(String(value.value));
    if (wrong !== null) report(value, `the schedule ${JSON.stringify(value.value)} ${wrong}`);
    return true;
  });
}

function positionOf(error: unknown): number {
  return error instanceof Error && "pos" in error && typeof error.pos === "number" ? error.pos : 0;
}

function firstLine(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const line = lines.find((one) => one.trim() !== "" && !/^Parse failed/.test(one)) ?? "cannot be parsed";
  return `is no TypeScript: ${line.trim()}`;
}
