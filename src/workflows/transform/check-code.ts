import { boundIn, isGlobal } from "./bindings.ts";
import type { FileOutline, TopFunction } from "./file-outline.ts";
import { directiveOf, nameOf, nodeOf, nodesOf, type SyntaxNode, walk } from "./syntax.ts";

/** What cannot be in a workflow's body, by how it is written, with what to do instead. */
const forbidden: { [written: string]: string } = {
  "Date.now": "reads the clock",
  "performance.now": "reads the clock",
  "performance.timeOrigin": "reads the clock",
  "Math.random": "is random",
  "crypto.randomUUID": "is random",
  "crypto.getRandomValues": "is random",
  fetch: "talks to the world",
  WebSocket: "talks to the world",
  EventSource: "talks to the world",
  caches: "talks to the world",
  setTimeout: "is a timer that a restart forgets (use sleep())",
  setInterval: "is a timer that a restart forgets (use sleep())",
  setImmediate: "is a timer that a restart forgets",
  "scheduler.wait": "is a timer that a restart forgets (use sleep())",
  "process.env": "reads the surroundings, which another deployment can change",
};

/** What authors import that works in a step alone, and in a body alone. */
const stepOnly = new Set(["callDeepAgent", "streamDeepAgent", "getWritable", "progress", "getStepMetadata"]);
const bodyOnly = new Set(["requestApproval", "sleep", "createHook", "startAndWait"]);

type Report = (node: SyntaxNode, message: string) => void;

/**
 * Reports what cannot be in the body of a workflow: the body is played again after every wait and restart, and must do
 * the same each time. The file's own functions that the body uses and that are no steps are part of it.
 */
export function checkBody(
  body: TopFunction,
  program: SyntaxNode,
  { functions, imports }: FileOutline,
  isAuthoring: (source: string) => boolean,
  report: Report,
): void {
  const helpers = new Map(functions.map((one) => [one.name, one]));
  const seen = new Set<string>();
  const open = [body];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (seen.has(part.name)) continue;
    seen.add(part.name);
    const where =
      part === body
        ? `the body of ${body.name}`
        : `${part.name}(), which the body of ${body.name} calls and which is part of it`;
    walk(
      part.fn,
      (node, above) => {
        const written = writtenAs(node, above);
        if (written !== null) {
          const why = forbiddenFor(node, written);
          if (why !== null) {
            report(
              node,
              `${why.shown} ${why.reason}, and ${where} is played again after each wait: call it in a function that begins with 'use step'`,
            );
            return false;
          }
        }
        const name = referenceTo(node, above);
        if (name === null) return true;
        const authored = authoredName(name, above, imports, isAuthoring);
        if (authored !== null && stepOnly.has(authored)) {
          report(
            node,
            `${authored}() works in a step, not in ${where}: call it in a function that begins with 'use step'`,
          );
        }
        const helper = helpers.get(name);
        const directive = helper === undefined ? null : directiveOf(helper.fn);
        if (helper !== undefined && directive?.text !== "use step") open.push(helper);
        return true;
      },
      [program],
    );
  }
}

/** Reports what cannot be in a step: what only the body of a workflow can do. */
export function checkStep(
  step: TopFunction,
  program: SyntaxNode,
  { imports }: FileOutline,
  isAuthoring: (source: string) => boolean,
  report: Report,
): void {
  walk(
    step.fn,
    (node, above) => {
      const name = referenceTo(node, above);
      const authored = name === null ? null : authoredName(name, above, imports, isAuthoring);
      if (authored !== null && bodyOnly.has(authored)) {
        report(node, `${authored}() works in the body of a workflow, not in the step ${step.name}`);
      }
      return true;
    },
    [program],
  );
}

/** What of the authoring module a reference means, also as a member of the whole; `null`: nothing of it. */
function authoredName(
  name: string,
  above: readonly SyntaxNode[],
  imports: FileOutline["imports"],
  isAuthoring: (source: string) => boolean,
): string | null {
  const imported = imports.get(name);
  if (imported === undefined || !isAuthoring(imported.source)) return null;
  if (imported.name !== "*") return imported.name;
  const parent = above.at(-1);
  return parent?.type === "MemberExpression" ? propertyName(parent) : null;
}

function forbiddenFor(node: SyntaxNode, written: string): { shown: string; reason: string } | null {
  if (written === "Date") {
    if (node.type === "NewExpression" && nodesOf(node, "arguments").length === 0)
      return { shown: "new Date()", reason: "reads the clock" };
    return node.type === "CallExpression" ? { shown: "Date()", reason: "reads the clock" } : null;
  }
  const reason = Object.hasOwn(forbidden, written) ? forbidden[written] : undefined;
  return reason === undefined ? null : { shown: written, reason };
}

/** `Math.random`, `fetch`, `Date` of a call or `new`: how a global is written; `null` for anything that is none. */
function writtenAs(node: SyntaxNode, above: readonly SyntaxNode[]): string | null {
  if (node.type === "CallExpression" || node.type === "NewExpression") {
    const callee = nodeOf(node, "callee");
    const name = globalName(callee, [...above, node]);
    return name === "Date" ? name : null;
  }
  if (node.type === "MemberExpression") {
    const object = globalName(nodeOf(node, "object"), [...above, node]);
    const property = propertyName(node);
    if (object === null || property === null) return null;
    if (object === "globalThis" || object === "self") return property;
    return `${object}.${property}`;
  }
  return referenceTo(node, above) === null ? null : globalName(node, above);
}

/** The global a node stands for, also through `globalThis`. */
function globalName(node: SyntaxNode | null, above: readonly SyntaxNode[]): string | null {
  if (node === null) return null;
  const name = nameOf(node);
  if (name !== null) return isGlobal(name, above) ? name : null;
  if (node.type !== "MemberExpression") return null;
  const object = nameOf(nodeOf(node, "object"));
  const isRoot = object === "globalThis" || object === "self";
  return isRoot && isGlobal(object, above) ? propertyName(node) : null;
}

function propertyName(member: SyntaxNode): string | null {
  const property = nodeOf(member, "property");
  if (member.computed === true)
    return property?.type === "Literal" && typeof property.value === "string" ? property.value : null;
  return nameOf(property);
}

/** The name a node refers to a value by, when it is no property, key or declaration and no function of its own binds it. */
function referenceTo(node: SyntaxNode, above: readonly SyntaxNode[]): string | null {
  const name = nameOf(node);
  const parent = above.at(-1);
  if (name === null || parent === undefined) return null;
  if (parent.type === "MemberExpression" && parent.property === node && parent.computed !== true) return null;
  if (parent.type === "Property" && parent.key === node && parent.value !== node && parent.computed !== true)
    return null;
  if (parent.type === "VariableDeclarator" && parent.id === node) return null;
  if (parent.type === "LabeledStatement" || parent.type === "BreakStatement") return null;
  const inner = above.filter(({ type }) => type !== "Program" && type !== "BlockStatement");
  return inner.some((scope) => /Function/.test(scope.type) && boundIn(scope).has(name)) ? null : name;
}
