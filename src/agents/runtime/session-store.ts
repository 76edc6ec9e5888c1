import type { Decision, Interrupt, JsonObject, Message } from "../../turn/index.ts";

/** The agent's own conversation; a subagent's frame is named by the call that started it. */
export const mainFrame = "main";

/**
 * Where a call stands. `new`: the model made it. `waiting`: for a person. `decided`: a person answered. `client`: for the
 * client's result. `running`: its tool was started; found after a restart, it may have run and is not run again.
 */
export type CallStatus = "new" | "waiting" | "decided" | "client" | "running" | "done";

export interface StoredCall {
  callId: string;
  frame: string;
  /** The assistant message that made it. */
  messageId: string;
  name: string;
  args: JsonObject;
  status: CallStatus;
  /** Why the arguments the model wrote cannot be used. */
  invalid: string | null;
}

export interface StoredInterrupt {
  interrupt: Interrupt;
  /** `cancelled`: its turn failed before anybody decided. */
  status: "pending" | "decided" | "cancelled";
  /** `null` unless `decided`. */
  decision: Decision | null;
}

/** Weight of the conversation read for a prompt; the model step trims further to the model's own window. */
export const tailWeight = 1_200_000;

/** What a picture weighs less than its base64 is long: it costs a model little, and memory all the same. */
const mediaDiscount = 16;

/** About how many characters a message puts into a prompt; `chars`: the length of its JSON. */
export function weightOf(message: Message, chars: number): number {
  if (message.role !== "user") return chars;
  let media = 0;
  for (const part of message.parts) if (part.type === "media") media += part.data?.length ?? 0;
  return chars - media + media / mediaDiscount;
}

/** The door a decision came through. */
export type DecidedBy = "wire" | "inbox";

/**
 * What a turn reads and writes of its session. Writes between two awaits become durable together. Results of finished
 * calls are never changed.
 */
export interface SessionStore {
  /**
   * The newest messages of a frame, oldest first, up to about `tailWeight`, and how many older ones are missing.
   * Instructions (`system`) are never missing.
   */
  tail(frame: string): { messages: Message[]; omitted: number };
  lastMessage(frame: string): Message | undefined;
  hasMessage(id: string): boolean;
  append(frame: string, message: Message): void;

  addCalls(calls: StoredCall[]): void;
  /** Calls of a frame without a result, in the order they were made. */
  openCalls(frame: string): StoredCall[];
  call(callId: string): StoredCall | undefined;
  setCall(callId: string, change: { status: CallStatus; args?: JsonObject }): void;

  /** Records that a call waits for a person. */
  addInterrupt(interrupt: Interrupt): void;
  interrupt(id: string): StoredInterrupt | undefined;
  interruptOfCall(callId: string): StoredInterrupt | undefined;
  pendingInterrupts(): Interrupt[];
  /** Records the decision on a pending interrupt, and that its call can go on. */
  decide(id: string, decision: Decision, by: DecidedBy): void;
  /** Takes a pending interrupt back: nobody can decide it any more. */
  cancelInterrupt(callId: string): void;

  state(): JsonObject;
  setState(state: JsonObject): void;
}

/** Calls of the agent's own conversation that wait for the client's result. */
export function clientCalls(store: SessionStore): StoredCall[] {
  return store.openCalls(mainFrame).filter(({ status }) => status === "client");
}

/** Appends a call's result and closes the call, as one. */
export function finishCall(
  store: SessionStore,
  call: Pick<StoredCall, "callId" | "frame">,
  result: { messageId: string; content: string; isError: boolean; edited?: JsonObject },
): void {
  const { callId, frame } = call;
  const { messageId, ...said } = result;
  store.append(frame, { role: "tool", id: messageId, callId, ...said });
  store.setCall(callId, { status: "done" });
}
