import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Variables } from "../../../src/config.ts";
import type { RouteEntry } from "../../../src/http/route.ts";
import { serve } from "../../../src/http/serve.ts";
import { handle } from "../../../src/router.ts";

export const loopback = "http://127.0.0.1:8787";
export const deployed = "https://greenroom.example.com";

/** The Worker as it would answer with these variables or bindings set. */
export function call(
  url: string,
  init: RequestInit = {},
  changes: Variables & Partial<Cloudflare.Env> = {},
): Promise<Response> {
  return handle(new Request(url, init), { ...env, ...changes }, createExecutionContext());
}

/** The same, for routes of the test's own. */
export function callRoutes(
  routes: RouteEntry[],
  url: string,
  init: RequestInit = {},
  variables: Variables = {},
): Promise<Response> {
  return serve(routes)(new Request(url, init), { ...env, ...variables }, createExecutionContext());
}

/** The error object of a reply. */
export async function errorOf(response: Response): Promise<{ [key: string]: unknown }> {
  const body: { error: { [key: string]: unknown } } = await response.json();
  return body.error;
}
