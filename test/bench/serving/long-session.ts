import { performance } from "node:perf_hooks";
import type { WorkerBundle } from "../../../src/cli/engine/bundle.ts";
import { median } from "../numbers.ts";
import { cpuMsOf } from "../procfs.ts";
import { Lane } from "./lane.ts";
import type { BenchModel } from "./model-process.ts";
import { startRuntime } from "./runtime.ts";
import { kinds, token } from "./stacks.ts";
import { makeStack } from "./start-stacks.ts";

export interface LongSessionResult {
  messages: { short: number; long: number };
  /** With prompts of a few messages, so that what is left is the session's own. */
  promptAside: Compared;
  /** With the whole conversation sent to the model, as it is. */
  whole: Compared;
}

interface Compared {
  turns: number;
  /** ms a turn. */
  cpuMs: { short: number; long: number } | null;
  /** Median, ms. */
  latencyMs: { short: number; long: number };
  /** The long session's by the short one's. */
  ratio: { cpu: number | null; latency: number };
}

/** Characters of conversation a prompt takes where it is set aside: the newest few messages. */
const shortPromptChars = 600;

const turnsPerRound = 5;

/**
 * A turn in a session of ten messages beside one in a session of many, by turns. Each round has a short session of its
 * own, since its turns make it longer.
 */
export async function measureLongSession(
  model: BenchModel,
  stateRoot: string,
  { long, rounds }: { long: number; rounds: number },
  say: (text: string) => void,
): Promise<LongSessionResult> {
  const { bundle, vars } = await makeStack("ours", model, say);
  const wide = { ...vars, AGENT_MAX_BODY: "20000000" };
  const compare = async (one: WorkerBundle): Promise<Compared> => {
    const runtime = await startRuntime("ours", one, wide, stateRoot);
    try {
      return await compared(runtime, { short: 10, long }, rounds);
    } finally {
      await runtime.close();
    }
  };
  return {
    messages: { short: 10, long },
    promptAside: await compare(withShortPrompts(bundle)),
    whole: await compare(bundle),
  };
}

/** The same Worker, but for how much of a conversation it puts into a prompt. */
function withShortPrompts(bundle: WorkerBundle): WorkerBundle {
  const limit = /\btailWeight = (?:12e5|1_?200_?000)\b/g;
  const modules = bundle.modules.map((module) => {
    if (module.path !== "worker.js") return module;
    if (module.contents.match(limit)?.length !== 1)
      throw new Error("the bundle does not say how long prompts are as it used to: adapt this bench");
    return { ...module, contents: module.contents.replace(limit, `tailWeight = ${shortPromptChars}`) };
  });
  return { ...bundle, modules };
}

async function compared(
  { url, pid }: { url: string; pid: number },
  sizes: { short: number; long: number },
  rounds: number,
): Promise<Compared> {
  const lane = await Lane.open(url);
  const seen = { short: { ms: [] as number[], cpu: 0 }, long: { ms: [] as number[], cpu: 0 } };
  let knowsCpu = true;
  try {
    const fill = async (session: string, messages: number) => {
      const history = Array.from({ length: messages - 1 }, (_, at) => ({
        role: at % 2 === 0 ? "user" : "assistant",
        content: `Message ${at} of a long talk about loads, rates and where to stop for the night.`,
      }));
      await ask(session, { model: "bench", messages: history });
    };
    const ask = async (session: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, "x-stackbone-session": session };
      const path = "/openai/v1/chat/completions";
      const reply = await lane.post({ path, headers, body: JSON.stringify(body) });
      const problem = kinds.json.problem(reply);
      if (problem !== null) throw new Error(`session ${session}: ${problem}`);
    };
    const take = async (size: "short" | "long", session: string, counts: boolean) => {
      const before = cpuMsOf(pid);
      for (let turn = 1; turn <= turnsPerRound; turn += 1) {
        const askedAt = performance.now();
        await ask(session, { model: "bench", messages: [{ role: "user", content: `Question ${turn}?` }] });
        if (counts) seen[size].ms.push(performance.now() - askedAt);
      }
      // What a turn leaves to do behind its reply counts too.
      await new Promise((resolve) => setTimeout(resolve, 30));
      const after = cpuMsOf(pid);
      if (before === null || after === null) knowsCpu = false;
      else if (counts) seen[size].cpu += after - before;
    };
    await fill("long", sizes.long);
    for (let round = -3; round < rounds; round += 1) {
      const session = `short-${round}`;
      await fill(session, sizes.short);
      const both = [() => take("short", session, round >= 0), () => take("long", "long", round >= 0)];
      for (const one of round % 2 === 0 ? both : both.toReversed()) await one();
    }
  } finally {
    lane.close();
  }
  const turns = seen.short.ms.length;
  const latencyMs = { short: median(seen.short.ms), long: median(seen.long.ms) };
  const cpuMs = knowsCpu ? { short: seen.short.cpu / turns, long: seen.long.cpu / turns } : null;
  const cpu = cpuMs === null ? null : cpuMs.long / cpuMs.short;
  return { turns, cpuMs, latencyMs, ratio: { cpu, latency: latencyMs.long / latencyMs.short } };
}
