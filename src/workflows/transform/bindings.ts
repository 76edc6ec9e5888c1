import { functionTypes, nameOf, nodeOf, nodesOf, type SyntaxNode, walk } from "./syntax.ts";

/** Names that a pattern such as `{ a, b: [c] }` binds. */
export function patternNames(pattern: SyntaxNode | null): { name: string; node: SyntaxNode }[] {
  if (pattern === null) return [];
  switch (pattern.type) {
    case "Identifier":
      return [{ name: nameOf(pattern) ?? "", node: pattern }];
    case "ObjectPattern":
      return nodesOf(pattern, "properties").flatMap((property) =>
        patternNames(nodeOf(property, property.type === "RestElement" ? "argument" : "value")),
      );
    case "ArrayPattern":
      return nodesOf(pattern, "elements").flatMap(patternNames);
    case "AssignmentPattern":
      return patternNames(nodeOf(pattern, "left"));
    case "RestElement":
      return patternNames(nodeOf(pattern, "argument"));
    case "TSParameterProperty":
      return patternNames(nodeOf(pattern, "parameter"));
    default:
      return [];
  }
}

/** Names a function, or a whole file, binds itself: parameters, variables in any block of it, functions, classes, imports. */
export function boundIn(scope: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (found: { name: string }[]) => {
    for (const { name } of found) names.add(name);
  };
  for (const parameter of nodesOf(scope, "params")) add(patternNames(parameter));
  if (scope.type === "FunctionExpression") add(patternNames(nodeOf(scope, "id")));
  walk(scope, (node) => {
    if (node === scope) return true;
    if (node.type === "VariableDeclarator" || node.type === "CatchClause")
      add(patternNames(nodeOf(node, node.type === "CatchClause" ? "param" : "id")));
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration")
      add(patternNames(nodeOf(node, "id")));
    if (node.type.startsWith("Import")) add(patternNames(nodeOf(node, "local")));
    return !functionTypes.has(node.type);
  });
  return names;
}

/** Whether a name means the global of that name, given what is above it. */
export function isGlobal(name: string, above: readonly SyntaxNode[]): boolean {
  return !above.some(
    (scope) => (scope.type === "Program" || functionTypes.has(scope.type)) && boundIn(scope).has(name),
  );
}
