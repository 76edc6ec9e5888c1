import { isDeepStrictEqual } from "node:util";
import type { BrainReply, TableBrain } from "../../../src/table/brains/brain.ts";
import type {
  AskUser,
  ConversationLine,
  ToolCall,
  ToolResult,
} from "../../../src/table/protocol/messages.ts";
import type { JsonObject } from "../../../src/turn/json.ts";
import { type Outcome, Playground } from "./playground.ts";
import type { Expectation, TableRequest } from "./requests.ts";
import { loadTable } from "./table-file.ts";

/** What became of a request. */
interface Played {
  text: string;
  outcome: Outcome;
  before: Outcome;
  /** Questions put to the reader, in order. */
  asked: Omit<AskUser, "id">[];
  ground: Playground;
  /** Requests it took. */
  rounds: number;
  calls: string[];
}

const maxRounds = 4;

/** Plays one request round by round, as a client does, until the plan is final. Throws for what a table refuses. */
async function playRequest(brain: TableBrain, request: TableRequest, answer?: string): Promise<Played> {
  const table = loadTable(request.table, request.contract);
  const ground = new Playground(table, request.view);
  const before = ground.outcome();
  let toolResults: ToolResult[] = [];
  const asked: Omit<AskUser, "id">[] = [];
  const ran: string[] = [];
  let pendingCalls: ToolCall[] = [];
  let phaseId = 0;
  for (let round = 0; round < maxRounds * 2; round++) {
    const reply = await brain.answer(
      {
        contract: table.contract,
        catalog: table.catalog,
        view: ground.view(),
        message: request.say,
        conversation: request.conversation.map((text): ConversationLine => ({ role: "user", text })),
        phaseId,
        toolResults: structuredClone(toolResults),
        pendingCalls,
        today: table.today,
      },
      { signal: new AbortController().signal, onText: () => undefined },
    );
    const commands = reply.calls.filter(({ name }) => name !== "read" && name !== "describe");
    if (commands.length > 0)
      pendingCalls = commands.map((call, index) => ({ id: `c${round}.${index}`, ...call }));
    const results = reply.ask === undefined ? answered(reply, ground, round) : [];
    if (reply.ask !== undefined) {
      asked.push(reply.ask);
      if (answer === undefined)
        return {
          text: reply.text,
          outcome: ground.outcome(),
          before,
          asked,
          ground,
          rounds: round + 1,
          calls: [],
        };
      results.push({ id: `q${round}`, result: answerOf(reply.ask, answer) });
    }
    if (results.length === 0) {
      const receipts = commands.map((call, index): ToolResult => {
        const result: JsonObject = { ok: true, revision: 1, result: ground.run(call) };
        return { id: `p${phaseId}.${index}`, result };
      });
      ran.push(...commands.map(({ name, args }) => `${name} ${JSON.stringify(args)}`));
      // As a client goes on when the backend wants to know what rows it read.
      if (phaseId === 0 && commands.some(({ name }) => name === "rows.read")) {
        phaseId++;
        toolResults = receipts;
        pendingCalls = [];
        continue;
      }
      const { text } = reply;
      return { text, outcome: ground.outcome(), before, asked, ground, rounds: round + 1, calls: ran };
    }
    toolResults.push(...results);
  }
  throw new Error("discovery-exhausted");
}

function answered(reply: BrainReply, ground: Playground, round: number): ToolResult[] {
  return reply.calls.flatMap(({ name, args }, index): ToolResult[] => {
    const id = `r${round}.${index}`;
    if (name === "read") return [{ id, result: ground.read(args) }];
    return name === "describe" ? [{ id, result: ground.describe(args) }] : [];
  });
}

function answerOf({ question, options }: Omit<AskUser, "id">, answer: string): JsonObject {
  const chosen = options?.find(({ label }) => label === answer);
  const offered = (options ?? []).map(({ id, label }) => ({ id, label }));
  return chosen === undefined
    ? { question, offered, text: answer }
    : { question, offered, optionId: chosen.id, chose: chosen.label };
}

/** Why a request was not answered as it has to be; null when it was. */
export async function judgeRequest(brain: TableBrain, request: TableRequest): Promise<string | null> {
  const problems: string[] = [];
  for (const wanted of [request, ...request.or]) {
    try {
      const played = await playRequest(brain, request, wanted.answer);
      const problem = problemOf(wanted, played);
      if (problem === null) return null;
      problems.push(`${problem}\n      text: ${played.text}\n      calls: ${played.calls.join(" | ")}`);
    } catch (error) {
      problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
  return problems[0] ?? "nothing was wanted";
}

function problemOf(wanted: Expectation, { text, outcome, before, asked, ground }: Played): string | null {
  const options = asked.flatMap((ask) => (ask.options ?? []).map(({ label }) => label));
  if (wanted.asks !== undefined && asked.length === 0) return "did not ask";
  if (wanted.asks === undefined && asked.length > 0)
    return `asked: ${asked[0]?.question} ${options.join(" | ")}`;
  if (Array.isArray(wanted.asks)) {
    const missing = wanted.asks.filter((label) => !options.includes(label));
    if (missing.length > 0) return `did not offer ${missing.join()}, but ${options.join()}`;
  }
  const change = changeProblem(wanted, outcome, before, ground);
  if (change !== null) return change;
  const plain = text.replace(/(\d),(?=\d{3})/g, "$1").toLowerCase();
  const unsaid = (wanted.says ?? []).filter((part) => !plain.includes(part.toLowerCase()));
  if (unsaid.length > 0) return `did not say ${unsaid.join(" | ")}`;
  if (wanted.refuses && !/\b(can't|cannot|not|no|isn't|nobody|none|doesn't|nothing)\b/i.test(text))
    return "did not refuse";
  if (
    /\b(has|have) been (changed|updated|deleted|added|saved)|\bI('ve| have) (changed|updated|deleted|added|saved)/i.test(
      text,
    )
  )
    return "claims that a write happened";
  return null;
}

function changeProblem(
  { after = {} }: Expectation,
  outcome: Outcome,
  before: Outcome,
  ground: Playground,
): string | null {
  const expected: Outcome = { ...before, ...clean(after) };
  expected.edits = realEdits(expected.edits, ground);
  if (after.page === undefined && outcome.page === 1) expected.page = 1;
  const wrong = (Object.keys(expected) as (keyof Outcome)[]).filter(
    (key) => !isDeepStrictEqual(sorted(key, expected[key]), sorted(key, outcome[key])),
  );
  if (wrong.length === 0) return null;
  return wrong
    .map((key) => `${key}: ${JSON.stringify(outcome[key])} instead of ${JSON.stringify(expected[key])}`)
    .join("; ");
}

/** The edits that change something. */
function realEdits(edits: Outcome["edits"], ground: Playground): Outcome["edits"] {
  const rows = Object.entries(edits).map(([rowKey, cells]) => {
    const changed = Object.entries(cells).filter(([column, value]) => !ground.holds(rowKey, column, value));
    return [rowKey, Object.fromEntries(changed)] as const;
  });
  return Object.fromEntries(rows.filter(([, cells]) => Object.keys(cells).length > 0));
}

/** The wanted change in the outcome's forms: dates and booleans that YAML made of words are words again. */
function clean({ filters, ...rest }: NonNullable<Expectation["after"]>): Partial<Outcome> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const change: Partial<Outcome> = Object.fromEntries(given);
  if (filters === undefined) return change;
  const meanings = Object.entries(filters).map(
    ([key, value]) => [key, Array.isArray(value) ? value.map(String).sort() : String(value)] as const,
  );
  return { ...change, filters: Object.fromEntries(meanings) };
}

/** Lists whose order says nothing, in one order. */
function sorted(key: keyof Outcome, value: Outcome[keyof Outcome]): unknown {
  const free: (keyof Outcome)[] = ["hidden", "selection", "deleted", "ran"];
  return free.includes(key) && Array.isArray(value) ? [...value].map(String).sort() : value;
}
