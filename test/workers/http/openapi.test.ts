import { describe, expect, it } from "vitest";
import * as z from "zod";
import { describeApi } from "../../../src/http/openapi.ts";
import { del, get, post, type Route } from "../../../src/http/route.ts";
import { routes } from "../../../src/router.ts";
import { call, loopback } from "./call.ts";

interface Document {
  openapi: string;
  paths: {
    [path: string]: {
      [method: string]: { operationId: string; security: unknown[]; parameters?: unknown[] };
    };
  };
  components: { schemas: { [name: string]: unknown } };
}

describe("/openapi.json", () => {
  it("describes every route of the router and no other", async () => {
    const document: Document = await (await call(`${loopback}/openapi.json`)).json();
    expect(document.openapi).toBe("3.1.0");
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routed = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(described.sort()).toEqual(routed.sort());
  });

  it("says of every route whether it asks for a credential", async () => {
    const document: Document = await (await call(`${loopback}/openapi.json`)).json();
    for (const { method, path, route } of routes) {
      const operation = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      expect(operation?.security).toEqual(route.access === "open" ? [] : [{ bearer: [] }, { apiKey: [] }]);
    }
  });

  it("refers only to what it defines, and names every operation once", async () => {
    const text = await (await call(`${loopback}/openapi.json`)).text();
    const document: Document = JSON.parse(text);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(document.components.schemas).toHaveProperty([name ?? ""]);
    }
    expect(text).not.toContain("#/$defs/");
    expect(text).not.toContain('"$schema"');
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("describeApi", () => {
  const Tree: z.ZodType = z.object({
    name: z.string(),
    get children() {
      return z.array(Tree);
    },
  });
  const Shared = z.object({ n: z.number() }).meta({ id: "Shared" });
  const route: Route = {
    access: "credential",
    summary: "Do it.",
    description: "At once.",
    query: z.object({ limit: z.coerce.number().default(5).describe("How many"), tag: z.string() }),
    request: z.object({ tree: Tree, a: Shared, b: Shared, left: z.string().default("x") }),
    responses: {
      201: { description: "Done.", schema: z.object({ left: z.string().default("x") }) },
      204: { description: "Nothing." },
    },
    handle: () => new Response(),
  };

  it("writes parameters, bodies and replies as OpenAPI has them", () => {
    const document = describeApi(
      [
        post("/api/things/:id/parts/:part", route),
        del("/api/things/:id/parts/:part", { ...route, access: "open", handle: () => new Response() }),
      ],
      "9.9.9",
    );
    expect(document).toMatchObject({
      info: { title: "Greenroom", version: "9.9.9" },
      paths: {
        "/api/things/{id}/parts/{part}": {
          post: {
            operationId: "postApiThingsByIdPartsByPart",
            summary: "Do it.",
            description: "At once.",
            parameters: [
              { name: "id", in: "path", required: true, schema: { type: "string" } },
              { name: "part", in: "path", required: true, schema: { type: "string" } },
              {
                name: "limit",
                in: "query",
                required: false,
                schema: { default: 5, description: "How many" },
              },
              { name: "tag", in: "query", required: true, schema: { type: "string" } },
            ],
            requestBody: {
              required: true,
              content: {
                "application/json": {
                  schema: { $ref: "#/components/schemas/postApiThingsByIdPartsByPartRequest" },
                },
              },
            },
            responses: {
              201: {
                description: "Done.",
                content: {
                  "application/json": {
                    schema: { $ref: "#/components/schemas/postApiThingsByIdPartsByPartResponse201" },
                  },
                },
              },
              204: { description: "Nothing." },
              default: {
                content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
              },
            },
          },
          delete: { operationId: "deleteApiThingsByIdPartsByPart", security: [] },
        },
      },
    });
    // What a caller may leave out is required of us.
    expect(document).toMatchObject({
      components: {
        schemas: {
          postApiThingsByIdPartsByPartRequest: { required: ["tree", "a", "b"] },
          postApiThingsByIdPartsByPartResponse201: { required: ["left"] },
        },
      },
    });
    const text = JSON.stringify(document);
    const defined = Object.keys((document.components as { schemas: object }).schemas);
    const references = Array.from(
      text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
      ([, name = ""]) => name,
    );
    expect(references.filter((name) => !defined.includes(name))).toEqual([]);
    expect(references).toContain("postApiThingsByIdPartsByPartRequest.Shared");
  });

  it("names a reply that is not JSON by its content type", () => {
    const page: Route = {
      ...route,
      responses: { 200: { description: "A page.", contentType: "text/html" } },
    };
    expect(describeApi([get("/page", page)], "1")).toMatchObject({
      paths: {
        "/page": {
          get: { responses: { 200: { content: { "text/html": { schema: { type: "string" } } } } } },
        },
      },
    });
  });
});
