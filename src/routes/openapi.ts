import * as z from "zod";
import { describeApi } from "../http/openapi.ts";
import type { Route, RouteEntry } from "../http/route.ts";
import { version } from "../version.ts";

/** The description of the API, made from the routes and the schemas they validate with. */
export function openapi(routes: () => RouteEntry[]): Route {
  return {
    access: "open",
    summary: "Describe the API (OpenAPI 3.1)",
    responses: {
      200: { description: "This document.", schema: z.looseObject({ openapi: z.literal("3.1.0") }) },
    },
    handle: () => Response.json(describeApi(routes(), version)),
  };
}
