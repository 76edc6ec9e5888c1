import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Json, JsonObject } from "../../turn/json.ts";
import { keyText, type SourceDocument } from "./place.ts";
import type { ProblemList } from "./problem-list.ts";
import { explainSyntax } from "./yaml-syntax.ts";

/** Characters of one YAML file. Larger tables belong in a `rows_from` file, which is read far faster. */
const maxYamlLength = 2 * 1024 * 1024;
/** Collections inside collections. The YAML composer recurses, so this is checked before it runs. */
const maxDepth = 64;
/** Values that aliases may add to a file, against documents that grow exponentially when expanded. */
const maxAliasedValues = 20_000;
/** Syntax errors follow from one another; later ones of a file mislead. */
const shownSyntaxErrors = 5;

/**
 * Reads one YAML 1.2 document as plain JSON, keeping positions. Reports duplicate keys, numbers JSON cannot carry,
 * unknown tags and `__proto__` as problems. `null` when the text is too large, too deep or no YAML at all:
 * then nothing is known about its contents.
 */
export function readYaml(file: string, text: string, problems: ProblemList): SourceDocument | null {
  if (text.length > maxYamlLength) {
    problems.inFile(file, 1, 1, `the file has ${text.length} characters; expected at most ${maxYamlLength}`);
    return null;
  }
  const lines = new LineCounter();
  const shell: SourceDocument = {
    file,
    text,
    lines,
    root: null,
    anchors: new Map(),
    pairs: new Map(),
    value: null,
  };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tooDeep(tokens);
  if (deep !== undefined) {
    problems.atOffset(shell, deep, `nested too deep; expected at most ${maxDepth} levels`);
    return null;
  }
  // `uniqueKeys` compares every pair of keys; the reader below finds duplicates in one pass.
  const composer = new Composer({
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    resolveKnownTags: false,
    logLevel: "silent",
  });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) return shell;
  if (!reportSyntax(shell, tokens, document, second, problems)) return null;
  const reader = new NodeReader(shell, problems);
  return { ...shell, root: document.contents, value: reader.read(document.contents) };
}

type Composed = Document.Parsed<ParsedNode>;

function reportSyntax(
  shell: SourceDocument,
  tokens: CST.Token[],
  document: Composed,
  second: Composed | undefined,
  problems: ProblemList,
): boolean {
  for (const error of document.errors.slice(0, shownSyntaxErrors)) {
    const { offset, message } = explainSyntax(error, tokens, shell.text, shell.lines);
    problems.atOffset(shell, offset, `not valid YAML: ${message}`);
  }
  for (const { pos } of document.warnings) {
    const tag = shell.text.slice(pos[0]).match(/^\S*/)?.[0];
    problems.atOffset(shell, pos[0], `the tag ${tag} means nothing here; expected a plain value`);
  }
  if (document.directives.yaml.explicit && document.directives.yaml.version !== "1.2") {
    problems.atOffset(shell, 0, "expected YAML 1.2; remove the %YAML line");
  }
  if (second !== undefined) {
    problems.atOffset(shell, second.range[0], "a second document begins here; expected one document a file");
  }
  return document.errors.length === 0;
}

/** Offset of the first thing nested too deep. Works on tokens, with its own stack. */
function tooDeep(tokens: CST.Token[]): number | undefined {
  const stack: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return token.offset;
    if (token.type === "document" && token.value) stack.push({ token: token.value, depth });
    if (!("items" in token)) continue;
    for (const item of token.items) {
      if (item.key) stack.push({ token: item.key, depth: depth + 1 });
      if (item.value) stack.push({ token: item.value, depth: depth + 1 });
    }
  }
  return undefined;
}

/** Turns nodes into plain JSON, reporting what JSON cannot say. */
class NodeReader {
  readonly #document: SourceDocument;
  readonly #problems: ProblemList;
  /** Aliased nodes being read, to notice one that contains itself. */
  readonly #open = new Set<Node>();
  #aliasedValues = 0;
  #depth = 0;

  constructor(document: SourceDocument, problems: ProblemList) {
    this.#document = document;
    this.#problems = problems;
  }

  read(node: unknown): Json {
    if (isAlias(node)) return this.#alias(node.source, node.range?.[0] ?? 0);
    if (this.#open.size > 0) this.#aliasedValues++;
    if (isScalar(node)) return this.#scalar(node);
    return isMap(node) || isSeq(node) ? this.#collection(node) : null;
  }

  /** Aliases can nest deeper than the text does, so depth is counted again here. */
  #collection(node: YAMLMap | YAMLSeq): Json {
    if (node.anchor !== undefined) this.#document.anchors.set(node.anchor, node);
    if (this.#depth >= maxDepth) {
      this.#report(node.range?.[0] ?? 0, `nested too deep; expected at most ${maxDepth} levels`);
      return null;
    }
    this.#depth++;
    const value = isMap(node) ? this.#mapping(node) : node.items.map((item) => this.read(item));
    this.#depth--;
    return value;
  }

  #mapping(node: YAMLMap): JsonObject {
    const entries = new Map<string, Json>();
    for (const { key, value } of node.items) {
      const name = keyText(key);
      const offset =
        (isScalar(key) || isMap(key) || isSeq(key) || isAlias(key) ? key.range?.[0] : undefined) ?? 0;
      if (name === undefined) {
        this.#report(offset, "expected a string as key");
      } else if (name === "__proto__") {
        this.#report(offset, 'the key "__proto__" is not allowed');
      } else {
        if (entries.has(name)) this.#report(offset, `duplicate key "${name}"`);
        entries.set(name, this.read(value));
      }
    }
    return Object.fromEntries(entries);
  }

  #scalar(node: Scalar): Json {
    const { value, source, anchor } = node;
    if (anchor !== undefined) this.#document.anchors.set(anchor, node);
    if (typeof value === "number") {
      const exact = Number.isSafeInteger(value) || !Number.isInteger(value) || /[.eE]/.test(source ?? "");
      if (Number.isFinite(value) && exact) return value;
      this.#report(
        node.range?.[0] ?? 0,
        `${source ?? value} is not a number JSON can carry; put it in quotes`,
      );
      return null;
    }
    return typeof value === "string" || typeof value === "boolean" ? value : null;
  }

  #alias(name: string, offset: number): Json {
    const node = this.#document.anchors.get(name);
    if (node === undefined) {
      this.#report(offset, `nothing above is anchored as &${name}`);
      return null;
    }
    if (this.#open.has(node)) {
      this.#report(offset, `*${name} stands inside its own anchor`);
      return null;
    }
    if (this.#aliasedValues > maxAliasedValues) {
      this.#report(
        offset,
        `aliases repeat too much; expected at most ${maxAliasedValues} values from aliases`,
      );
      return null;
    }
    this.#open.add(node);
    const value = this.read(node);
    this.#open.delete(node);
    return value;
  }

  #report(offset: number, message: string): void {
    this.#problems.atOffset(this.#document, offset, message);
  }
}
