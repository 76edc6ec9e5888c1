import type { Env } from "./env.ts";
import { handle } from "./router.ts";

export { RehearsalObject } from "../objects/rehearsal.ts";
export { SessionObject } from "../objects/session.ts";
export { TableObject } from "../objects/table.ts";
export { TrialObject } from "../objects/trial.ts";

export default { fetch: handle } satisfies ExportedHandler<Env>;
