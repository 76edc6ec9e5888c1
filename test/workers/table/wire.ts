import type { Variables } from "../../../src/config.ts";
import type { AgentHttpResponse } from "../../../src/table/protocol/messages.ts";
import { hello } from "../../unit/table/backend/table-wire.ts";
import { call, loopback } from "../http/call.ts";

export interface PostOptions {
  /** `null`: none is sent. */
  token?: string | null;
  path?: string;
  accept?: string;
  headers?: { [name: string]: string };
  vars?: Variables & { [name: string]: unknown };
  origin?: string;
  signal?: AbortSignal;
}

/** Posts a request of a table to the Worker as it would answer with `vars` set. */
export function post(body: unknown, options: PostOptions = {}): Promise<Response> {
  const { token = "t", path = "/agent", accept, headers, vars = {}, origin = loopback, signal } = options;
  return call(
    `${origin}${path}`,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(accept === undefined ? {} : { accept }),
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    },
    vars,
  );
}

export async function reply(body: unknown, options: PostOptions = {}): Promise<AgentHttpResponse> {
  const response = await post(body, options);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text);
}

export async function refusal(
  body: unknown,
  options: PostOptions = {},
): Promise<{ status: number; error: unknown }> {
  const response = await post(body, options);
  const { error }: { error: unknown } = await response.json();
  return { status: response.status, error };
}

/** A pinned session. */
export async function connect(options: PostOptions = {}): Promise<string> {
  return (await reply(hello, options)).sessionId ?? "";
}
