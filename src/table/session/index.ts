export { ContextError } from "./fit-context.ts";
export type { ExportedFile } from "./memory/export-file.ts";
export type * from "./memory/types.ts";
export { memoryTableHost } from "./memory-host.ts";
export type * from "./session-types.ts";
export type * from "./table-host.ts";
export { createTableSession } from "./table-session.ts";
