import type { AgentDefinition, DeepAgent } from "../../../../src/agents/authoring/deep-agent.ts";
import { named } from "../../../../src/agents/authoring/define-deep-agent.ts";
import type { Script, ScriptPart } from "../../../../src/agents/authoring/script.ts";
import { type Admission, admitTurn } from "../../../../src/agents/runtime/admit-turn.ts";
import { MemorySessionStore } from "../../../../src/agents/runtime/memory-session-store.ts";
import { runTurn } from "../../../../src/agents/runtime/run-turn.ts";
import { scriptedModel } from "../../../../src/agents/runtime/scripted-model.ts";
import { mainFrame } from "../../../../src/agents/runtime/session-store.ts";
import type {
  Decision,
  Interrupt,
  JsonObject,
  Message,
  TurnEvent,
  TurnOutcome,
  TurnRequest,
} from "../../../../src/turn/index.ts";
import { stillTiming } from "../../models/provider-server.ts";
import { checkTurn } from "./check-turn.ts";

/** One turn as it came out, its events checked. */
export interface Played {
  events: TurnEvent[];
  outcome: TurnOutcome;
  /** `name!` marks an error result. */
  results: Record<string, string>;
  /** What the agent itself said. */
  text: string;
}

/** A durable session in memory, taken through requests as its object would. */
export class Session {
  readonly agent: DeepAgent;
  readonly store: MemorySessionStore;
  readonly announced: Interrupt[][] = [];
  /** Called while a pause is announced. */
  onAnnounce: (interrupts: Interrupt[]) => void | Promise<void> = () => undefined;
  /** The editable state as a client was told it last. */
  told: JsonObject = {};
  durable = true;
  askFirst = false;
  cancel = new AbortController();
  private ids = 0;
  private clientTools: TurnRequest["clientTools"] = [];

  constructor(definition: AgentDefinition, name = "tested") {
    this.agent = named(name, definition);
    this.store = new MemorySessionStore(structuredClone(this.agent.initialState));
  }

  mintId = (prefix: string): string => {
    this.ids += 1;
    return `${prefix}${this.ids}`;
  };

  request(changes: Partial<TurnRequest> = {}): TurnRequest {
    return {
      agent: this.agent.name,
      wire: "agui",
      runId: "run-1",
      session: "thread-1",
      conversation: null,
      messages: [],
      clientTools: [],
      state: null,
      resume: [],
      sampling: {},
      snapshot: false,
      context: [],
      forwarded: null,
      ...changes,
    };
  }

  admit(changes: Partial<TurnRequest>): Admission {
    const request = this.request(changes);
    if (request.clientTools.length > 0) this.clientTools = request.clientTools;
    return admitTurn(this.agent, request, this.store, this.mintId, this.told);
  }

  /** Takes a request in and plays its turn. */
  async send(changes: Partial<TurnRequest>): Promise<Played> {
    const admitted = this.admit(changes);
    if (admitted.kind !== "admitted") throw new Error(`not admitted: ${JSON.stringify(admitted)}`);
    return this.play(changes);
  }

  say(text: string, changes: Partial<TurnRequest> = {}): Promise<Played> {
    return this.send({ messages: [user(this.mintId("u"), text)], ...changes });
  }

  /** Answers open interrupts, in the order they were asked. */
  resume(...decisions: Decision[]): Promise<Played> {
    return this.send({ resume: this.entries(...decisions) });
  }

  entries(...decisions: Decision[]): TurnRequest["resume"] {
    return this.store.pendingInterrupts().map(({ id }, at) => {
      const decision = decisions[at];
      if (decision === undefined) throw new Error(`no decision for ${id}`);
      return { interruptId: id, decision };
    });
  }

  /** Plays a turn from wherever the session stands. */
  async play(changes: Partial<TurnRequest> = {}): Promise<Played> {
    const events: TurnEvent[] = [];
    const { runId, session, sampling, context, forwarded } = this.request(changes);
    const timing = stillTiming();
    const outcome = await runTurn(
      this.agent,
      {
        ...{ runId, sampling, context, forwarded, clientTools: this.clientTools, askFirst: this.askFirst },
        session: this.durable ? session : null,
      },
      {
        store: this.store,
        emit: (event) => void events.push(structuredClone(event)),
        ...(this.durable
          ? {
              announcePause: async (interrupts: Interrupt[]) => {
                this.announced.push(interrupts);
                await this.onAnnounce(interrupts);
              },
            }
          : {}),
        model: (frame) => ({
          model: scriptedModel(frame.script ?? (() => []), timing),
          id: "scripted",
          scripted: true,
        }),
        timing,
        mintId: this.mintId,
        signal: this.cancel.signal,
      },
    );
    checkTurn(events, this.store, outcome);
    const results = events.flatMap((event) =>
      event.type === "call-result"
        ? [[`${event.callId}${event.isError ? "!" : ""}`, event.content] as const]
        : [],
    );
    const text = events.flatMap((event) =>
      event.type === "text-delta" && event.subagent === undefined ? [event.delta] : [],
    );
    return { events, outcome, results: Object.fromEntries(results), text: text.join("") };
  }

  messages(): Message[] {
    return this.store.messages(mainFrame);
  }

  /** Everything the session holds, to see that nothing changed. */
  everything(): string {
    return JSON.stringify(this.store, (_, value: unknown) =>
      value instanceof Map ? [...value] : value instanceof Set ? [...value] : value,
    );
  }
}

export function user(id: string, text: string): Message {
  return { role: "user", id, parts: [{ type: "text", text }] };
}

export function result(id: string, callId: string, content: string, isError = false): Message {
  return { role: "tool", id, callId, content, isError };
}

/** A script that gives these answers in a turn, one a step, then says what its results were. */
export function answers(...steps: ScriptPart[][]): Script {
  return ({ step, results }) =>
    steps[step] ?? [{ text: results.map(({ content }) => content).join(" ") || "done" }];
}

export function call(name: string, args: JsonObject = {}, id?: string): ScriptPart {
  return { call: { name, args, ...(id === undefined ? {} : { id }) } };
}
