import type * as z from "zod";
import type { Context, OwnedContext } from "./context.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a route says about itself: read by `/openapi.json` and `/api/contract`, so neither can drift from the code. */
interface RouteInfo {
  /** One line, imperative. */
  summary: string;
  description?: string;
  /** The capability `/api/contract` lists while this route exists, such as `rehearsals.start`. */
  capability?: string;
  /** The client protocol this route speaks, listed by `/api/contract`, such as `sandtable.step`. */
  wire?: string;
  /** Schema of the query, as given to `readQuery`. */
  query?: z.ZodObject;
  /** Schema of the JSON body, as given to `readJson`. */
  request?: z.ZodType;
  /** Successful replies by status. Failures all share one shape and are described once. */
  responses: { [status: number]: RouteReply };
}

export interface RouteReply {
  description: string;
  schema?: z.ZodType;
  /** Default `application/json` when there is a schema. */
  contentType?: string;
}

/** A handler with its description; where it is reached is the router's business. */
export type Route =
  | (RouteInfo & {
      access: "open";
      /** Answered although the configuration is refused or no token is set: only what tells an operator so. */
      always?: boolean;
      handle(context: Context): Response | Promise<Response>;
    })
  | (RouteInfo & {
      access: "credential";
      /** A call without a credential is answered too, where any credential would be: for callers that send no headers. */
      loopbackWithout?: boolean;
      handle(context: OwnedContext): Response | Promise<Response>;
    });

/** One line of the router. */
export interface RouteEntry {
  method: Method;
  /** itty-router syntax; a parameter is one segment: `/api/rehearsals/:runId`. */
  path: string;
  route: Route;
}

/** `GET path`; HEAD is answered from it too. */
export function get(path: string, route: Route): RouteEntry {
  return { method: "GET", path, route };
}

/** `POST path`. */
export function post(path: string, route: Route): RouteEntry {
  return { method: "POST", path, route };
}

/** `DELETE path`. */
export function del(path: string, route: Route): RouteEntry {
  return { method: "DELETE", path, route };
}

/** A part of the address space whose clients expect errors in a shape of their own. */
export interface ErrorArea {
  /** Such as `/openai/` for all below it, or `/agent` for that address alone. */
  prefix: string;
  /** The reply for anything thrown: an `HttpError`, or what nobody foresaw. Never carries a cause or a stack. */
  render(thrown: unknown, requestId: string): Response;
}
