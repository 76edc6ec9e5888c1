import { contractFingerprint } from "../protocol/fingerprint.ts";
import { AGENT_HTTP_LIMITS, schemaVersion } from "../protocol/limits.ts";
import type { AgentHttpRequest, AgentHttpResponse } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import type { Connection, Connections } from "./connection.ts";
import { AgentHttpError } from "./errors.ts";
import type { Exchange, PostOptions } from "./exchange.ts";
import { type Description, fitDescription, jsonBytes } from "./fit-description.ts";
import { raced } from "./raced.ts";
import type { ContextOptions, Guide, TableSessionPort } from "./session-port.ts";

/** What a turn says beside the table's own state. */
type TurnPart = Pick<
  AgentHttpRequest,
  "message" | "audio" | "conversation" | "turnId" | "phaseId" | "toolResults" | "pendingCalls"
>;

/** A reply and the revision of the view that its request showed. */
interface AnsweredRound {
  reply: AgentHttpResponse;
  revision: number;
  /** The backend had lost its pin and was sent the contract; it will not be sent again for a second loss. */
  recovered: boolean;
}

/** One table session and its backend: what must travel, travels. */
export interface TableLink {
  /** Shows the backend the table. Rejects with `connect-refused` when the backend does not want it. */
  hello(options: PostOptions): Promise<AgentHttpResponse>;
  /** Tells a backend that holds a contract of before about the one of now; nothing when it holds that, or none. */
  refresh(signal: AbortSignal): Promise<void>;
  /** One round: pinned when the backend holds the contract, with the contract otherwise. */
  round(part: TurnPart, options: PostOptions, mayRecover: boolean): Promise<AnsweredRound>;
  /** Guides the backend was given under the contract it was shown last. */
  keepGuides(guides: Guide[]): void;
}

export interface LinkDeps {
  connections: Connections;
  exchange: Exchange;
  context: ContextOptions;
  /** Off: the contract travels with every request. */
  pinCatalog: boolean;
}

/** The table as it is at this moment, with the parts of a request that describe it. */
interface Snapshot {
  version: string;
  full: Description;
  always: Pick<AgentHttpRequest, "contractVersion" | "selectionVersion" | "view">;
  viewRevision: number;
}

/** What two parts of a request take beside themselves, bytes: a clip's own members, and what joins them. */
const joiningBytes = 200;

/** The link of a session. */
export function tableLink(session: TableSessionPort, deps: LinkDeps): TableLink {
  const { connections, exchange } = deps;
  const connection = connections.of(session);
  let shown = "";
  // What `refresh` has looked at and found current, for the round that follows at once.
  let fresh: Snapshot | undefined;

  function snapshot(): Snapshot {
    const manifest = session.manifest();
    const catalog = session.catalog();
    const bare = session.context(deps.context);
    const version = contractFingerprint(bare.contract, manifest, catalog);
    const context = withAsked(session, bare, version, deps.context, connection);
    const view = session.view();
    shown = version;
    return {
      version,
      full: { context, manifest, catalog },
      always: { contractVersion: version, selectionVersion: context.selection.version, view },
      viewRevision: view.revision,
    };
  }

  /** Sends one request and takes note of what the reply says of pin and session. */
  async function post(
    kind: AgentHttpRequest["kind"],
    now: Snapshot,
    part: TurnPart,
    pinned: boolean,
    options: PostOptions,
  ): Promise<AgentHttpResponse> {
    const place = connection.pin.claim();
    const tableId = session.tableId;
    const sessionId = connection.pin.held()?.sessionId ?? connections.handle(tableId);
    const request: AgentHttpRequest = {
      schemaVersion,
      kind,
      tableId,
      ...given("sessionId", sessionId),
      ...(pinned ? { viewRevision: now.viewRevision } : {}),
      ...now.always,
      ...part,
    };
    const reply = await exchange(
      pinned ? request : withDescription(request, now.full),
      // A stream can carry neither a pin nor a session. A backend that is known to pin is given the chance when it is
      // sent a contract: it would otherwise be sent one with every streamed turn from then on.
      { ...options, stream: options.stream && kind === "turn" && (pinned || !connection.pin.pins()) },
    );
    const refused = reply.ok === false && kind !== "turn";
    const sent = { place, version: now.version, full: !pinned, ...given("sessionId", sessionId) };
    const counts = connection.pin.take(sent, refused ? undefined : reply.pin, reply.sessionId);
    if (counts && !refused && reply.sessionId !== undefined) connections.keepHandle(tableId, reply.sessionId);
    return reply;
  }

  /** The request with as much of the table's description as it has room for beside the rest. */
  function withDescription({ audio, ...rest }: AgentHttpRequest, full: Description): AgentHttpRequest {
    const room = AGENT_HTTP_LIMITS.maxRequestBytes - jsonBytes(rest) - joiningBytes;
    const described = fitDescription(session, full, deps.context, room);
    const selectionVersion = described.context.selection.version;
    return { ...rest, ...described, selectionVersion, ...given("audio", audio) };
  }

  function pinnedNow({ version }: Snapshot): boolean {
    return deps.pinCatalog && connection.pin.held()?.contractVersion === version;
  }

  return {
    async hello(options) {
      const reply = await post("hello", snapshot(), {}, false, options);
      if (reply.ok === false)
        throw new AgentHttpError("connect-refused", reply.text || "The backend refused this table.");
      return reply;
    },

    async refresh(signal) {
      const held = deps.pinCatalog ? connection.pin.held() : undefined;
      if (!held) return;
      const now = snapshot();
      if (held.contractVersion === now.version) {
        fresh = now;
        return;
      }
      const { refreshing } = connection;
      if (refreshing?.version === now.version) return raced(refreshing.done, signal);
      // Shared with every turn that needs it, so one that is given up must not end it for the others.
      const alone = { signal: new AbortController().signal, stream: false, onText: () => undefined };
      const done = post("schema", now, {}, false, alone)
        .then(() => undefined)
        .finally(() => {
          if (connection.refreshing?.done === done) connection.refreshing = undefined;
        });
      connection.refreshing = { version: now.version, done };
      return raced(done, signal);
    },

    async round(part, options, mayRecover) {
      let now = fresh?.viewRevision === session.view().revision ? fresh : snapshot();
      fresh = undefined;
      const pinned = pinnedNow(now);
      let reply = await post("turn", now, part, pinned, options);
      const lost = reply.pin?.status === "expired" || reply.pin?.status === "unknown";
      if (!pinned || !lost || !mayRecover)
        return { reply, revision: now.viewRevision, recovered: !mayRecover };
      // Such a reply is about the pin and nothing else: whatever calls stand beside it are not looked at.
      connections.forget(session);
      now = snapshot();
      reply = await post("turn", now, part, false, options);
      return { reply, revision: now.viewRevision, recovered: true };
    },

    keepGuides: (guides) => connection.guides.keep(shown, guides),
  };
}

/** The context with the guides this backend asked for under the same contract, when the profile leaves some out. */
function withAsked(
  session: TableSessionPort,
  bare: ReturnType<TableSessionPort["context"]>,
  version: string,
  options: ContextOptions,
  connection: Connection,
): ReturnType<TableSessionPort["context"]> {
  const known = connection.guides.keys(version);
  if (options.profile !== "compact" || known.length === 0) return bare;
  return session.context({ ...options, asked: [...new Set([...(options.asked ?? []), ...known])] });
}
