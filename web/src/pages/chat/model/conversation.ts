import jsonPatch, { type Operation } from "fast-json-patch";
import type { JsonObject } from "../../../../../src/turn/index.ts";
import type { AguiEvent, AguiInterrupt, AguiMessage } from "../../../../../src/wires/agui/events.ts";
import type { Approval, CallItem, EndItem, Helper, Item, TextItem, ThoughtItem } from "./items.ts";

/** What a page shows of a conversation at one moment. Parts that did not change are the same objects as before. */
export interface ConversationView {
  items: readonly Item[];
  running: boolean;
  /** Calls that wait for a person. */
  approvals: readonly Approval[];
  /** Calls of this page's own tools that wait for their result. */
  clientCalls: readonly string[];
  state: JsonObject;
  helpers: ReadonlyMap<string, Helper>;
  /** The label of the model that answered last, as far as it was told. */
  model: string | null;
}

/** Refusals that come before any work: what was open stays open. */
const refusals = new Set([
  "approval_pending",
  "turn_in_progress",
  "session_required",
  "unknown_interrupt",
  "incomplete_resume",
  "invalid_resume",
  "invalid_messages",
  "unknown_agent",
]);

/**
 * A conversation made of AG-UI events. Events may come again, as a replay brings them: what is known is told anew in its
 * place and nothing doubles. New items stand after the last one touched, so a replay fills in what a list of messages
 * does not hold.
 */
export class Conversation {
  private readonly items = new Map<string, Item>();
  private order: string[] = [];
  /** The item that was touched last; null: nothing was yet. */
  private cursor: string | null = null;
  private runId: string | null = null;
  /** Texts and calls that this run has begun: a second start in one run goes on, the first of a replay begins anew. */
  private begun = new Set<string>();
  private running = false;
  private approvals: readonly Approval[] = [];
  private clientCalls: readonly string[] = [];
  private before: Pick<ConversationView, "approvals" | "clientCalls"> = { approvals: [], clientCalls: [] };
  private state: JsonObject = {};
  private helpers = new Map<string, Helper>();
  private model: string | null = null;
  private shown: ConversationView | null = null;
  /** Why the newest request was refused before any work. */
  refusal: { code: string; message: string } | null = null;

  view(): ConversationView {
    this.shown ??= {
      items: this.order.flatMap((key) => this.items.get(key) ?? []),
      running: this.running,
      approvals: this.approvals,
      clientCalls: this.clientCalls,
      state: this.state,
      helpers: new Map(this.helpers),
      model: this.model,
    };
    return this.shown;
  }

  /** What the session holds, before its events are replayed on top. `edited`: arguments people changed, by call. */
  seed(
    messages: readonly AguiMessage[],
    edited: ReadonlyMap<string, JsonObject>,
    state: JsonObject,
    approvals: readonly Approval[],
  ): void {
    this.takeMessages(messages);
    for (const [callId, args] of edited) this.change<CallItem>(`call ${callId}`, { edited: args });
    this.state = state;
    this.approvals = approvals;
    this.cursor = null;
    this.changed();
  }

  /** A message the user has just written. */
  addUser(id: string, text: string): void {
    this.cursor = this.order.at(-1) ?? null;
    this.place({ kind: "user", key: `user ${id}`, id, text, media: [] });
    this.changed();
  }

  /** A request is on its way; its first event is not there yet. */
  asked(runId: string): void {
    this.runId = runId;
    this.running = true;
    this.refusal = null;
    this.cursor = this.order.at(-1) ?? null;
    this.changed();
  }

  /** A request that came to nothing: no event of it will ever come. */
  failed(code: string, message: string): void {
    this.running = false;
    this.settle();
    this.end({ type: "failed", code, message }, undefined);
    this.changed();
  }

  setModel(model: string): void {
    this.model = model;
    this.changed();
  }

  /** The open approvals as the session has them. Calls that were decided meanwhile wait no more. */
  setApprovals(approvals: readonly Approval[]): void {
    this.approvals = approvals;
    this.changed();
  }

  setState(state: JsonObject): void {
    this.state = state;
    this.changed();
  }

  /** Notes what a person changed about a call, for its card. */
  setEdited(callId: string, args: JsonObject): void {
    this.change<CallItem>(`call ${callId}`, { edited: args });
    this.changed();
  }

  /** Takes one event. Throws where a change of the shared state does not fit the state that is known. */
  apply(event: AguiEvent): void {
    this.take(event);
    this.changed();
  }

  private take(event: AguiEvent): void {
    switch (event.type) {
      case "RUN_STARTED":
        this.start(event.runId);
        break;
      case "RUN_FINISHED":
        this.finish(event);
        break;
      case "RUN_ERROR":
        this.fail(event.code ?? "unknown", event.message, event.usage);
        break;
      case "MESSAGES_SNAPSHOT":
        this.takeMessages(event.messages);
        break;
      case "STATE_SNAPSHOT":
        this.state = event.snapshot;
        break;
      case "STATE_DELTA":
        this.state = patched(this.state, event.delta);
        break;
      case "TEXT_MESSAGE_START":
        this.begin({
          kind: "text",
          key: `text ${event.messageId}`,
          owner: event.subagentRunId ?? null,
          text: "",
          streaming: true,
        });
        break;
      case "TEXT_MESSAGE_CONTENT":
        this.append(`text ${event.messageId}`, event.delta);
        break;
      case "TEXT_MESSAGE_END":
        this.change<TextItem>(`text ${event.messageId}`, { streaming: false });
        break;
      case "REASONING_MESSAGE_START":
        this.begin({
          kind: "thought",
          key: `thought ${event.messageId}`,
          owner: event.subagentRunId ?? null,
          text: "",
          streaming: true,
        });
        break;
      case "REASONING_MESSAGE_CONTENT":
        this.append(`thought ${event.messageId}`, event.delta);
        break;
      case "REASONING_MESSAGE_END":
        this.change<ThoughtItem>(`thought ${event.messageId}`, { streaming: false });
        break;
      case "TOOL_CALL_START":
        this.beginCall(event.toolCallId, event.toolCallName, event.subagentRunId ?? null);
        break;
      case "TOOL_CALL_ARGS": {
        const call = this.call(event.toolCallId);
        if (call !== null)
          this.change<CallItem>(call.key, { argsText: call.argsText + event.delta, writing: true });
        break;
      }
      case "TOOL_CALL_END": {
        const call = this.call(event.toolCallId);
        if (call !== null) this.change<CallItem>(call.key, { args: argsOf(call.argsText), writing: false });
        break;
      }
      case "TOOL_CALL_RESULT":
        this.answer(event.toolCallId, event.content, event.metadata?.isError === true);
        break;
      case "SUBAGENT_STARTED":
        this.helpers.set(event.subagentRunId, { name: event.name, state: "working" });
        break;
      case "SUBAGENT_FINISHED":
        this.leave(event.subagentRunId, event.outcome.type === "success" ? "done" : "waiting");
        break;
      case "SUBAGENT_ERROR":
        this.leave(event.subagentRunId, "failed");
        break;
      case "CUSTOM":
        if (event.name !== "usage") this.progress(event.name, event.value);
        break;
      default:
        break;
    }
  }

  private start(runId: string): void {
    this.runId = runId;
    this.begun = new Set();
    this.running = true;
    this.refusal = null;
    this.before = { approvals: this.approvals, clientCalls: this.clientCalls };
    this.approvals = [];
    this.clientCalls = [];
  }

  private finish({ outcome, usage, metadata }: Extract<AguiEvent, { type: "RUN_FINISHED" }>): void {
    this.running = false;
    this.settle();
    const label = usage?.[0]?.model;
    const provider = usage?.[0]?.provider;
    if (label !== undefined) this.model = provider === undefined ? label : `${provider}/${label}`;
    if (outcome.type === "interrupt") {
      this.approvals = outcome.interrupts.map(approvalOf);
      const pending = metadata?.pendingToolCallIds;
      this.clientCalls = Array.isArray(pending) ? pending.map(String) : [];
      return;
    }
    if (outcome.type === "success") this.clientCalls = outcome.pendingToolCallIds ?? [];
    if (outcome.type === "cancelled") this.end({ type: "cancelled" }, usage);
    else if (this.clientCalls.length === 0) this.end({ type: "done" }, usage);
  }

  private fail(
    code: string,
    message: string,
    usage: Extract<AguiEvent, { type: "RUN_ERROR" }>["usage"],
  ): void {
    this.running = false;
    this.settle();
    if (refusals.has(code)) {
      this.approvals = this.before.approvals;
      this.clientCalls = this.before.clientCalls;
      this.refusal = { code, message };
      if (this.approvals.length + this.clientCalls.length > 0) return;
    }
    this.end({ type: "failed", code, message }, usage);
  }

  private end(outcome: EndItem["outcome"], usage: Extract<AguiEvent, { type: "RUN_ERROR" }>["usage"]): void {
    const key = `end ${this.runId ?? ""}`;
    // A run that went on after its first end has its mark at the last one.
    if (this.items.delete(key)) {
      if (this.cursor === key) this.cursor = this.order[this.order.indexOf(key) - 1] ?? null;
      this.order = this.order.filter((one) => one !== key);
    }
    const [tokens] = usage ?? [];
    this.place({
      kind: "end",
      key,
      owner: null,
      outcome,
      usage:
        tokens === undefined ? null : { inputTokens: tokens.inputTokens, outputTokens: tokens.outputTokens },
      model: this.model,
    });
  }

  /** Nothing is being written any more. */
  private settle(): void {
    for (const [key, item] of this.items) {
      if ((item.kind === "text" || item.kind === "thought") && item.streaming)
        this.items.set(key, { ...item, streaming: false });
      else if (item.kind === "call" && item.writing) this.items.set(key, { ...item, writing: false });
    }
  }

  private begin(item: TextItem | ThoughtItem): void {
    const { key } = item;
    const known = this.items.get(key);
    if (known?.kind === item.kind && this.begun.has(key)) {
      this.change<TextItem | ThoughtItem>(key, { streaming: true });
      this.cursor = key;
      return;
    }
    this.begun.add(key);
    this.place(item);
  }

  private beginCall(callId: string, name: string, owner: string | null): void {
    const known = this.call(callId);
    this.place({
      kind: "call",
      key: `call ${callId}`,
      callId,
      owner,
      name,
      argsText: "",
      args: known?.args ?? null,
      writing: true,
      result: known?.result ?? null,
      edited: known?.edited ?? null,
      progress: null,
    });
  }

  private append(key: string, delta: string): void {
    const item = this.items.get(key);
    if (item?.kind === "text" || item?.kind === "thought")
      this.items.set(key, { ...item, text: item.text + delta });
  }

  private answer(callId: string, content: string, isError: boolean): void {
    const call = this.call(callId);
    if (call !== null)
      this.change<CallItem>(call.key, { result: { content, isError }, writing: false, progress: null });
  }

  private leave(id: string, state: Helper["state"]): void {
    const helper = this.helpers.get(id);
    if (helper !== undefined) this.helpers.set(id, { ...helper, state });
  }

  /** Tools do not say which call is theirs: it is the newest one that runs. */
  private progress(name: string, value: unknown): void {
    const key = this.order.findLast((one) => {
      const item = this.items.get(one);
      return item?.kind === "call" && item.result === null && !item.writing;
    });
    if (key !== undefined) this.change<CallItem>(key, { progress: { name, value } });
  }

  private takeMessages(messages: readonly AguiMessage[]): void {
    for (const message of messages) {
      const owner = message.subagentRunId ?? null;
      switch (message.role) {
        case "user":
          if (owner === null) this.meet(userItem(message.id, message.content));
          break;
        case "reasoning":
          this.meet({
            kind: "thought",
            key: `thought ${message.id}`,
            owner,
            text: message.content,
            streaming: false,
          });
          break;
        case "assistant": {
          if (message.content !== undefined)
            this.meet({
              kind: "text",
              key: `text ${message.id}`,
              owner,
              text: message.content,
              streaming: false,
            });
          for (const { id, function: made } of message.toolCalls ?? []) this.meetCall(id, owner, made);
          break;
        }
        case "tool":
          this.answer(message.toolCallId, message.content, message.metadata?.isError === true);
          break;
        default:
          break;
      }
    }
  }

  private meetCall(callId: string, owner: string | null, made: { name: string; arguments: string }): void {
    const key = `call ${callId}`;
    if (this.items.has(key)) {
      this.cursor = key;
      return;
    }
    this.place({
      kind: "call",
      key,
      callId,
      owner,
      name: made.name,
      argsText: made.arguments,
      args: argsOf(made.arguments),
      writing: false,
      result: null,
      edited: null,
      progress: null,
    });
  }

  /** An item as a list of messages tells it: the list's word counts. */
  private meet(item: Item): void {
    const known = this.items.get(item.key);
    const same = known !== undefined && "text" in known && "text" in item && known.text === item.text;
    if (same) this.cursor = item.key;
    else this.place(item);
  }

  /** Puts an item where it stands already, or after the one touched last. */
  private place(item: Item): void {
    if (!this.items.has(item.key)) this.order.splice(this.placeForNew(), 0, item.key);
    this.items.set(item.key, item);
    this.cursor = item.key;
  }

  private placeForNew(): number {
    if (this.cursor === null) {
      // The replay of a conversation's first run: what the user said is not among its events.
      const first = this.order.findIndex((key) => this.items.get(key)?.kind !== "user");
      return first < 0 ? this.order.length : first;
    }
    let at = this.order.indexOf(this.cursor) + 1;
    while (this.items.get(this.order[at] ?? "")?.kind === "end") at += 1;
    return at;
  }

  private call(callId: string): CallItem | null {
    const item = this.items.get(`call ${callId}`);
    return item?.kind === "call" ? item : null;
  }

  private change<T extends Item>(key: string, parts: Partial<Omit<T, "kind" | "key">>): void {
    const item = this.items.get(key);
    if (item !== undefined) this.items.set(key, { ...item, ...parts } as Item);
  }

  private changed(): void {
    this.shown = null;
  }
}

/** An interrupt of the wire as an approval. */
function approvalOf({ id, toolCallId, message, responseSchema, metadata }: AguiInterrupt): Approval {
  const properties = objectOf(responseSchema.properties);
  const allowed = Array.isArray(metadata?.allowedDecisions) ? metadata.allowedDecisions : [];
  return {
    id,
    callId: toolCallId,
    tool: typeof metadata?.toolName === "string" ? metadata.toolName : "",
    args: objectOf(metadata?.args),
    message,
    allowed: (["approve", "edit", "reject"] as const).filter((kind) => allowed.includes(kind)),
    schema: objectOf(properties.editedArgs),
  };
}

function userItem(id: string, content: Extract<AguiMessage, { role: "user" }>["content"]): Item {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return {
    kind: "user",
    key: `user ${id}`,
    id,
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    media: parts.flatMap((part) =>
      part.type === "text" ? [] : [String(part.metadata?.filename ?? part.source.mimeType)],
    ),
  };
}

function patched(state: JsonObject, operations: Operation[]): JsonObject {
  const copy = structuredClone(state);
  return jsonPatch.applyPatch(copy, structuredClone(operations), true, true, true).newDocument as JsonObject;
}

function argsOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    // Shown as it was written.
    return null;
  }
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
