import { type IRequest, Router } from "itty-router";
import { readConfig } from "../config.ts";
import type { Env } from "../env.ts";
import type { Context } from "./context.ts";
import { addCorsHeaders, isPreflight, preflightResponse } from "./cors.ts";
import { authenticate, presentedCredentials } from "./credentials.ts";
import { discard } from "./discard.ts";
import { errorResponse, HttpError } from "./errors.ts";
import { isLoopbackHost } from "./host.ts";
import { failureLine, secretsOf } from "./log.ts";
import { isNotMigrated, notMigratedMessage } from "./not-migrated.ts";
import { addStandardHeaders } from "./reply-headers.ts";
import { requestId } from "./request-id.ts";
import type { ErrorArea, Route, RouteEntry } from "./route.ts";

type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Promise<Response>;

/** What the router leaves behind about the match, for the log. */
interface Match {
  route: string;
}

/**
 * Serves `routes` and, for every other address outside `/api` and the `areas`, the static files. What holds for every reply holds
 * here: the request id, CORS and standard headers, HEAD and OPTIONS, 404 and 405, one rendering of errors, one log
 * line for what nobody expected.
 */
export function serve(routes: RouteEntry[], areas: ErrorArea[] = []): Fetch {
  const router = Router<IRequest, [Context, Match], Response>();
  for (const { method, path, route } of routes) {
    router.all(path, (matched: IRequest, context: Context, match: Match) => {
      if (matched.method !== method) return undefined;
      match.route = path;
      return answer(route, { ...context, params: decodeParams(matched.params) });
    });
  }

  /** The methods of the routes that lie on `pathname`, HEAD and OPTIONS with them; empty when there is none. */
  const methodsOn = (pathname: string): string[] => {
    const methods = routes
      .filter((_, index) => router.routes[index]?.[1].test(pathname))
      .map(({ method }) => method);
    if (methods.length === 0) return [];
    return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])];
  };

  const isOurs = (pathname: string) =>
    pathname === "/api" || pathname.startsWith("/api/") || areas.some((area) => liesIn(area, pathname));

  return async (request, env, ctx) => {
    const id = requestId(request.headers, () => crypto.randomUUID());
    const match: Match = { route: "" };
    try {
      const url = new URL(request.url);
      // A base address that ends with a slash makes two of them.
      url.pathname = url.pathname.replace(/\/{2,}/g, "/");
      const methods = methodsOn(url.pathname);
      if (methods.length === 0 && !isOurs(url.pathname) && mayBePage(request.method, url.pathname)) {
        return withHeaders(await env.ASSETS.fetch(request), (headers) => headers.set("x-request-id", id));
      }
      const context = openContext(request, env, ctx, id, url);
      const response = await respond(request, context, methods, match);
      if (response.status >= 400 && request.body !== null && !request.bodyUsed) {
        await discard(request.body.getReader());
      }
      const origins = usableOrigins(context);
      const origin = request.headers.get("origin");
      const reply = request.method === "HEAD" ? await withoutBody(response) : response;
      return withHeaders(reply, (headers) => finish(headers, id, origin, origins));
    } catch (thrown) {
      console.error(
        failureLine(
          thrown,
          { requestId: id, method: request.method, route: match.route },
          secretsOf(env, []),
        ),
      );
      return withHeaders(errorResponse(thrown, id), (headers) => finish(headers, id, null, []));
    }
  };

  /** What a client with a wrong base address needs to hear. */
  function nothingAt(pathname: string): string {
    const area = areas.find((one) => liesIn(one, pathname));
    const paths = routes
      .map(({ path }) => path)
      .filter((path) => area !== undefined && path.startsWith(area.prefix));
    const known =
      area === undefined
        ? `Base addresses: ${areas.map(({ prefix }) => prefix).join(", ")}`
        : `There is ${[...new Set(paths)].join(", ")}`;
    return `There is nothing at ${pathname.slice(0, 200)}. ${known}; all is described at /openapi.json.`;
  }

  async function respond(
    request: Request,
    context: Context,
    methods: string[],
    match: Match,
  ): Promise<Response> {
    try {
      if (isPreflight(request)) return preflightResponse(request, methods.length > 0 ? methods : allMethods);
      if (methods.length === 0) throw new HttpError("not_found", nothingAt(context.url.pathname));
      if (request.method === "OPTIONS")
        return new Response(null, { status: 204, headers: { allow: methods.join(", ") } });
      // A plain object: the router writes what it matched on what it is given, and the request stays untouched.
      const asked = { method: request.method === "HEAD" ? "GET" : request.method, url: context.url.href };
      const response = await router.fetch(asked, context, match);
      if (response !== undefined) return response;
      throw new HttpError("method_not_allowed", `${context.url.pathname} answers ${methods.join(", ")}.`, {
        headers: { allow: methods.join(", ") },
      });
    } catch (thrown) {
      const area = areas.find((one) => liesIn(one, context.url.pathname));
      return failure(thrown, request, context, match, area?.render ?? errorResponse);
    }
  }
}

function liesIn({ prefix }: ErrorArea, pathname: string): boolean {
  return prefix.endsWith("/") ? pathname.startsWith(prefix) : pathname.replace(/\/$/, "") === prefix;
}

/** A page is only ever read, and nothing under `/v1/` is one: a client that asks there has the wrong base address. */
function mayBePage(method: string, pathname: string): boolean {
  return (method === "GET" || method === "HEAD") && !pathname.startsWith("/v1/");
}

const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function openContext(request: Request, env: Env, ctx: ExecutionContext, id: string, url: URL): Context {
  const { config, problems } = readConfig(env);
  const loopback = isLoopbackHost(url.hostname);
  return {
    request,
    env,
    ctx,
    config,
    configProblems: problems,
    requestId: id,
    url,
    loopback,
    outbound: { loopbackAllowed: loopback, allowedHosts: config.allowedHosts },
    params: {},
  };
}

async function answer(route: Route, context: Context): Promise<Response> {
  const [problem] = context.configProblems;
  if (problem !== undefined && !(route.access === "open" && route.always === true)) {
    throw new HttpError("configuration_invalid", problem.message, {
      details: { variable: problem.variable },
    });
  }
  if (route.access === "open") return route.handle(context);
  const { request, config, loopback } = context;
  const owner = await authenticate(request.headers, config, loopback, route.loopbackWithout === true);
  return route.handle({ ...context, owner });
}

function decodeParams(params: { [name: string]: string }): { [name: string]: string } {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch (error) {
    throw new HttpError(
      "invalid_request",
      "The address holds a % that does not start an encoded UTF-8 character.",
      {
        cause: error,
      },
    );
  }
}

/** The reply to anything thrown; logs what was not foreseen, unless it is only the caller having left. */
function failure(
  thrown: unknown,
  request: Request,
  context: Context,
  match: Match,
  render: ErrorArea["render"],
): Response {
  if (thrown instanceof HttpError) return render(thrown, context.requestId);
  if (!request.signal.aborted) {
    const about = { requestId: context.requestId, method: request.method, route: match.route };
    console.error(failureLine(thrown, about, secretsOf(context.env, presentedCredentials(request.headers))));
  }
  if (isNotMigrated(thrown)) return render(notMigrated(), context.requestId);
  return render(isPassing(thrown) ? overloaded() : thrown, context.requestId);
}

function notMigrated(): HttpError {
  return new HttpError("unavailable", notMigratedMessage);
}

/** Whether the platform says that the same call may well succeed in a moment. */
function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (
    ("retryable" in thrown && thrown.retryable === true) ||
    ("overloaded" in thrown && thrown.overloaded === true)
  );
}

function overloaded(): HttpError {
  return new HttpError(
    "unavailable",
    "This part of Greenroom is busy or restarting. Try again in a moment.",
    {
      headers: { "retry-after": "1" },
    },
  );
}

function finish(headers: Headers, id: string, origin: string | null, allowedOrigins: string[]): void {
  headers.set("x-request-id", id);
  addStandardHeaders(headers);
  addCorsHeaders(headers, origin, allowedOrigins);
}

/** The origins in force: none while the variable is refused, rather than the default somebody meant to replace. */
function usableOrigins({ config, configProblems }: Context): string[] {
  return configProblems.some(({ variable }) => variable === "AGENT_ALLOWED_ORIGINS")
    ? []
    : config.allowedOrigins;
}

/** The same reply to HEAD. What would have produced the body is told to stop. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

/**
 * `response` with its headers changed. Those of a reply that came from elsewhere cannot be changed in place; to copy
 * one of ours would make a stream of its body.
 */
function withHeaders(response: Response, change: (headers: Headers) => void): Response {
  try {
    change(response.headers);
    return response;
  } catch {
    const changed = new Response(response.body, response);
    change(changed.headers);
    return changed;
  }
}
