import { patternNames } from "./bindings.ts";
import { functionTypes, nameOf, nodeOf, nodesOf, type SyntaxNode, textOf } from "./syntax.ts";

/** A function at the top level of a file. */
export interface TopFunction {
  name: string;
  fn: SyntaxNode;
  exported: boolean;
}

/** What stands at the top level of a file. */
export interface FileOutline {
  functions: TopFunction[];
  /** Everything that is given a name, functions included, in order. */
  names: { name: string; node: SyntaxNode }[];
  /** Exported values that are not functions, by name. */
  exported: ReadonlyMap<string, SyntaxNode>;
  /** Local name to the module and the name it has there. */
  imports: ReadonlyMap<string, { source: string; name: string }>;
  /** Texts that name modules, where they stand. */
  sources: SyntaxNode[];
}

/** Reads what a file declares at its top level. */
export function outline(program: SyntaxNode): FileOutline {
  const functions: TopFunction[] = [];
  const names: { name: string; node: SyntaxNode }[] = [];
  const exported = new Map<string, SyntaxNode>();
  const imports = new Map<string, { source: string; name: string }>();
  const sources: SyntaxNode[] = [];
  for (const statement of nodesOf(program, "body")) {
    const source = nodeOf(statement, "source");
    if (source !== null) sources.push(source);
    if (statement.type === "ImportDeclaration") {
      for (const specifier of nodesOf(statement, "specifiers")) {
        const local = nodeOf(specifier, "local");
        const name = nameOf(local) ?? "";
        const imported =
          nameOf(nodeOf(specifier, "imported")) ??
          (specifier.type === "ImportNamespaceSpecifier" ? "*" : "default");
        imports.set(name, { source: textOf(source, "value"), name: imported });
        names.push({ name, node: local ?? specifier });
      }
      continue;
    }
    const isExport = statement.type === "ExportNamedDeclaration";
    const declaration = isExport ? nodeOf(statement, "declaration") : statement;
    if (declaration === null) continue;
    if (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") {
      const id = nodeOf(declaration, "id");
      // A body: TypeScript's overloads have none, and share the name.
      if (nodeOf(declaration, "body") === null) continue;
      const name = nameOf(id) ?? "";
      names.push({ name, node: id ?? declaration });
      if (declaration.type === "FunctionDeclaration")
        functions.push({ name, fn: declaration, exported: isExport });
    }
    if (declaration.type !== "VariableDeclaration") continue;
    for (const declarator of nodesOf(declaration, "declarations")) {
      names.push(...patternNames(nodeOf(declarator, "id")));
      const name = nameOf(nodeOf(declarator, "id"));
      const init = nodeOf(declarator, "init");
      if (name === null || init === null) continue;
      if (functionTypes.has(init.type)) functions.push({ name, fn: init, exported: isExport });
      else if (isExport) exported.set(name, init);
    }
  }
  return { functions, names, exported, imports, sources };
}
