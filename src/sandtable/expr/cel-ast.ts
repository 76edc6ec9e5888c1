import type { ASTNode } from "@marcbachmann/cel-js";

/** The parts directly inside a node. */
export function childrenOf(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    case "!_":
    case "-_":
      return [node.args];
    default:
      return node.args;
  }
}

const comprehensions = new Set(["all", "exists", "exists_one", "filter", "map"]);

/** Whether a node goes through a list or map, and the variable it binds. */
export function boundVariable(node: ASTNode): string | null {
  if (node.op !== "rcall" || !comprehensions.has(node.args[0]) || node.args[2].length < 2) return null;
  const variable = node.args[2][0];
  return variable?.op === "id" ? variable.args : null;
}
