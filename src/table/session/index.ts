export { ContextError } from "./fit-context.ts";
export type * from "./session-types.ts";
export type * from "./table-host.ts";
export { createTableSession } from "./table-session.ts";
