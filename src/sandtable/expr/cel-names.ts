import type { ASTNode } from "@marcbachmann/cel-js";
import type { NamedParam, Param, Table } from "../domain/types.ts";
import { nearest } from "../text/nearest.ts";
import { boundVariable, childrenOf } from "./cel-ast.ts";

/** Where an expression stands, and so what it may name. */
export interface CelScope {
  /** `tool` and `rule`: a call is under way. `caller`: a scripted caller looks at the agent's turn; there is no `args`. */
  kind: "tool" | "rule" | "caller";
  /** Parameters of the tool, or of all tools a rule guards. */
  params: NamedParam[];
  tables: Pick<Table, "name" | "fields">[];
  /** `bool` for conditions: rule checks, guards, a caller's `cel`. Default `any`. */
  expects?: "bool" | "any";
}

/** One thing wrong with an expression, thrown to where it is reported. */
export class Problem extends Error {
  readonly offset: number;
  readonly suggestion: string | undefined;

  constructor(message: string, offset: number, suggestion?: string) {
    super(message);
    this.offset = offset;
    this.suggestion = suggestion;
  }
}

/** A name nothing has, with the nearest that there is. */
export function unknownName(what: string, name: string, offset: number, known: Iterable<string>): Problem {
  return new Problem(`unknown ${what} "${name}"`, offset, nearest(name, known));
}

/** What is known of a part's value: arguments with declared properties, an object with these fields, a list. */
type Shape =
  | { kind: "params"; params: NamedParam[] }
  | { kind: "fields"; of: string; names: string[] }
  | { kind: "list"; of: Shape | undefined };

const callFields: Shape = {
  kind: "fields",
  of: "a call",
  names: ["tool", "args", "ok", "result", "error", "turn"],
};
const messageFields: Shape = { kind: "fields", of: "a message", names: ["role", "text", "turn", "act"] };

/** Checks the names an expression uses: arguments, tables and fields. Throws Problem. */
export class NameCheck {
  private readonly scope: CelScope;

  constructor(scope: CelScope) {
    this.scope = scope;
  }

  /** Checks a part and all inside it; `bound` holds the variables of comprehensions around it. */
  shapeOf(node: ASTNode, bound: Map<string, Shape | undefined>): Shape | undefined {
    switch (node.op) {
      case "id":
        return bound.has(node.args) ? bound.get(node.args) : this.variable(node.args);
      case ".":
      case ".?":
        return this.member(this.shapeOf(node.args[0], bound), node.args[1], node.pos);
      case "[]":
      case "[?]": {
        const [of, index] = node.args;
        const shape = this.shapeOf(of, bound);
        this.shapeOf(index, bound);
        if (shape?.kind === "list") return shape.of;
        return index.op === "value" && typeof index.args === "string"
          ? this.member(shape, index.args, index.start)
          : undefined;
      }
      case "call": {
        const [name, args] = node.args;
        for (const arg of args) this.shapeOf(arg, bound);
        if (name !== "row" && name !== "rows" && name !== "has_row") return undefined;
        const row = this.tableRow(args[0]);
        if (name === "rows") return { kind: "list", of: row };
        return name === "row" ? row : undefined;
      }
      case "rcall":
        return this.method(node.args[0], node.args[1], node.args[2], boundVariable(node), bound);
      default:
        for (const child of childrenOf(node)) this.shapeOf(child, bound);
        return undefined;
    }
  }

  private method(
    name: string,
    receiver: ASTNode,
    args: ASTNode[],
    variable: string | null,
    bound: Map<string, Shape | undefined>,
  ): Shape | undefined {
    const shape = this.shapeOf(receiver, bound);
    if (variable === null) {
      for (const arg of args) this.shapeOf(arg, bound);
      return undefined;
    }
    const inside = new Map(bound).set(variable, shape?.kind === "list" ? shape.of : undefined);
    const results = args.slice(1).map((arg) => this.shapeOf(arg, inside));
    if (name === "filter") return shape;
    return name === "map" ? { kind: "list", of: results.at(-1) } : undefined;
  }

  private variable(name: string): Shape | undefined {
    if (name === "calls") return { kind: "list", of: callFields };
    if (name === "messages") return { kind: "list", of: messageFields };
    return name === "args" && this.scope.kind !== "caller"
      ? { kind: "params", params: this.scope.params }
      : undefined;
  }

  private member(shape: Shape | undefined, name: string, offset: number): Shape | undefined {
    if (shape?.kind === "params") {
      const param = shape.params.find((one) => one.name === name);
      if (param !== undefined) return shapeOfParam(param);
      throw unknownName(
        "argument",
        name,
        offset,
        shape.params.map((one) => one.name),
      );
    }
    if (shape?.kind === "fields" && !shape.names.includes(name)) {
      throw new Problem(`${shape.of} has no field "${name}"`, offset, nearest(name, shape.names));
    }
    return undefined;
  }

  private tableRow(name: ASTNode | undefined): Shape | undefined {
    if (name?.op !== "value" || typeof name.args !== "string") return undefined;
    const table = this.scope.tables.find((one) => one.name === name.args);
    if (table !== undefined) return { kind: "fields", of: `table ${table.name}`, names: table.fields };
    throw unknownName(
      "table",
      name.args,
      name.start,
      this.scope.tables.map((one) => one.name),
    );
  }
}

function shapeOfParam(param: Param): Shape | undefined {
  if (param.type === "object" && param.properties !== undefined)
    return { kind: "params", params: param.properties };
  if (param.type === "list")
    return { kind: "list", of: param.items === undefined ? undefined : shapeOfParam(param.items) };
  return undefined;
}
