import type { TablePolicy, TableSource } from "../protocol/contract.ts";
import { type PermittedColumn, permittedColumns } from "./columns.ts";
import { type PermittedFilter, permittedFilters } from "./filters.ts";
import { matchName } from "./match-name.ts";
import { Refusal } from "./refusal.ts";
import type { TableSessionOptions } from "./session-types.ts";
import type { HostAction, HostView, TableHost } from "./table-host.ts";

/** A table as it is at one moment, as far as an agent may know and do it. Reads no rows. */
export class LiveTable {
  readonly host: TableHost;
  readonly options: TableSessionOptions;
  readonly policy: TablePolicy;
  readonly view: HostView;
  readonly source: TableSource;
  readonly columns: PermittedColumn[];
  readonly actions: HostAction[];
  private readonly byId: Map<string, PermittedColumn>;
  private knownFilters: PermittedFilter[] | undefined;

  constructor(host: TableHost, options: TableSessionOptions, policy: TablePolicy) {
    this.host = host;
    this.options = options;
    this.policy = policy;
    this.view = host.view();
    this.source = {
      fullDataset: false,
      grouping: false,
      selectAcrossPages: false,
      exportScope: "page",
      totalCount: null,
      ...host.source?.(),
    };
    this.columns = permittedColumns(host, new Set(this.view.hiddenColumns), options.permit);
    this.byId = new Map(this.columns.map((column) => [column.id, column]));
    this.actions = host.actions?.() ?? [];
  }

  get filters(): PermittedFilter[] {
    this.knownFilters ??= permittedFilters(this.host, this.byId);
    return this.knownFilters;
  }

  get readable(): PermittedColumn[] {
    return this.columns.filter((column) => column.readable);
  }

  get readMax(): number {
    return this.options.limits?.readMax ?? 50;
  }

  get pageMax(): number {
    return (
      this.options.limits?.pageMax ?? Math.max(...(this.view.pageSizes ?? []), this.view.limit ?? 0, 100)
    );
  }

  get rowScope(): "visible" | "page" | "full" {
    const scope = this.options.rowScope ?? "visible";
    return scope === "full" && !this.source.fullDataset ? "page" : scope;
  }

  get pageSize(): number {
    return this.view.limit ?? 10;
  }

  get totalPages(): number | undefined {
    const { totalRows } = this.view;
    return totalRows === undefined ? undefined : Math.max(1, Math.ceil(totalRows / this.pageSize));
  }

  /** The order columns stand in: the view's, then what it does not name. */
  get order(): string[] {
    const named = (this.view.columnOrder ?? []).filter((id) => this.byId.has(id));
    const rest = this.columns.map((column) => column.id).filter((id) => !named.includes(id));
    return [...named, ...rest];
  }

  column(id: string): PermittedColumn | undefined {
    return this.byId.get(id);
  }

  label(id: string): string {
    return this.byId.get(id)?.label ?? id;
  }

  /** The column of an id or label. Throws `unknown-column`. */
  columnNamed(name: string): PermittedColumn {
    const column = this.byId.get(name) ?? matchName(name, this.columns);
    if (column !== undefined) return column;
    throw new Refusal("unknown-column", `there is no column "${name}": columns.describe lists them`);
  }

  /** The column of an id or label, of those that `may`; `doing` completes "cannot be". */
  columnThat(name: string, may: (column: PermittedColumn) => boolean, doing: string): PermittedColumn {
    const column = this.columnNamed(name);
    if (may(column)) return column;
    const others = this.columns.filter(may).map((other) => other.id);
    const shown = others.length > 12 ? [...others.slice(0, 12), "…"] : others;
    const hint = others.length === 0 ? "no column can" : `these can: ${shown.join(", ")}`;
    throw new Refusal("invalid-arguments", `column "${column.id}" cannot be ${doing}; ${hint}`);
  }
}
