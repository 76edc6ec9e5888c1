import { describe, expect, it } from "vitest";
import { call, deployed, loopback } from "./call.ts";

const listed = "http://localhost:5173";
const stranger = "https://evil.example";

function preflight(path: string, origin: string, asked: { [name: string]: string } = {}, variables = {}) {
  const headers = { origin, "access-control-request-method": "POST", ...asked };
  return call(`${loopback}${path}`, { method: "OPTIONS", headers }, variables);
}

describe("preflight", () => {
  it("permits a listed origin, without a credential and without cookies", async () => {
    const response = await preflight("/api/rehearsals", listed, {
      "access-control-request-headers": "authorization",
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe(listed);
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("access-control-allow-methods")?.split(", ").sort()).toEqual([
      "GET",
      "HEAD",
      "OPTIONS",
      "POST",
    ]);
    expect(response.headers.get("access-control-max-age")).toBe("600");
    expect(response.headers.get("vary")).toBe("Access-Control-Request-Headers, Origin");
    const allowed = response.headers.get("access-control-allow-headers")?.split(", ");
    expect(allowed).toEqual(
      expect.arrayContaining([
        "authorization",
        "x-api-key",
        "content-type",
        "x-request-id",
        "x-stackbone-session",
        "x-stackbone-conversation",
        "idempotency-key",
        "last-event-id",
        "anthropic-version",
        "anthropic-beta",
        "anthropic-dangerous-direct-browser-access",
      ]),
    );
  });

  it("permits the headers official clients add, and no others", async () => {
    const response = await preflight("/api/rehearsals", listed, {
      "access-control-request-headers":
        "x-stainless-os, Anthropic-New-Thing,cookie, x-evil, x-stainless-a_b, authorization",
    });
    const allowed = response.headers.get("access-control-allow-headers")?.split(", ") ?? [];
    expect(allowed).toContain("x-stainless-os");
    expect(allowed).toContain("anthropic-new-thing");
    expect(allowed.filter((name) => /cookie|evil|a_b/.test(name))).toEqual([]);
    expect(allowed.filter((name) => name === "authorization")).toHaveLength(1);
  });

  it.each([
    stranger,
    "null",
    "http://localhost:5173.evil.example",
    "http://localhost",
    "https://localhost:5173",
    "HTTP://LOCALHOST:5173",
  ])("answers %s without permitting it", async (origin) => {
    const response = await preflight("/api/rehearsals", origin);
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("vary")).toContain("Origin");
  });

  it("lets a page see that an address does not exist", async () => {
    expect((await preflight("/api/nothing", listed)).status).toBe(204);
  });

  it("answers while the configuration is refused, permitting nobody if it is the list", async () => {
    const other = await preflight("/api/rehearsals", listed, {}, { AGENT_MAX_BODY: "x" });
    expect(other.headers.get("access-control-allow-origin")).toBe(listed);
    const list = await preflight("/api/rehearsals", listed, {}, { AGENT_ALLOWED_ORIGINS: "*" });
    expect(list.status).toBe(204);
    expect(list.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("replies", () => {
  it("let a listed origin read them and their request id", async () => {
    const { headers } = await call(`${loopback}/api/contract`, { headers: { origin: listed } });
    expect(headers.get("access-control-allow-origin")).toBe(listed);
    expect(headers.get("access-control-expose-headers")).toBe(
      "x-request-id, request-id, x-should-retry, retry-after, x-greenroom-model",
    );
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("are served to any other origin without the headers", async () => {
    const response = await call(`${loopback}/api/contract`, { headers: { origin: stranger } });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("access-control-expose-headers")).toBeNull();
  });

  it.each(["/live", "/health", "/openapi.json", "/api/contract", "/api/rehearsals", "/api/nothing"])(
    "vary by origin on %s",
    async (path) => {
      for (const headers of [{}, { origin: listed }, { origin: stranger }]) {
        const response = await call(`${loopback}${path}`, { headers });
        expect(response.headers.get("vary")).toContain("Origin");
      }
    },
  );

  it("let a listed origin read failures too", async () => {
    const unauthorized = await call(`${loopback}/api/rehearsals`, { headers: { origin: listed } });
    expect(unauthorized.status).toBe(401);
    expect(unauthorized.headers.get("access-control-allow-origin")).toBe(listed);
    const wrongMethod = await call(`${loopback}/live`, { method: "POST", headers: { origin: listed } });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get("access-control-allow-origin")).toBe(listed);
  });

  it("follow AGENT_ALLOWED_ORIGINS instead of the local ports once it is set", async () => {
    const variables = { AGENT_ALLOWED_ORIGINS: "https://app.example.com" };
    const own = await call(`${deployed}/live`, { headers: { origin: "https://app.example.com" } }, variables);
    expect(own.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    const local = await call(`${deployed}/live`, { headers: { origin: listed } }, variables);
    expect(local.headers.get("access-control-allow-origin")).toBeNull();
  });
});
