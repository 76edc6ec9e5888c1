/** A node of the syntax tree, as ESTree with TypeScript has it. */
export interface SyntaxNode {
  type: string;
  /** Place in the source, characters. */
  start: number;
  end: number;
  [member: string]: unknown;
}

/** Parses TypeScript to a `Program`. Throws an error with `pos` for what is none. */
export type Parse = (source: string) => SyntaxNode;

/** A function in any spelling. */
export const functionTypes: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** A member that is one node. */
export function nodeOf(node: SyntaxNode, member: string): SyntaxNode | null {
  const value = node[member];
  return isNode(value) ? value : null;
}

/** A member that is a list of nodes. */
export function nodesOf(node: SyntaxNode, member: string): SyntaxNode[] {
  const value = node[member];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A member that is a text; "" when it is not. */
export function textOf(node: SyntaxNode | null, member: string): string {
  const value = node?.[member];
  return typeof value === "string" ? value : "";
}

/** The name of an identifier, `null` for anything else. */
export function nameOf(node: SyntaxNode | null): string | null {
  return node?.type === "Identifier" ? textOf(node, "name") : null;
}

/** The nodes directly below one, types left out: they are gone when the code runs. */
function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([member, value]) => {
    if (member === "typeAnnotation" || member === "returnType" || member === "typeParameters") return [];
    if (member === "typeArguments" || member === "superTypeArguments" || member === "implements") return [];
    const found = Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
    return found.filter(({ type }) => type !== "TSInterfaceDeclaration" && type !== "TSTypeAliasDeclaration");
  });
}

/** Visits a node and all below it with the nodes above it, outermost first; `false` leaves out what is below. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, above: readonly SyntaxNode[]) => boolean | undefined,
  above: readonly SyntaxNode[] = [],
): void {
  if (visit(node, above) === false) return;
  for (const child of childrenOf(node)) walk(child, visit, [...above, node]);
}

/** The directive a function begins with, and where it stands; `null` when it begins with none. */
export function directiveOf(fn: SyntaxNode): { text: string; node: SyntaxNode } | null {
  const body = nodeOf(fn, "body");
  const first = body === null ? undefined : nodesOf(body, "body")[0];
  if (body?.type !== "BlockStatement" || first?.type !== "ExpressionStatement") return null;
  const expression = nodeOf(first, "expression");
  if (expression?.type !== "Literal" || typeof expression.value !== "string") return null;
  return { text: expression.value, node: first };
}
