import { DurableObject } from "cloudflare:workers";

/** One simulated trial: its world, call log and transcript. */
export class TrialObject extends DurableObject {}
