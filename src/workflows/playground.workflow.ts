import * as z from "zod";
import {
  callDeepAgent,
  createHook,
  FatalError,
  getStepMetadata,
  getWritable,
  RetryableError,
  requestApproval,
  scheduleWorkflow,
  sleep,
  startAndWait,
  startWorkflow,
  streamDeepAgent,
  unscheduleWorkflow,
} from "./authoring/index.ts";

/** Something the playground does. Each shows one thing that a workflow can. */
const simple = z.discriminatedUnion("do", [
  z.object({
    do: z.literal("step"),
    name: z.string().default("step"),
    ms: z.number().int().min(0).max(60_000).default(0),
    /** Attempts that fail before one succeeds. */
    failures: z.number().int().min(0).default(0),
    retryAfterMs: z.number().int().min(0).optional(),
    fatal: z.boolean().default(false),
    /** Bytes of the result's text. */
    bytes: z.number().int().min(0).max(4_000_000).default(0),
  }),
  z.object({ do: z.literal("once"), ms: z.number().int().min(0).max(60_000).default(0) }),
  z.object({ do: z.literal("sleep"), ms: z.number().int().min(0) }),
  z.object({
    do: z.literal("approval"),
    token: z.string(),
    timeoutMs: z.number().int().min(1).optional(),
    fallback: z.enum(["approve", "reject"]).default("reject"),
    payload: z.json().default({}),
  }),
  z.object({ do: z.literal("hook"), token: z.string(), payloads: z.number().int().min(1).default(1) }),
  z.object({
    do: z.literal("agent"),
    agent: z.string().default("playground"),
    message: z.string(),
    stream: z.boolean().default(false),
  }),
  z.object({
    do: z.literal("start"),
    workflow: z.string(),
    input: z.json().default({}),
    wait: z.boolean().default(true),
  }),
  z.object({
    do: z.literal("schedule"),
    name: z.string(),
    workflow: z.string(),
    cron: z.string(),
    input: z.json().default({}),
  }),
  z.object({ do: z.literal("unschedule"), name: z.string() }),
]);

const action = z.union([
  simple,
  z.object({ do: z.enum(["all", "race"]), of: z.array(z.union([simple, z.array(simple)])).max(20) }),
]);

export const inputSchema = z.object({ actions: z.array(action).max(50).default([]) });

type Simple = z.output<typeof simple>;

/** Does what its input says, one thing after another, to try a client or a deployment with. */
export async function playgroundWorkflow({ actions }: z.output<typeof inputSchema>) {
  "use workflow";
  const results: unknown[] = [];
  for (const one of actions) {
    if (!("of" in one)) results.push(await act(one));
    else if (one.do === "all") results.push(await Promise.all(one.of.map(inOrder)));
    else results.push(await Promise.race(one.of.map(inOrder)));
  }
  return { results };
}

async function inOrder(actions: Simple | Simple[]): Promise<unknown> {
  if (!Array.isArray(actions)) return act(actions);
  const results: unknown[] = [];
  for (const one of actions) results.push(await act(one));
  return results;
}

async function act(one: Simple): Promise<unknown> {
  switch (one.do) {
    case "step":
      return work(one);
    case "once":
      return workOnce(one.ms);
    case "sleep":
      await sleep(one.ms);
      return { slept: one.ms };
    case "approval": {
      const { token, timeoutMs, fallback, payload } = one;
      const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs };
      return requestApproval({ token, topic: "playground", payload, fallback, ...timeout });
    }
    case "hook":
      return listen(one.token, one.payloads);
    case "agent":
      return ask(one.agent, one.message, one.stream);
    case "start":
      return one.wait ? startAndWait(one.workflow, one.input) : startWorkflow(one.workflow, one.input);
    case "schedule":
      return scheduleWorkflow(one.name, { workflow: one.workflow, cron: one.cron, input: one.input });
    case "unschedule":
      return unscheduleWorkflow(one.name);
  }
}

async function listen(token: string, payloads: number): Promise<unknown> {
  const hook = createHook({ token, many: payloads > 1 });
  if (payloads === 1) return hook;
  const heard: unknown[] = [];
  for await (const payload of hook) {
    heard.push(payload);
    if (heard.length === payloads) break;
  }
  await hook.dispose();
  return heard;
}

/** Works for a while, and tells that it did: once for each time it really ran. */
async function work({ name, ms, failures, retryAfterMs, fatal, bytes }: Extract<Simple, { do: "step" }>) {
  "use step";
  const { attempt } = getStepMetadata();
  const writer = getWritable().getWriter();
  await writer.write({ ran: name, attempt });
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (fatal) throw new FatalError(`${name} cannot be done`);
  if (attempt <= failures) {
    const options = retryAfterMs === undefined ? {} : { retryAfter: retryAfterMs };
    throw new RetryableError(`${name} failed the ${attempt}. time`, options);
  }
  await writer.write({ done: name, attempt });
  return { name, attempt, ...(bytes === 0 ? {} : { text: "x".repeat(bytes) }) };
}

/** What must not be done twice, whatever happens. */
async function workOnce(ms: number) {
  "use step";
  await getWritable().getWriter().write({ ran: "once" });
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { name: "once" };
}
workOnce.maxRetries = 0;

async function ask(agent: string, message: string, stream: boolean) {
  "use step";
  return stream ? streamDeepAgent(agent, message) : callDeepAgent(agent, message);
}
