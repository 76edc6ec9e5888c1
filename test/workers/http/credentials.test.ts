import { describe, expect, it } from "vitest";
import { get, post, type Route } from "../../../src/http/route.ts";
import { routes } from "../../../src/router.ts";
import { call, callRoutes, deployed, errorOf, loopback } from "./call.ts";

const whoami: Route = {
  access: "credential",
  summary: "Say who calls.",
  responses: { 200: { description: "The owner." } },
  handle: (context) =>
    Response.json({ owner: context.owner, loopback: context.loopback, outbound: context.outbound }),
};
const table = [get("/api/whoami", whoami), post("/api/whoami", whoami)];

// SHA-256 of "secret-a", first 32 hex digits.
const ownerOfA = "8766b9cb08e6040b704f1e3ee1e186ef";

function ask(base: string, headers: { [name: string]: string }, token?: string) {
  return callRoutes(
    table,
    `${base}/api/whoami`,
    { headers },
    token === undefined ? {} : { AGENT_HTTP_TOKEN: token },
  );
}

async function ownerOf(response: Response): Promise<string> {
  const { owner }: { owner: string } = await response.json();
  return owner;
}

describe("with AGENT_HTTP_TOKEN", () => {
  it.each([
    [{ authorization: "Bearer secret-a" }],
    [{ authorization: "bearer secret-a" }],
    [{ authorization: "BEARER   secret-a " }],
    [{ "x-api-key": "secret-a" }],
    [{ "x-api-key": "secret-a", authorization: "Bearer wrong" }],
    [{ "x-api-key": "wrong", authorization: "Bearer secret-a" }],
    [{ "x-api-key": "secret-a", authorization: "Basic dXNlcjpwYXNz" }],
  ])("lets %j in, as the owner that belongs to the token", async (headers) => {
    const response = await ask(deployed, headers, "secret-a,secret-b");
    expect(response.status).toBe(200);
    expect(await ownerOf(response)).toBe(ownerOfA);
  });

  it("tells two tokens' owners apart", async () => {
    const b = await ownerOf(await ask(deployed, { authorization: "Bearer secret-b" }, "secret-a,secret-b"));
    expect(b).toMatch(/^[0-9a-f]{32}$/);
    expect(b).not.toBe(ownerOfA);
  });

  it.each([
    [{ authorization: "Bearer secret-" }],
    [{ authorization: "Bearer secret-ab" }],
    [{ authorization: "Bearer SECRET-A" }],
    [{ authorization: "Bearer secret-a,secret-b" }],
    [{ "x-api-key": "secret-a, secret-b" }],
    [{ authorization: "Bearer Bearer secret-a" }],
  ])("keeps %j out", async (headers) => {
    const response = await ask(deployed, headers, "secret-a,secret-b");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await errorOf(response)).toEqual({
      code: "unauthorized",
      message: "The credential is not one of those in AGENT_HTTP_TOKEN.",
      requestId: response.headers.get("x-request-id"),
    });
  });

  it.each([
    [{}],
    [{ authorization: "" }],
    [{ authorization: "Bearer" }],
    [{ authorization: "Bearer  " }],
    [{ "x-api-key": " " }],
    [{ authorization: "secret-a" }],
    [{ authorization: "Basic secret-a" }],
  ])("takes %j for no credential", async (headers) => {
    const response = await ask(deployed, headers, "secret-a");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await errorOf(response)).toMatchObject({
      message: "This call needs a credential: send Authorization: Bearer TOKEN, or x-api-key: TOKEN.",
    });
  });

  it("asks for it on loopback too", async () => {
    expect((await ask(loopback, { authorization: "Bearer anything" }, "secret-a")).status).toBe(401);
  });

  it("does not read it from the address", async () => {
    const response = await callRoutes(
      table,
      `${deployed}/api/whoami?token=secret-a&x-api-key=secret-a`,
      {},
      { AGENT_HTTP_TOKEN: "secret-a" },
    );
    expect(response.status).toBe(401);
  });
});

describe("without AGENT_HTTP_TOKEN", () => {
  it.each([
    "http://127.0.0.1:8787",
    "http://127.8.9.1",
    "http://localhost:8787",
    "http://localhost.:8787",
    "http://[::1]:8787",
    "http://2130706433",
  ])("accepts any credential on %s", async (base) => {
    const response = await ask(base, { authorization: "Bearer anything" });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ loopback: true, outbound: { loopbackAllowed: true } });
  });

  it("still asks for one", async () => {
    expect((await ask(loopback, {})).status).toBe(401);
  });

  it("keeps callers with different credentials apart", async () => {
    const [a, b] = [
      await ask(loopback, { authorization: "Bearer secret-a" }),
      await ask(loopback, { "x-api-key": "secret-b" }),
    ];
    expect(await ownerOf(a)).toBe(ownerOfA);
    expect(await ownerOf(b)).not.toBe(ownerOfA);
  });

  it.each([
    deployed,
    "http://192.168.0.10:8787",
    "http://0.0.0.0:8787",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://[::ffff:127.0.0.1]:8787",
  ])("refuses every call on %s and names the variable", async (base) => {
    for (const headers of [{}, { authorization: "Bearer anything" }]) {
      const response = await ask(base, headers);
      expect(response.status).toBe(503);
      expect(await errorOf(response)).toMatchObject({
        code: "configuration_invalid",
        variable: "AGENT_HTTP_TOKEN",
        message: expect.stringMatching(/^AGENT_HTTP_TOKEN is not set.*wrangler secret put AGENT_HTTP_TOKEN$/),
      });
    }
  });
});

describe("every route of the Worker", () => {
  it.each(
    routes
      .filter(({ route }) => route.access === "credential")
      .map(({ method, path }) => [method, path] as const),
  )("%s %s asks for a credential before it does anything", async (method, path) => {
    const response = await call(
      `${deployed}${path.replace(/:\w+/g, "x")}`,
      { method },
      { AGENT_HTTP_TOKEN: "secret-a" },
    );
    expect(response.status).toBe(401);
  });

  it("leaves exactly these open", () => {
    const open = routes
      .filter(({ route }) => route.access === "open")
      .map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual(["GET /live", "GET /health", "GET /api/contract", "GET /openapi.json"]);
  });
});

describe("refused configuration", () => {
  it("answers every call that needs it with the variable to fix", async () => {
    const response = await callRoutes(
      table,
      `${loopback}/api/whoami`,
      { headers: { authorization: "Bearer a" } },
      { AGENT_MAX_BODY: "1MB" },
    );
    expect(response.status).toBe(503);
    expect(await errorOf(response)).toMatchObject({
      code: "configuration_invalid",
      variable: "AGENT_MAX_BODY",
      message: 'AGENT_MAX_BODY must be a whole number of bytes from 1 to 104857600; got "1MB".',
    });
  });

  it("never falls back to no token when the tokens are refused", async () => {
    const response = await ask(loopback, { authorization: "Bearer anything" }, "secret-a,,secret-b");
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("secret-a");
  });
});
