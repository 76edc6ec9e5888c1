// Before the client: its schemas read the setting when they are made.
import "./zod-without-eval.ts";

/** The protocol's own client; as large as the rest of the console, so it comes when the chat is open already. */
export { HttpAgent } from "@ag-ui/client";
