import { DurableObject } from "cloudflare:workers";

/** One rehearsal: its plan, its running trials and their verdicts. */
export class RehearsalObject extends DurableObject {}
