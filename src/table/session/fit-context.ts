import type { ContextOptions } from "../client/session-port.ts";
import type { Capability, ContextSelection, TableColumn, TableContract } from "../protocol/contract.ts";
import { textHash } from "./as-json.ts";
import { offeredBy } from "./capabilities/catalogue.ts";
import type { CapabilityDefinition } from "./capability.ts";
import { buildContract } from "./contract.ts";
import type { LiveTable } from "./live-table.ts";
import { publishedView } from "./view.ts";
import { maxTold } from "./words.ts";

const compactBudget = 1_000;
/** Bytes of guides no profile sends more of. */
const maxGuideBytes = 128_000;

/** What nearly every turn needs explained. */
const common = [
  "view.setFilters",
  "view.setSort",
  "view.setSearch",
  "view.setPage",
  "rows.read",
  "view.setGroupBy",
  "view.setAggregations",
];

/** A key of `include` is not offered, or what must travel is larger than an explicit budget. */
export class ContextError extends Error {
  override readonly name: "ContextBudgetError" | "IncludeUnavailableError";
  readonly code: "budget-impossible" | "include-unavailable";

  constructor(code: "budget-impossible" | "include-unavailable", message: string) {
    super(message);
    this.code = code;
    this.name = code === "budget-impossible" ? "ContextBudgetError" : "IncludeUnavailableError";
  }
}

/**
 * The contract with the guides that a profile selects. The budget counts what explains: guides and columns'
 * descriptions and examples; keys, summaries and bare columns always travel.
 */
export function fitContext(
  table: LiveTable,
  revision: number,
  options: ContextOptions = {},
): { contract: TableContract; selection: ContextSelection } {
  const profile = options.profile ?? "full";
  const definitions = offeredBy(table);
  const offered = new Set(definitions.map((definition) => definition.key));
  const include = options.include ?? [];
  const missing = include.find((key) => !offered.has(key));
  if (missing !== undefined)
    throw new ContextError("include-unavailable", `"${missing}" is not offered here`);

  const tokens =
    options.estimateTokens ?? table.options.estimateTokens ?? ((text) => Math.ceil(text.length / 4));
  const budget = profile === "full" ? Number.POSITIVE_INFINITY : (options.tokenBudget ?? compactBudget);
  const must = new Set([...include, ...(options.asked ?? []), ...common]);
  const bill = new Bill(table, tokens, budget);

  const ranked = rank(definitions, must, options.priority ?? []);
  for (const definition of ranked) bill.offer(definition, must.has(definition.key));
  if (options.tokenBudget !== undefined && profile === "compact" && bill.spent > budget) {
    throw new ContextError(
      "budget-impossible",
      `a budget of ${budget} tokens cannot hold the guides that must travel, ${bill.spent}`,
    );
  }

  const contract = buildContract(table);
  const { columns, bare } = bill.columns(contract.columns);
  const capabilities = contract.capabilities.map((capability) => ({
    ...capability,
    ...bill.guides.get(capability.key),
  }));
  const full = { ...contract, columns, capabilities };
  const contractText = JSON.stringify(full);
  const viewText = JSON.stringify(publishedView(table, revision));
  const selected = contract.capabilities.map(({ key }) => key).filter((key) => bill.guides.has(key));
  const deferred: ContextSelection["deferred"] = [
    ...bill.deferred,
    ...bare.map((key) => ({ key, reason: "budget" as const, kind: "column" as const })),
  ];
  return {
    contract: full,
    selection: {
      profile,
      version: textHash(JSON.stringify([profile, contract.version, selected, bare])),
      selected,
      deferred,
      ...(bare.length === 0 ? {} : { deferredColumns: bare }),
      contractBytes: bytesOf(contractText),
      viewBytes: bytesOf(viewText),
      estimatedTokens: tokens(contractText) + tokens(viewText),
      estimated: options.estimateTokens === undefined && table.options.estimateTokens === undefined,
    },
  };
}

/** What must travel first, then the host's priorities, then the order of keys. */
function rank(
  definitions: CapabilityDefinition[],
  must: Set<string>,
  priority: string[],
): CapabilityDefinition[] {
  const place = ({ key }: CapabilityDefinition): number => {
    if (must.has(key)) return -1;
    const at = priority.indexOf(key);
    return at === -1 ? priority.length : at;
  };
  return [...definitions].sort((a, b) => place(a) - place(b));
}

/** Adds up what is sent of explanations. */
class Bill {
  readonly guides = new Map<string, Pick<Capability, "guide" | "input" | "output">>();
  readonly deferred: ContextSelection["deferred"] = [];
  spent = 0;
  private bytes = 0;
  private readonly table: LiveTable;
  private readonly tokens: (text: string) => number;
  private readonly budget: number;

  constructor(table: LiveTable, tokens: (text: string) => number, budget: number) {
    this.table = table;
    this.tokens = tokens;
    this.budget = budget;
  }

  offer(definition: CapabilityDefinition, must: boolean): void {
    const { table } = this;
    const narrow = table.columns.length <= maxTold;
    const guide = {
      guide: definition.guide(table),
      input: definition.input(table, narrow),
      output: definition.output,
    };
    const text = JSON.stringify(guide);
    const [cost, bytes] = [this.tokens(text), bytesOf(text)];
    if (this.bytes + bytes > maxGuideBytes) {
      this.deferred.push({ key: definition.key, reason: "hard-limit", kind: "guide" });
    } else if (!must && this.spent + cost > this.budget) {
      this.deferred.push({ key: definition.key, reason: "budget", kind: "guide" });
    } else {
      this.guides.set(definition.key, guide);
      this.spent += cost;
      this.bytes += bytes;
    }
  }

  /** Columns with their explanations while the budget lasts: visible ones first, then writable ones, then the rest. */
  columns(columns: TableColumn[]): { columns: TableColumn[]; bare: string[] } {
    const place = (column: TableColumn) => (column.visible === true ? 0 : column.writable ? 1 : 2);
    const bare = new Set<string>();
    let full = false;
    for (const column of [...columns].sort((a, b) => place(a) - place(b))) {
      const { description, examples } = column;
      if (description === undefined && examples === undefined) continue;
      const cost = this.tokens(JSON.stringify([description, examples]));
      full ||= this.spent + cost > this.budget;
      if (full) bare.add(column.id);
      else this.spent += cost;
    }
    return {
      columns: columns.map((column) => {
        if (!bare.has(column.id)) return column;
        const { description, examples, sampled, ...rest } = column;
        return rest;
      }),
      bare: columns.map((column) => column.id).filter((id) => bare.has(id)),
    };
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
