import type { OutboundPolicy } from "../../http/guard-url.ts";
import { guardedFetch } from "../../http/guarded-fetch.ts";
import type { JsonObject } from "../../turn/json.ts";
import { builtinAgent } from "../agents/builtin-agent.ts";
import { type AgentAnswer, readAgentAnswer } from "./agent-answer.ts";
import type { TrialPlan } from "./plan.ts";
import type { StepRequest } from "./step-protocol.ts";

/** Largest answer of an agent to one step, in bytes. */
const maxAnswerBytes = 1_048_576;
