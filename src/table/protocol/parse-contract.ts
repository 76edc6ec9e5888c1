import type { Json, JsonObject } from "../../turn/json.ts";
import type {
  CatalogEntry,
  ContextSelection,
  RowScope,
  TableAggregations,
  TableColumn,
  TableContract,
  TableFilter,
  TableManifest,
  TablePagination,
  TablePolicy,
  TableSource,
  TableView,
} from "./contract.ts";
import { schemaVersion } from "./limits.ts";
import { fault, given, isFilled, isNumber, isObject, strings } from "./shape.ts";

/**
 * What a table says of itself, off the wire. A backend walks these lists and compares these names, so their shape is
 * made certain here: a list that is none, or an entry without its name, is refused with the field's name; what only
 * helps (labels, notes, sizes) gets a plain default. A policy that is missing is the strictest one.
 */

/** `context` of a request. Throws a `TypeError` that names the field. */
export function parseContext(value: JsonObject): { contract: TableContract; selection: ContextSelection } {
  if (!isObject(value.contract)) throw fault("context.contract must be an object");
  return {
    contract: parseContract(value.contract),
    selection: parseSelection(isObject(value.selection) ? value.selection : {}),
  };
}

function parseContract(value: JsonObject): TableContract {
  const where = "context.contract";
  if (!isFilled(value.tableId)) throw fault(`${where}.tableId must be a non-empty string`);
  return {
    tableId: value.tableId,
    version: text(value.version) ?? "",
    capabilities: entries(value.capabilities, `${where}.capabilities`, "key").map(([key, capability]) => ({
      key,
      summary: text(capability.summary) ?? key,
      ...given("summaryShort", text(capability.summaryShort)),
      ...given("guide", text(capability.guide)),
      ...given("input", object(capability.input)),
      ...given("output", object(capability.output)),
    })),
    columns: parseColumns(value.columns, `${where}.columns`),
    filters: entries(value.filters ?? [], `${where}.filters`, "key").map(filter),
    ...given("aggregations", aggregations(value.aggregations)),
    rowAddressing: rowAddressing(value.rowAddressing),
    limits: limits(value.limits),
    policy: policy(value.policy),
    source: source(value.source),
  };
}

/** `manifest` of a request. Throws a `TypeError` that names the field. */
export function parseManifest(value: Json | undefined): TableManifest {
  if (!isObject(value)) throw fault("manifest must be an object");
  if (value.schemaVersion !== schemaVersion) throw fault(`manifest.schemaVersion must be "${schemaVersion}"`);
  if (!isFilled(value.tableId)) throw fault("manifest.tableId must be a non-empty string");
  if (!isNumber(value.viewRevision)) throw fault("manifest.viewRevision must be a finite number");
  if (!Array.isArray(value.capabilities)) throw fault("manifest.capabilities must be an array");
  if (!isObject(value.policy)) throw fault("manifest.policy must be an object");
  return {
    schemaVersion,
    tableId: value.tableId,
    viewRevision: value.viewRevision,
    capabilities: strings(value.capabilities) ?? [],
    columns: parseColumns(value.columns ?? [], "manifest.columns"),
    rowAddressing: rowAddressing(value.rowAddressing),
    ...given("aggregateOperations", aggregateOperations(value.aggregateOperations)),
    ...given("pagination", pagination(value.pagination)),
    limits: limits(value.limits),
    policy: policy(value.policy),
    source: source(value.source),
  };
}

/** `catalog` of a request. Throws a `TypeError` that names the field. */
export function parseCatalog(value: Json | undefined): CatalogEntry[] {
  return entries(value, "catalog", "key").map(([key, { summary, summaryShort, kind, idempotent }]) => ({
    key,
    summary: text(summary) ?? key,
    ...given("summaryShort", text(summaryShort)),
    ...given("kind", isCapabilityKind(kind) ? kind : undefined),
    ...given("idempotent", boolean(idempotent)),
  }));
}

/** `view` of a request: what is missing or of another type gets the protocol's stand-in. */
export function parseView(value: JsonObject): TableView {
  return {
    revision: isNumber(value.revision) ? value.revision : 0,
    page: isNumber(value.page) ? value.page : 1,
    limit: isNumber(value.limit) ? value.limit : 10,
    search: text(value.search) ?? "",
    ...given("sortBy", value.sortBy === null ? null : text(value.sortBy)),
    ...given("sortDir", value.sortDir === null || isDirection(value.sortDir) ? value.sortDir : undefined),
    ...given("groupBy", value.groupBy === null ? null : text(value.groupBy)),
    ...given("filters", object(value.filters)),
    ...given("pinnedColumns", object(value.pinnedColumns)),
    ...given("pinnedRows", object(value.pinnedRows)),
    ...given("hiddenColumns", strings(value.hiddenColumns)),
    ...given("columnOrder", strings(value.columnOrder)),
    ...given("pagination", pagination(value.pagination)),
    ...given("unknown", strings(value.unknown)),
  };
}

function parseSelection(value: JsonObject): ContextSelection {
  return {
    profile: value.profile === "compact" ? "compact" : "full",
    version: text(value.version) ?? "",
    selected: strings(value.selected) ?? [],
    deferred: list(value.deferred).flatMap((item) => {
      if (!isObject(item) || !isFilled(item.key)) return [];
      const kind = item.kind === "guide" || item.kind === "column" ? item.kind : undefined;
      const reason = item.reason === "hard-limit" ? item.reason : "budget";
      return [{ key: item.key, reason, ...given("kind", kind) }];
    }),
    ...given("deferredColumns", strings(value.deferredColumns)),
    contractBytes: isNumber(value.contractBytes) ? value.contractBytes : 0,
    viewBytes: isNumber(value.viewBytes) ? value.viewBytes : 0,
    estimatedTokens: isNumber(value.estimatedTokens) ? value.estimatedTokens : 0,
    estimated: value.estimated !== false,
    ...given("notes", strings(value.notes)),
  };
}

function parseColumns(value: Json | undefined, where: string): TableColumn[] {
  return entries(value, where, "id").map(([id, column]) => ({
    id,
    label: text(column.label) ?? id,
    type: text(column.type) ?? "string",
    // What is not said is not permitted.
    readable: column.readable === true,
    writable: column.writable === true,
    sortable: column.sortable === true,
    ...given("pinnable", boolean(column.pinnable)),
    ...given("hideable", boolean(column.hideable)),
    ...given("visible", boolean(column.visible)),
    ...given("description", text(column.description)),
    ...given("examples", Array.isArray(column.examples) ? column.examples : undefined),
    ...given("sampled", column.sampled === true ? true : undefined),
  }));
}

function filter([key, value]: [string, JsonObject]): TableFilter {
  const operators = strings(value.operators) ?? [];
  return {
    key,
    label: text(value.label) ?? key,
    type: text(value.type) ?? "text",
    operators,
    defaultOperator: text(value.defaultOperator) ?? operators[0] ?? "eq",
    valueKeys: strings(value.valueKeys) ?? [key],
    ...given("options", Array.isArray(value.options) ? value.options.flatMap(filterOption) : undefined),
    ...given("optionsOmitted", value.optionsOmitted === true ? true : undefined),
  };
}

function filterOption(value: Json): { value: Json; label: string }[] {
  if (!isObject(value) || value.value === undefined) return [];
  return [{ value: value.value, label: text(value.label) ?? String(value.value) }];
}

function aggregations(value: Json | undefined): TableAggregations | undefined {
  if (!isObject(value)) return undefined;
  return {
    columns: entries(value.columns ?? [], "context.contract.aggregations.columns", "id").map(
      ([id, column]) => ({
        id,
        operations: list(column.operations).flatMap((operation) => {
          if (!isObject(operation) || !isFilled(operation.id)) return [];
          const { id: name, label, description } = operation;
          return [{ id: name, label: text(label) ?? name, ...given("description", text(description)) }];
        }),
      }),
    ),
    active: list(value.active).flatMap((item) =>
      isObject(item) && isFilled(item.id)
        ? [{ id: item.id, ...given("operation", text(item.operation)) }]
        : [],
    ),
  };
}

function aggregateOperations(value: Json | undefined): TableManifest["aggregateOperations"] {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) =>
    isObject(item) && isFilled(item.id) ? [{ id: item.id, operations: strings(item.operations) ?? [] }] : [],
  );
}

function pagination(value: Json | undefined): TablePagination | undefined {
  if (!isObject(value) || !isNumber(value.page) || !isNumber(value.pageSize)) return undefined;
  const { page, pageSize, totalRows, totalPages, hasNext, hasPrevious, canJump } = value;
  return {
    page,
    pageSize,
    ...given(
      "pageSizeOptions",
      Array.isArray(value.pageSizeOptions) ? value.pageSizeOptions.filter(isNumber) : undefined,
    ),
    ...given("totalRows", number(totalRows)),
    ...given("totalPages", number(totalPages)),
    ...given("hasNext", boolean(hasNext)),
    hasPrevious: hasPrevious === true,
    canJump: canJump === true,
  };
}

function rowAddressing(value: Json | undefined): TableContract["rowAddressing"] {
  const scope = isObject(value) ? value.scope : undefined;
  return { scope: isScope(scope) ? scope : "visible", key: "rowKey" };
}

function limits(value: Json | undefined): TableContract["limits"] {
  const { pageMax, readMax } = object(value) ?? {};
  return { pageMax: number(pageMax) ?? 100, readMax: number(readMax) ?? 50 };
}

function policy(value: Json | undefined): TablePolicy {
  const { write, approval, commit } = object(value) ?? {};
  return {
    write: write === "allow" ? "allow" : "deny",
    approval: approval === "never" || approval === "destructive" ? approval : "writes",
    commit: commit === "immediate" ? "immediate" : "stage",
  };
}

function source(value: Json | undefined): TableSource {
  const { fullDataset, grouping, selectAcrossPages, exportScope, totalCount } = object(value) ?? {};
  return {
    fullDataset: fullDataset === true,
    grouping: isFilled(grouping) ? grouping : false,
    selectAcrossPages: selectAcrossPages === true,
    exportScope: text(exportScope) ?? "page",
    totalCount: isNumber(totalCount) || typeof totalCount === "string" ? totalCount : null,
  };
}

/** The objects of a list with the name each must have. */
function entries(value: Json | undefined, where: string, name: "id" | "key"): [string, JsonObject][] {
  if (!Array.isArray(value)) throw fault(`${where} must be an array`);
  return value.map((item) => {
    const named = isObject(item) ? item[name] : undefined;
    if (!isObject(item) || !isFilled(named))
      throw fault(`${where} must hold objects with a non-empty ${name}`);
    return [named, item];
  });
}

function isScope(value: Json | undefined): value is RowScope {
  return value === "visible" || value === "page" || value === "full";
}

function isDirection(value: Json | undefined): value is "asc" | "desc" {
  return value === "asc" || value === "desc";
}

function isCapabilityKind(value: Json | undefined): value is NonNullable<CatalogEntry["kind"]> {
  return value === "read" || value === "view" || value === "write" || value === "destructive";
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: Json | undefined): number | undefined {
  return isNumber(value) ? value : undefined;
}

function boolean(value: Json | undefined): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function object(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
