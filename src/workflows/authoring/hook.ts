import * as z from "zod";
import type { Json, JsonObject } from "../../turn/json.ts";
import { type BodyOps, bodyOps } from "../runtime/scope.ts";

interface HookOptions {
  /** What the one who resumes it says. Unique among the hooks that wait; made from the run's id when left out. */
  token?: string;
  /** Takes one payload after another, read with `for await`. Default: one. */
  many?: boolean;
}

/** Awaited, it is the first payload. Iterated, also a second time, it goes on with the first that was not yet taken. */
export interface Hook<Payload> extends Promise<Payload>, AsyncIterable<Payload> {
  token: string;
  /** Stops listening: the token is free for another run. */
  dispose(): Promise<void>;
}

/** Longest token, characters. */
const maxToken = 200;

/**
 * Listens on a token, in a workflow's body: whoever knows it hands over a payload with
 * `POST /api/workflows/hooks/:token/resume`. Listening begins at once. A token that another run listens on rejects with
 * an error that names that run; when the run ends its tokens are free.
 */
export function createHook<Payload extends Json = Json>(options: HookOptions = {}): Hook<Payload> {
  return openHook<Payload>(options, null);
}

/** A kind of hook whose payloads must fit a schema; one that does not is refused to its sender. */
export function defineHook<Schema extends z.ZodType>({ schema }: { schema: Schema }) {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonObject;
  return {
    create: (options: HookOptions = {}): Hook<z.output<Schema>> =>
      openHook<z.output<Schema>>(options, described, (payload) => schema.parse(payload)),
  };
}

function openHook<Payload>(
  { token, many = false }: HookOptions,
  schema: JsonObject | null,
  read: (payload: Json) => Payload = (payload) => payload as Payload,
): Hook<Payload> {
  const ops = bodyOps("createHook()");
  const id = ops.nextId("hook");
  const name = readToken(token ?? `${ops.runId}.${id}`);
  const wait = (index: number) => `${id} payload ${index + 1}`;
  const opened = ops.openHook("createHook", {
    id,
    wait: wait(0),
    token: name,
    many,
    schema,
    approval: null,
  });
  const first = opened.then(async ({ event }) => read(await ops.settled(wait(0), event)));
  const next = async (index: number) =>
    read(await ops.wait({ id: wait(index), kind: "hook", hook: id, index }));
  // A hook nobody awaits fails no run.
  first.catch(() => undefined);
  let taken = 0;
  return Object.assign(first, {
    token: name,
    dispose: () => dispose(ops, id, opened),
    async *[Symbol.asyncIterator](): AsyncGenerator<Payload> {
      while (taken === 0 || many) {
        const index = taken;
        taken += 1;
        yield index === 0 ? await first : await next(index);
      }
    },
  });
}

async function dispose(ops: BodyOps, id: string, opened: Promise<unknown>): Promise<void> {
  await opened;
  await ops.closeHook(id);
}

/** A token as it can stand in an address. Throws when it is empty, too long, or nothing an address can hold. */
export function readToken(token: string): string {
  if (token === "" || token.length > maxToken)
    throw new Error(`a token has 1 to ${maxToken} characters; got ${token.length}`);
  // Addresses are resolved before they are sent: these two would be gone.
  if (token === "." || token === ".." || !token.isWellFormed())
    throw new Error(`the token ${JSON.stringify(token)} cannot stand in an address; use another`);
  return token;
}
