export type * from "./event.ts";
export type * from "./interrupt.ts";
export type * from "./json.ts";
export type * from "./message.ts";
export type * from "./request.ts";
