import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { boundVariable, childrenOf } from "./cel-ast.ts";

/** Takes what an evaluation does off its budget, in steps of about one node of the expression. Throws when it is used up. */
export interface CelMeter {
  spend(steps: number): void;
}

const through = "_through";
const among = "_among";
const begun = "_begun";
const done = "_done";

/** What an error costs that `all`, `exists`, `||` or `&&` passes over: the engine makes a message with a picture of it. */
const errorSteps = 150;

/**
 * The expression with its loops metered. What a comprehension goes through is paid for before it begins, by the size of
 * what is repeated, and so is the list that `in` searches: within the loop it would be too late, as `all` and `exists`
 * pass over errors and go on. What may fail without ending the loop pays for an error first and gets it back.
 */
export function metered(source: string, ast: ASTNode): string {
  const opening = new Map<number, string>();
  const closing = new Map<number, string>();
  const wrap = ({ start, end }: ASTNode, before: string, after: string): void => {
    opening.set(start, `${opening.get(start) ?? ""}${before}`);
    closing.set(end, `${after}${closing.get(end) ?? ""}`);
  };
  const wrapFallible = (node: ASTNode): void => wrap(node, `${done}(${begun}() && (`, "))");
  const visit = (node: ASTNode, repeated: boolean): void => {
    const isLoop = node.op === "rcall" && boundVariable(node) !== null;
    if (isLoop) {
      const nodes = node.args[2].reduce((sum, part) => sum + countNodes(part), 1);
      wrap(node.args[1], `${through}(`, `, ${nodes})`);
      const predicate = node.args[2][1];
      if ((node.args[0] === "all" || node.args[0] === "exists") && predicate !== undefined)
        wrapFallible(predicate);
    } else if (node.op === "in" && node.args[1].op !== "list") wrap(node.args[1], `${among}(`, ")");
    else if (repeated && (node.op === "||" || node.op === "&&")) wrapFallible(node.args[0]);
    const [first, ...rest] = childrenOf(node);
    if (first !== undefined) visit(first, repeated);
    for (const child of rest) visit(child, repeated || isLoop);
  };
  visit(ast, false);
  let text = "";
  let copied = 0;
  for (const at of [...new Set([...opening.keys(), ...closing.keys()])].sort((a, b) => a - b)) {
    text += source.slice(copied, at) + (closing.get(at) ?? "") + (opening.get(at) ?? "");
    copied = at;
  }
  return text + source.slice(copied);
}

/** Nodes evaluated each time a node is; what a comprehension inside repeats is paid for there. */
function countNodes(node: ASTNode): number {
  const parts = node.op === "rcall" && boundVariable(node) !== null ? [node.args[1]] : childrenOf(node);
  return parts.reduce((nodes, part) => nodes + countNodes(part), 1);
}

/** The functions that `metered` puts into an expression; none that an author can name, as no check knows them. */
export function registerMeter(environment: Environment, meter: CelMeter): void {
  const register = (signature: string, handler: (...args: never[]) => unknown): void => {
    environment.registerFunction(signature, handler, { async: false });
  };
  register(`${through}(dyn, int): dyn`, (collection: unknown, nodes: bigint) => {
    // Before the size is looked up, which takes time too: once nothing is left every loop must end at once.
    meter.spend(0);
    meter.spend(sizeOf(collection) * Number(nodes));
    return collection;
  });
  register(`${among}(dyn): dyn`, (collection: unknown) => {
    if (Array.isArray(collection)) meter.spend(collection.length / 4);
    return collection;
  });
  register(`${begun}(): bool`, () => {
    meter.spend(errorSteps);
    return true;
  });
  register(`${done}(dyn): dyn`, (value: unknown) => {
    meter.spend(-errorSteps);
    return value;
  });
}

function sizeOf(collection: unknown): number {
  if (Array.isArray(collection)) return collection.length;
  if (collection instanceof Map) return collection.size;
  return typeof collection === "object" && collection !== null ? Object.keys(collection).length : 0;
}
