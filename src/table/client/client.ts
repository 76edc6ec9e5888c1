import type { AgentHttpResponse, AudioClip, ConversationLine } from "../protocol/messages.ts";
import { checkedClip } from "../protocol/parse-request.ts";
import type { AskReader } from "./ask-reader.ts";
import { connections } from "./connection.ts";
import { AgentError, AgentHttpError, AgentTurnError } from "./errors.ts";
import { cancelled, type ExchangeOptions, exchangeWith } from "./exchange.ts";
import type { ContextOptions, TableSessionPort } from "./session-port.ts";
import { type LinkDeps, tableLink } from "./table-link.ts";
import { runTurn } from "./turn.ts";
import { turnRecord } from "./turn-record.ts";
import type { TurnReport } from "./turn-report.ts";

export interface AgentHttpClientOptions extends ExchangeOptions {
  /** Which guides travel with a contract; `full` unless given. */
  context?: ContextOptions;
  /** Ask for replies that come as events; a `send` may say otherwise. */
  stream?: boolean;
  /** Puts a backend's question to the reader; a `send` may bring its own. */
  askUser?: AskReader;
  /** `false` sends the contract with every request; unless so it travels until the backend acknowledges it. */
  pinCatalog?: boolean;
  /** Milliseconds, for the lifetime of pins. */
  now?: () => number;
  /** A new turn's id, unique for the table; a random UUID unless given. */
  newTurnId?: () => string;
}

export interface SendOptions {
  /** A clip instead of words: travels once, and its transcript from then on. */
  audio?: AudioClip;
  /** What the backend heard, once. */
  onTranscript?: (text: string) => void;
  /** The text of the reply under way so far: a later round's text takes the place of an earlier one's. */
  onText?: (text: string) => void;
  askUser?: AskReader;
  /** Tell the backend what its calls came to when it asks, and let it put malformed ones right. */
  returnResults?: boolean;
  /** Earlier exchanges, oldest first, without this message. */
  conversation?: ConversationLine[];
  stream?: boolean;
  profile?: "compact" | "full";
  /** Gives the turn up: before its plan is whole it rejects with `cancelled`, later the calls left are `cancelled`. */
  signal?: AbortSignal;
}

/** A table's way to one backend. Safe to use for several tables, and for several turns of one at a time. */
export interface AgentHttpClient {
  /** Shows the backend the table; a random 200 is refused. Not needed before `send`, which brings the table itself. */
  connect(session: TableSessionPort, options?: { signal?: AbortSignal }): Promise<AgentHttpResponse>;
  /**
   * One turn. Resolves with receipts, also of calls that were refused and of a turn that stopped short
   * (`unresolved`); rejects with an `AgentError` whose `settled` holds the receipts of what had run before.
   */
  send(session: TableSessionPort, message: string, options?: SendOptions): Promise<TurnReport>;
  /** Forgets what the backend holds of this table, such as after another user has signed in. */
  reset(session: TableSessionPort): void;
}

/** A client of the backend at `endpoint`. Sends nothing until it is used, and keeps headers nowhere. */
export function createAgentHttpClient(options: AgentHttpClientOptions): AgentHttpClient {
  const { now = Date.now, newTurnId = () => crypto.randomUUID(), context = {} } = options;
  const known = connections(now);
  const exchange = exchangeWith(options);
  const never = new AbortController().signal;

  function link(session: TableSessionPort, profile?: ContextOptions["profile"]) {
    const deps: LinkDeps = {
      connections: known,
      exchange,
      context: profile ? { ...context, profile } : context,
      pinCatalog: options.pinCatalog ?? true,
    };
    return tableLink(session, deps);
  }

  return {
    connect: (session, { signal = never } = {}) =>
      link(session).hello({ signal, stream: false, onText: () => undefined }),

    async send(session, message, sendOptions = {}) {
      const { signal = never, audio, conversation, profile } = sendOptions;
      const words = message.trim();
      const record = turnRecord(session);
      try {
        if (words === "" && !audio)
          throw new AgentTurnError("empty-message", "A turn needs words or a clip.");
        if (signal.aborted) throw cancelled();
        await runTurn({
          session,
          record,
          link: link(session, profile),
          turnId: newTurnId(),
          message: words,
          audio: audio && clip(audio),
          conversation,
          stream: sendOptions.stream ?? options.stream ?? false,
          returnResults: sendOptions.returnResults ?? false,
          signal,
          ask: sendOptions.askUser ?? options.askUser,
          onText: sendOptions.onText ?? (() => undefined),
          onTranscript: sendOptions.onTranscript ?? (() => undefined),
          sameContext: contextGuard(session),
        });
      } catch (error) {
        const failure = agentError(error, signal);
        failure.settled = record.report();
        throw failure;
      }
      return record.report();
    },

    reset: (session) => known.forget(session),
  };
}

/**
 * Watches what must not change under a turn: which table this is, and whether and how a person is asked before a write.
 * A new revision or another set of capabilities is ordinary, and each call is judged by the session on its own.
 */
function contextGuard(session: TableSessionPort): () => void {
  const state = () => {
    const { write, approval, commit } = session.policy();
    return JSON.stringify([session.tableId, write, approval, commit]);
  };
  const began = state();
  return () => {
    if (state() !== began)
      throw new AgentHttpError(
        "context-stale",
        "The table or its policy for writes changed during the turn, so the rest of it was not run.",
      );
  };
}

/** A clip the backend's parser takes, so that one it would refuse is not sent. */
function clip(audio: AudioClip): AudioClip {
  try {
    return checkedClip(audio);
  } catch (cause) {
    if (cause instanceof TypeError) throw new AgentHttpError("audio-invalid", cause.message, { cause });
    throw cause;
  }
}

/** What ended a turn, as an error with a code. */
function agentError(error: unknown, signal: AbortSignal): AgentError {
  if (error instanceof AgentError) return error;
  // A host's own function that waits for its signal rejects with the signal's reason.
  if (signal.aborted) return cancelled();
  const message = error instanceof Error ? error.message : "A function the host passed has failed.";
  return new AgentTurnError("host-failed", message, { cause: error });
}
