import type { BrainCall, BrainReply } from "../brains/brain.ts";
import { asks, checkAskingCall, describeCall, maxArgsDepth, readCall } from "../protocol/asking-calls.ts";
import type { TableContract } from "../protocol/contract.ts";
import { AGENT_HTTP_LIMITS } from "../protocol/limits.ts";
import { isDeeper, isFilled, isObject } from "../protocol/shape.ts";

/** Capabilities whose results decide what comes next, so a turn that calls one wants them back. */
const telling: ReadonlySet<string> = new Set([
  "rows.read",
  "rows.resolve",
  "columns.describe",
  "view.describe",
]);

/** Whether a plan should come back with its results: one of its calls only looks. */
export function wantsResults(calls: readonly { name: string }[]): boolean {
  return calls.some(({ name }) => telling.has(name));
}

/**
 * What forbids a brain's answer to leave, in sentences for whoever made it; empty when it may. Only capabilities the
 * contract offers may be called, within the limits of one reply, and a question must be answerable.
 */
export function replyFaults(contract: TableContract, { calls, ask }: BrainReply): string[] {
  return [...callFaults(contract, calls), ...(ask === undefined ? [] : askFaults(ask))];
}

function callFaults(contract: TableContract, calls: readonly BrainCall[]): string[] {
  const { maxToolCalls, maxDescribeCalls, maxReadCalls } = AGENT_HTTP_LIMITS;
  const offered = new Set(contract.capabilities.map(({ key }) => key));
  const count = (name: string) => calls.filter((call) => call.name === name).length;
  return [
    ...(calls.length > maxToolCalls
      ? [`There are ${calls.length} calls; at most ${maxToolCalls} are allowed.`]
      : []),
    ...(count(describeCall) > maxDescribeCalls
      ? [`At most ${maxDescribeCalls} "describe" calls are allowed.`]
      : []),
    ...(count(readCall) > maxReadCalls ? [`At most ${maxReadCalls} "read" calls are allowed.`] : []),
    ...calls.flatMap((call, index) => callFault(call, index, offered)),
  ];
}

function callFault(call: BrainCall, index: number, offered: ReadonlySet<string>): string[] {
  const place = `Call ${index + 1}`;
  if (!asks(call) && !offered.has(call.name))
    return [`${place} names ${JSON.stringify(call.name.slice(0, 80))}, which this table does not offer.`];
  if (!isObject(call.args)) return [`${place} has "args" that are not an object.`];
  if (isDeeper(call.args, maxArgsDepth))
    return [`${place} has "args" that are nested deeper than ${maxArgsDepth} levels.`];
  try {
    checkAskingCall(call);
    return [];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [`${place}: ${error.message.replace(/^agent HTTP /, "")}.`];
  }
}

function askFaults({ question, options, allowFreeText }: NonNullable<BrainReply["ask"]>): string[] {
  if (!isFilled(question)) return ["The question to the reader is empty."];
  if (!allowFreeText && !options?.length) return ["A question must offer options or allow a free answer."];
  return [];
}
