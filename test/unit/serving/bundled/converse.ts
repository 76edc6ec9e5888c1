import type { DeepAgent } from "../../../../src/agents/authoring/deep-agent.ts";
import { findAgent } from "../../../../src/agents/registry.ts";
import { MemorySessionStore } from "../../../../src/agents/runtime/memory-session-store.ts";
import { runTurn } from "../../../../src/agents/runtime/run-turn.ts";
import { scriptedModel } from "../../../../src/agents/runtime/scripted-model.ts";
import { mainFrame } from "../../../../src/agents/runtime/session-store.ts";
import { systemTiming, type Timing } from "../../../../src/models/timing.ts";
import type {
  ClientTool,
  Decision,
  JsonObject,
  Message,
  Part,
  Sampling,
  TurnEvent,
  TurnOutcome,
} from "../../../../src/turn/index.ts";

/** What one turn came to. */
export interface Turn {
  events: TurnEvent[];
  outcome: TurnOutcome;
  /** What the agent itself said, subagents left out. */
  text: string;
  /** Names of the tools it called, in order. */
  calls: string[];
  /** What the tools returned, errors marked with "!". */
  results: string[];
  state: JsonObject;
}

interface Options {
  clientTools?: ClientTool[];
  sampling?: Sampling;
  timing?: Timing;
}

/** A conversation with a bundled agent, kept in memory and answered by its script. */
export class Conversation {
  private readonly agent: DeepAgent;
  readonly store: MemorySessionStore;
  private readonly options: Options;
  private ids = 0;

  constructor(name: string, options: Options = {}) {
    const agent = findAgent(name);
    if (agent === undefined) throw new Error(`no agent ${name}`);
    this.agent = agent;
    this.options = options;
    this.store = new MemorySessionStore(structuredClone(agent.initialState));
  }

  /** One user message and the turn it makes. */
  say(text: string, ...media: Part[]): Promise<Turn> {
    return this.send({ role: "user", id: this.id("u"), parts: [{ type: "text", text }, ...media] });
  }

  /** A message of any kind and the turn it makes. */
  send(message: Message): Promise<Turn> {
    this.store.append(mainFrame, message);
    return this.run();
  }

  /** Decides every open interrupt alike and goes on. */
  decide(decision: Decision): Promise<Turn> {
    for (const { id, callId } of this.store.pendingInterrupts()) {
      this.store.decide(id, decision);
      this.store.setCall(callId, { status: "decided" });
    }
    return this.run();
  }

  /** The client's result of a call, and the turn it makes. */
  answer(callId: string, content: string): Promise<Turn> {
    this.store.append(mainFrame, { role: "tool", id: this.id("r"), callId, content, isError: false });
    this.store.setCall(callId, { status: "done" });
    return this.run();
  }

  private id(prefix: string): string {
    this.ids += 1;
    return `${prefix}${this.ids}`;
  }

  private async run(): Promise<Turn> {
    const { clientTools = [], sampling = {}, timing = systemTiming() } = this.options;
    const events: TurnEvent[] = [];
    const outcome = await runTurn(
      this.agent,
      {
        runId: "run",
        session: "session",
        sampling,
        context: [],
        forwarded: null,
        clientTools,
        askFirst: false,
      },
      {
        store: this.store,
        emit: (event) => void events.push(event),
        announcePause: async () => undefined,
        model: ({ script }) => {
          if (script === undefined) throw new Error(`${this.agent.name} has no script`);
          return { model: scriptedModel(script, timing), id: "scripted", scripted: true };
        },
        timing,
        mintId: (prefix) => this.id(prefix),
        signal: new AbortController().signal,
      },
    );
    const own = events.filter((event) => !("subagent" in event && event.subagent !== undefined));
    return {
      events,
      outcome,
      text: own.map((event) => (event.type === "text-delta" ? event.delta : "")).join(""),
      calls: own.flatMap((event) => (event.type === "call-start" ? [event.name] : [])),
      results: own.flatMap((event) =>
        event.type === "call-result" ? [`${event.isError ? "!" : ""}${event.content}`] : [],
      ),
      state: this.store.state(),
    };
  }
}
