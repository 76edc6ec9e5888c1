import type { BrainReply } from "../../../../src/table/brains/brain.ts";
import type { TableColumn, TableContract } from "../../../../src/table/protocol/contract.ts";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";

/** What a reply does that its contract does not permit; empty when it stays within it. */
export function trespasses(contract: TableContract, reply: BrainReply): string[] {
  const offered = new Set(contract.capabilities.map(({ key }) => key));
  const faults: string[] = [];
  if (reply.calls.length > 32) faults.push(`${reply.calls.length} calls`);
  if (reply.calls.filter(({ name }) => name === "read").length > 16) faults.push("too many reads");
  if (reply.ask !== undefined && (reply.ask.question === "" || !reply.ask.options?.length))
    faults.push("empty question");
  for (const { name, args } of reply.calls) {
    const key = name === "read" ? "rows.read" : name;
    if (name !== "describe" && !offered.has(key)) faults.push(`${name} is not offered`);
    faults.push(...argFaults(contract, name, args).map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

function argFaults(contract: TableContract, name: string, args: JsonObject): string[] {
  const { policy, limits } = contract;
  const writes = /^(?:edit\.|rows\.(?:add|delete|reorder)|rowAction\.|bulkAction\.)/.test(name);
  if (writes && policy.write === "deny") return ["writes are denied"];
  if (name.startsWith("rows.") && name !== "rows.read" && policy.commit === "stage")
    return ["cannot be staged"];
  const column = (id: Json | undefined, may: (column: TableColumn) => boolean) => {
    const found = contract.columns.find((one) => one.id === id);
    return found !== undefined && may(found) ? [] : [`column ${JSON.stringify(id)}`];
  };
  const list = (value: Json | undefined) => (Array.isArray(value) ? value : []);
  switch (name) {
    case "view.setFilters":
      return bagFaults(contract, object(args.filters));
    case "view.setSort":
      return args.key === null ? [] : column(args.key, ({ sortable, readable }) => sortable && readable);
    case "view.setGroupBy":
      return args.key === null ? [] : column(args.key, ({ readable }) => readable);
    case "view.hideColumn":
    case "view.pinColumn":
      return column(args.key, ({ readable }) => readable);
    case "view.setColumnOrder":
      return column(args.key, () => true);
    case "view.setPage":
      return Number.isInteger(args.page) && Number(args.page) > 0 && Number(args.limit ?? 1) <= limits.pageMax
        ? []
        : ["page"];
    case "view.setAggregations":
      return Object.entries(object(args.set)).flatMap(([id, op]) => {
        const operations = contract.aggregations?.columns.find((one) => one.id === id)?.operations ?? [];
        return operations.some((one) => one.id === op) ? [] : [`aggregation ${id} ${JSON.stringify(op)}`];
      });
    case "edit.cells":
      return list(args.edits).flatMap((edit) => column(object(edit).column, ({ writable }) => writable));
    case "rows.add":
      return list(args.rows).flatMap((row) =>
        Object.keys(object(row)).flatMap((id) => column(id, ({ writable }) => writable)),
      );
    case "read":
      return [
        ...list(args.columns).flatMap((id) => column(id, ({ readable }) => readable)),
        ...(args.scope === "full" && !contract.source.fullDataset ? ["scope"] : []),
        ...(Number(args.limit) <= Math.max(1, limits.readMax) ? [] : ["limit"]),
      ];
    default:
      return [];
  }
}

function bagFaults({ filters }: TableContract, bag: JsonObject): string[] {
  return Object.entries(bag).flatMap(([key, value]) => {
    const filter = filters.find(({ valueKeys }) => valueKeys.includes(key));
    if (filter === undefined) return [`no filter reads ${key}`];
    if (key === `${filter.key}Op`)
      return filter.operators.includes(String(value)) ? [] : [`operator ${String(value)}`];
    if (key !== filter.key || filter.options === undefined || filter.optionsOmitted) return [];
    const values = Array.isArray(value) ? value : [value];
    return values.every((one) => filter.options?.some((option) => option.value === one))
      ? []
      : [`option ${JSON.stringify(value)}`];
  });
}

function object(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
