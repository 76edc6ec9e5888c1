import type { Decision, JsonObject } from "../../../../../src/turn/index.ts";
import { ApiError, messageOf, OfflineError } from "../../../api/errors.ts";
import { pause } from "../../../api/pause.ts";
import { toast } from "../../../ui/toast.tsx";
import { followThread } from "../wire/follow-thread.ts";
import { type RunRequest, runAgent } from "../wire/run-agent.ts";
import { cancelTurn, readThread } from "../wire/sessions.ts";
import { askUserTool } from "./ask-user.ts";
import { Conversation, type ConversationView } from "./conversation.ts";
import { changeThread, newId, noteThread, threadsOf } from "./threads.ts";

/** What the page shows of a thread: its conversation and where the connection stands. */
export interface ThreadView extends ConversationView {
  status: "loading" | "ready" | "failed";
  /** Why the thread could not be read. */
  loadError: unknown;
  /** Nothing is kept of it, though this browser remembers it. */
  gone: boolean;
  /** The stream broke; it is taken up again as soon as it goes. */
  broken: boolean;
  stopping: boolean;
  /** What was decided here and is not sent yet, by interrupt. */
  decisions: ReadonlyMap<string, Decision>;
  /** What was answered here and is not sent yet, by call. */
  answers: ReadonlyMap<string, string>;
  /** Why the decisions were not taken. */
  refusal: string | null;
  /** What the user changed in the shared state; it goes along with what is sent next. */
  edits: JsonObject;
}

/** Pauses before a broken stream is asked for again, milliseconds; the last one repeats. */
const pausesMs = [300, 1_000, 2_000, 5_000];
/** Pause between two looks at whether somebody else has decided, milliseconds. */
const lookMs = 2_000;
/** A replay is shown when nothing came for this long, milliseconds: what follows is news. */
const quietMs = 120;

/** One conversation with an agent: reads it, sends to it, follows it, and keeps at it when the connection does not. */
export class ChatThread {
  readonly agent: string;
  readonly id: string;
  private readonly conversation = new Conversation();
  private readonly listeners = new Set<() => void>();
  private readonly closing = new AbortController();
  /** Ends the stream that is read, whichever it is. */
  private stream = new AbortController();
  private watching = false;
  /** The place of the newest event that was taken. */
  private place = "0";
  /** The place before the run that was sent last: the protocol's client may have been told less than has arrived. */
  private placeBefore = "0";
  private told: ThreadView | null = null;
  private frame: number | null = null;
  private facts: Omit<ThreadView, keyof ConversationView> = {
    status: "ready",
    loadError: null,
    gone: false,
    broken: false,
    stopping: false,
    decisions: new Map(),
    answers: new Map(),
    refusal: null,
    edits: {},
  };
  /** Whether agents may use this page's own tool. */
  offersTool = true;

  constructor(agent: string, id: string) {
    this.agent = agent;
    this.id = id;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** What was published last; what happens between two frames is told together. */
  readonly view = (): ThreadView => {
    this.told ??= this.now();
    return this.told;
  };

  /** Leaves the thread. A turn under way goes on without this page. */
  close(): void {
    this.closing.abort();
    this.stream.abort();
    if (this.frame !== null) cancelAnimationFrame(this.frame);
  }

  /** Reads what there is: the session, and on top of it the events of its last runs, to the end of the one under way. */
  async load(): Promise<void> {
    this.set({ status: "loading", loadError: null });
    const { signal } = this.closing;
    try {
      const session = await readThread(this.agent, this.id, signal);
      if (session === null) {
        this.set({ status: "ready", gone: true });
        return;
      }
      const model = threadsOf(this.agent).find((one) => one.id === this.id)?.model;
      if (model !== undefined) this.conversation.setModel(model);
      this.conversation.seed(session.messages, session.edited, session.state, session.approvals);
      await this.replay();
      // Of several approvals some may have been decided; the events do not tell until all are.
      if (!session.running && !this.now().running) this.conversation.setApprovals(session.approvals);
      this.set({ status: "ready" });
    } catch (error) {
      if (!signal.aborted) this.set({ status: "failed", loadError: error });
      return;
    }
    void this.watch();
  }

  /** Says something to the agent. */
  send(text: string): Promise<void> {
    const id = newId("msg");
    this.conversation.addUser(id, text);
    noteThread(this.agent, this.id, text);
    return this.run([{ id, role: "user", content: text }], []);
  }

  /** Tries the newest message again. The Worker knows it by its id and does not take it twice. */
  async retry(): Promise<void> {
    const last = this.now().items.findLast((item) => item.kind === "user");
    if (last?.kind === "user") await this.run([{ id: last.id, role: "user", content: last.text }], []);
  }

  /** Notes a decision about an open approval, or takes it back; sent at once when nothing else is open. */
  decide(interruptId: string, decision: Decision | null): void {
    const decisions = new Map(this.facts.decisions);
    if (decision === null) decisions.delete(interruptId);
    else decisions.set(interruptId, decision);
    this.set({ decisions, refusal: null });
    const { approvals, clientCalls } = this.now();
    if (decision !== null && approvals.length + clientCalls.length === 1) void this.sendAnswers();
  }

  /** Notes the result of a call of this page's own; sent when no approval has to be looked over first. */
  answer(callId: string, text: string): void {
    this.set({ answers: new Map(this.facts.answers).set(callId, text), refusal: null });
    if (this.now().approvals.length === 0 && this.isAnswered) void this.sendAnswers();
  }

  /** Everything that is open has its answer. */
  get isAnswered(): boolean {
    const { approvals, clientCalls, decisions, answers } = this.now();
    return (
      approvals.length + clientCalls.length > 0 &&
      approvals.every(({ id }) => decisions.has(id)) &&
      clientCalls.every((id) => answers.has(id))
    );
  }

  /** Sends all decisions and results in one request. */
  async sendAnswers(): Promise<void> {
    const { approvals, clientCalls, decisions, answers } = this.now();
    if (!this.isAnswered) return;
    const resume: RunRequest["resume"] = approvals.flatMap(({ id }) => {
      const decision = decisions.get(id);
      return decision === undefined
        ? []
        : [{ interruptId: id, status: "resolved", payload: payloadOf(decision) }];
    });
    const messages: RunRequest["messages"] = clientCalls.map((toolCallId) => ({
      id: newId("msg"),
      role: "tool",
      toolCallId,
      content: answers.get(toolCallId) ?? "",
    }));
    for (const { id, callId } of approvals) {
      const decision = decisions.get(id);
      if (decision?.kind === "edit") this.conversation.setEdited(callId, decision.args);
    }
    await this.run(messages, resume);
    if (this.conversation.refusal === null) this.set({ decisions: new Map(), answers: new Map() });
    else await this.refused(this.conversation.refusal.message);
  }

  /** Changes a key of the shared state, from the next request on; undefined takes the change back. */
  edit(key: string, value: JsonObject[string] | undefined): void {
    const { [key]: _, ...rest } = this.facts.edits;
    this.set({ edits: value === undefined ? rest : { ...rest, [key]: value } });
  }

  /** Stops listening at once and ends the turn on the Worker; then reads how it ended. */
  async stop(): Promise<void> {
    if (!this.now().running || this.facts.stopping) return;
    this.set({ stopping: true });
    this.stream.abort();
    const { signal } = this.closing;
    try {
      await cancelTurn(this.agent, this.id, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.set({ refusal: `The turn could not be stopped: ${messageOf(error)}` });
    }
    this.place = this.placeBefore;
    await this.catchUp();
    this.set({ stopping: false });
    void this.watch();
  }

  private async run(messages: RunRequest["messages"], resume: RunRequest["resume"]): Promise<void> {
    const runId = newId("run");
    const { edits } = this.facts;
    this.conversation.asked(runId);
    this.set({ gone: false, refusal: null, broken: false });
    this.stream.abort();
    this.stream = new AbortController();
    const { signal } = this.stream;
    this.placeBefore = this.place;
    const request: RunRequest = {
      agent: this.agent,
      threadId: this.id,
      runId,
      messages,
      tools: this.offersTool ? [askUserTool] : [],
      state: edits,
      resume,
    };
    try {
      await runAgent(
        request,
        {
          onEvent: (event) => {
            if (event.type === "RUN_STARTED") this.editsSent(edits);
            // The stream's word about itself; how the turn ends, the thread's events tell.
            if (event.type === "RUN_ERROR" && event.code === "interrupted") return;
            this.take(event, null);
          },
          onPlace: (place) => {
            this.place = place;
          },
          onModel: (label) => this.answeredBy(label),
        },
        signal,
      );
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError) {
        this.conversation.failed(error.code, error.message);
        this.publish();
        return;
      }
      // The stream broke. What happened meanwhile, the thread's events tell.
      this.set({ broken: true });
      this.place = this.placeBefore;
      await this.catchUp();
    }
    if (signal.aborted) return;
    if (this.now().running) {
      this.place = this.placeBefore;
      await this.catchUp();
    }
    this.publish();
    void this.watch();
  }

  /** Reads on after the newest event until no turn is under way, over as many connections as it takes. */
  private async catchUp(): Promise<void> {
    const { signal } = this.closing;
    for (let failures = 0; ; failures += 1) {
      try {
        await this.follow();
        if (this.now().running)
          this.conversation.failed("not_sent", "This did not reach the Worker, or its end was lost.");
        this.set({ broken: false });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && error.status < 500) {
          if (this.now().running)
            this.conversation.failed("not_sent", "This did not reach the Worker. Try it again.");
          this.set({ broken: false });
          return;
        }
        this.set({ broken: true });
        await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 1_000, signal).catch(
          () => undefined,
        );
        if (signal.aborted) return;
      }
    }
  }

  /** One connection to the thread's events. */
  private async follow(): Promise<void> {
    this.stream.abort();
    this.stream = new AbortController();
    let cut = false;
    await followThread(
      { agent: this.agent, threadId: this.id, after: this.place },
      (event, place) => {
        // An error without a place of its own is the stream's word about itself.
        cut = place === null && event.type === "RUN_ERROR";
        if (!cut) this.take(event, place);
      },
      AbortSignal.any([this.stream.signal, this.closing.signal]),
    );
    if (cut) throw new OfflineError("the replay broke off");
  }

  /** The events from the beginning; resolves when they are told, or when the run under way is. */
  private async replay(): Promise<void> {
    let quiet: ReturnType<typeof setTimeout> | null = null;
    const shown = () => this.set({ status: "ready" });
    const following = followThread(
      { agent: this.agent, threadId: this.id, after: "0" },
      (event, place) => {
        if (quiet !== null) clearTimeout(quiet);
        if (this.facts.status === "loading") quiet = setTimeout(shown, quietMs);
        if (place !== null || event.type !== "RUN_ERROR") this.take(event, place);
      },
      AbortSignal.any([this.stream.signal, this.closing.signal]),
    );
    try {
      await following;
    } catch (error) {
      // Stopped by hand, or broken off in the middle: what was read counts, the rest follows.
      if (this.closing.signal.aborted || this.place === "0") throw error;
    } finally {
      if (quiet !== null) clearTimeout(quiet);
    }
    if (this.now().running && !this.facts.stopping) await this.catchUp();
  }

  private take(event: Parameters<Conversation["apply"]>[0], place: string | null): void {
    if (place !== null) this.place = place;
    try {
      this.conversation.apply(event);
    } catch {
      // A change that does not fit what is known: the session has the whole state.
      void this.readState();
    }
    this.publish();
  }

  private async readState(): Promise<void> {
    const session = await readThread(this.agent, this.id, this.closing.signal).catch(() => null);
    if (session === null) return;
    this.conversation.setState(session.state);
    this.publish();
  }

  /** While something waits for a person: looks whether it was decided elsewhere, and goes on when it was. */
  private async watch(): Promise<void> {
    const { signal } = this.closing;
    if (this.watching) return;
    this.watching = true;
    try {
      while (this.isWaiting) {
        await pause(lookMs, signal);
        if (document.visibilityState === "visible" && this.isWaiting) await this.look();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.watching = false;
    }
  }
  private get isWaiting(): boolean {
    const { running, approvals } = this.now();
    return !running && approvals.length > 0;
  }

  private async look(): Promise<void> {
    let session: Awaited<ReturnType<typeof readThread>>;
    try {
      session = await readThread(this.agent, this.id, this.closing.signal);
    } catch {
      // The next look may get through.
      return;
    }
    if (session === null || !this.isWaiting) return;
    const open = new Set(session.approvals.map(({ id }) => id));
    const { approvals } = this.now();
    if (approvals.every(({ id }) => open.has(id))) return;
    this.conversation.setApprovals(approvals.filter(({ id }) => open.has(id)));
    toast({ tone: "info", text: "It was decided elsewhere." });
    this.publish();
    if (session.running || open.size === 0) await this.catchUp();
    else if (this.isAnswered && this.now().approvals.length === 0) await this.sendAnswers();
  }

  private async refused(message: string): Promise<void> {
    const session = await readThread(this.agent, this.id, this.closing.signal).catch(() => null);
    if (session !== null) {
      this.conversation.setApprovals(session.approvals);
      if (session.running) await this.catchUp();
    }
    this.set({ refusal: message, decisions: new Map() });
  }

  private answeredBy(label: string): void {
    this.conversation.setModel(label);
    changeThread(this.agent, this.id, { model: label });
  }

  /** What was sent is the state's now, unless it was changed again meanwhile. */
  private editsSent(sent: JsonObject): void {
    const edits = Object.fromEntries(
      Object.entries(this.facts.edits).filter(([key, value]) => sent[key] !== value),
    );
    this.facts = { ...this.facts, edits };
  }

  private now(): ThreadView {
    return { ...this.conversation.view(), ...this.facts };
  }

  private set(parts: Partial<typeof this.facts>): void {
    this.facts = { ...this.facts, ...parts };
    this.publish();
  }

  /** Tells the page at most once a frame, however fast the events come. */
  private publish(): void {
    if (this.frame !== null || this.closing.signal.aborted) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.told = null;
      for (const listener of this.listeners) listener();
    });
  }
}

function payloadOf(decision: Decision): JsonObject {
  switch (decision.kind) {
    case "approve":
      return { approved: true };
    case "edit":
      return { approved: true, editedArgs: decision.args };
    case "reject":
      return { approved: false, ...(decision.reason === undefined ? {} : { reason: decision.reason }) };
  }
}
