import * as z from "zod";
import type { Json, JsonObject } from "../turn/json.ts";
import { errorCodes } from "./errors.ts";
import type { RouteEntry, RouteReply } from "./route.ts";

const ErrorReply = z.object({
  error: z.looseObject({ code: z.enum(errorCodes), message: z.string(), requestId: z.string() }),
});

/** The OpenAPI 3.1 document of `routes`. Component schemas are named after the operation they belong to. */
export function describeApi(routes: RouteEntry[], version: string): JsonObject {
  const schemas: JsonObject = {};
  const error = addSchema(schemas, "Error", ErrorReply, "output");
  const paths: JsonObject = {};
  for (const entry of routes) {
    const path = entry.path.replace(/:(\w+)\+?/g, "{$1}");
    const operations = paths[path];
    const operation = describeRoute(entry, schemas, error);
    paths[path] = { ...(isObject(operations) ? operations : {}), [entry.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Greenroom",
      version,
      description: "Serves AI agents and rehearses them before real people meet them.",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
      },
    },
  };
}

function describeRoute(
  { method, path, route }: RouteEntry,
  schemas: JsonObject,
  error: JsonObject,
): JsonObject {
  const operationId = operationIdOf(method, path);
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => name);
  const parameters: Json[] = [
    ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...(route.query === undefined ? [] : describeQuery(route.query)),
  ];
  const responses: JsonObject = {};
  for (const [status, reply] of Object.entries(route.responses)) {
    responses[status] = describeReply(reply, schemas, `${operationId}Response${status}`);
  }
  responses.default = {
    description: "It failed, and says why.",
    content: { "application/json": { schema: error } },
  };
  return {
    operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: route.access === "open" ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: addSchema(schemas, `${operationId}Request`, route.request, "input"),
              },
            },
          },
        }),
    responses,
  };
}

function describeReply(reply: RouteReply, schemas: JsonObject, name: string): JsonObject {
  const type = reply.contentType ?? (reply.schema === undefined ? undefined : "application/json");
  if (type === undefined) return { description: reply.description };
  const schema =
    reply.schema === undefined ? { type: "string" } : addSchema(schemas, name, reply.schema, "output");
  return { description: reply.description, content: { [type]: { schema } } };
}

function describeQuery(query: z.ZodObject): Json[] {
  const { properties, required } = toJsonSchema(query, "input");
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: needed.includes(name),
    schema,
  }));
}

/**
 * Puts `schema` under `name` in the components and returns the reference to it. The definitions inside it, whose
 * references count from the schema's own root, move beside it under names that begin with its own.
 */
function addSchema(schemas: JsonObject, name: string, schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, $defs, ...root } = toJsonSchema(schema, io);
  const place = (reference: string) =>
    `#/components/schemas/${reference.replace(/^#/, name).replace("/$defs/", ".")}`;
  schemas[name] = moveReferences(root, place);
  for (const [key, inner] of Object.entries(isObject($defs) ? $defs : {})) {
    schemas[`${name}.${key}`] = moveReferences(inner, place);
  }
  return { $ref: place("#") };
}

function moveReferences(value: Json, place: (reference: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => moveReferences(item, place));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string" ? [key, place(inner)] : [key, moveReferences(inner, place)],
    ),
  );
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  // Through JSON once: what zod returns also carries its own functions.
  return JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { target: "draft-2020-12", io, unrepresentable: "any" })),
  );
}

/** `POST /api/rehearsals/:runId/cancel` is `postApiRehearsalsByRunIdCancel`. */
function operationIdOf(method: string, path: string): string {
  const words = path
    .split(/[/._-]+/)
    .map((word) => (word.startsWith(":") ? `By${capital(word.slice(1))}` : capital(word)));
  return method.toLowerCase() + words.join("");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
