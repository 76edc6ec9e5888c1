import { applyD1Migrations, reset } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import packageJson from "../../../package.json";
import { routes } from "../../../src/router.ts";
import { newestMigration } from "../../../src/routes/health.ts";
import { call, deployed, errorOf, loopback } from "./call.ts";

afterEach(() => vi.restoreAllMocks());

describe("/live", () => {
  it("answers without a credential, through the Worker as it is deployed", async () => {
    const response = await exports.default.fetch(`${loopback}/live`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok" });
  });

  it("answers whatever the configuration is", async () => {
    const response = await call(`${deployed}/live`, {}, { AGENT_MAX_BODY: "many" });
    expect(response.status).toBe(200);
  });
});

describe("/health", () => {
  it("is ok when everything works", async () => {
    const response = await call(`${loopback}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "ok",
      checks: {
        database: { ok: true, ms: expect.any(Number) },
        durable: { ok: true, ms: expect.any(Number) },
        configuration: { ok: true },
      },
    });
  });

  it("knows the newest migration", () => {
    expect(env.MIGRATIONS.at(-1)?.name).toBe(newestMigration);
  });

  // Some of these take the tables away.
  afterEach(() => applyD1Migrations(env.DB, env.MIGRATIONS));

  it("says which command migrates a database that is not", async () => {
    await reset();
    const response = await call(`${loopback}/health`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      status: "failing",
      checks: {
        database: {
          ok: false,
          error:
            "The database is not migrated. Run: npx wrangler d1 migrations apply DB --local (or --remote for the deployed one)",
        },
        durable: { ok: true },
        configuration: { ok: true },
      },
    });
  });

  it("says the same of a database that lacks the newest migration", async () => {
    await reset();
    await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, -1));
    const response = await call(`${loopback}/health`);
    expect(await response.json()).toMatchObject({
      checks: { database: { ok: false, error: expect.stringContaining("is not migrated") } },
    });
  });

  it("keeps what the database said out of the reply and writes it to the log", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const DB = failingDatabase(() => Promise.reject(new Error("D1_ERROR: canary-detail")));
    const response = await call(`${loopback}/health`, { headers: { "x-request-id": "probe-1" } }, { DB });
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(text).not.toContain("canary-detail");
    expect(JSON.parse(text).checks.database).toEqual({
      ok: false,
      error: "It answered with an error; the log has it under this reply's request id.",
    });
    expect(log).toHaveBeenCalledOnce();
    expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toMatchObject({
      requestId: "probe-1",
      route: "/health database",
      error: { message: "D1_ERROR: canary-detail" },
    });
  });

  it("does not wait longer than three seconds", async () => {
    const DB = failingDatabase(() => new Promise(() => undefined));
    const started = Date.now();
    const response = await call(`${loopback}/health`, {}, { DB });
    expect(Date.now() - started).toBeLessThan(4_000);
    expect(await response.json()).toMatchObject({
      status: "failing",
      checks: { database: { ok: false, error: "No answer within 3000 ms." }, durable: { ok: true } },
    });
  });

  it("reports every refused variable", async () => {
    const response = await call(
      `${loopback}/health`,
      {},
      { AGENT_MAX_BODY: "1MB", AGENT_ALLOWED_ORIGINS: "*" },
    );
    expect(response.status).toBe(503);
    const { checks }: { checks: { configuration: { ok: boolean; error: string } } } = await response.json();
    expect(checks.configuration.ok).toBe(false);
    expect(checks.configuration.error).toContain("AGENT_MAX_BODY must be a whole number of bytes");
    expect(checks.configuration.error).toContain("AGENT_ALLOWED_ORIGINS must be origins");
  });

  it("fails on a host that is not loopback while no token is set", async () => {
    const without = await call(`${deployed}/health`);
    expect(await without.json()).toMatchObject({
      status: "failing",
      checks: { configuration: { ok: false, error: expect.stringMatching(/^AGENT_HTTP_TOKEN is not set/) } },
    });
    const withToken = await call(`${deployed}/health`, {}, { AGENT_HTTP_TOKEN: "canary-token" });
    const text = await withToken.text();
    expect(JSON.parse(text).status).toBe("ok");
    expect(text).not.toContain("canary-token");
  });
});

describe("/api/contract", () => {
  it("names what exists and nothing else", async () => {
    const response = await call(`${deployed}/api/contract`);
    expect(response.status).toBe(200);
    const capabilities = new Set(
      routes.map(({ route }) => route.capability).filter((name) => name !== undefined),
    );
    const wires = new Set(routes.map(({ route }) => route.wire).filter((name) => name !== undefined));
    expect(await response.json()).toEqual({
      name: "greenroom",
      version: packageJson.version,
      contract: { version: 1, minSupported: 1 },
      capabilities: [...capabilities].sort(),
      wires: [...wires].sort(),
    });
  });
});

describe("methods", () => {
  it("answers HEAD as GET without a body", async () => {
    const response = await call(`${loopback}/live`, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.body).toBeNull();
  });

  it("answers OPTIONS with what the address allows", async () => {
    const response = await call(`${loopback}/live`, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])(
    "refuses %s where it is not answered",
    async (method) => {
      const response = await call(`${loopback}/live`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(await errorOf(response)).toMatchObject({
        code: "method_not_allowed",
        message: "/live answers GET, HEAD, OPTIONS.",
      });
    },
  );
});

describe("unknown addresses", () => {
  it.each(["/api", "/api/", "/api/nothing", "/api/rehearsals2", "/api/contract/x"])(
    "answers %s in JSON",
    async (path) => {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const response = await call(`${loopback}${path}`, { method });
        expect(response.status).toBe(404);
        expect(await errorOf(response)).toMatchObject({
          code: "not_found",
          requestId: response.headers.get("x-request-id"),
        });
      }
    },
  );

  it("gives everything else to the static files", async () => {
    const asked: string[] = [];
    const files: Partial<Fetcher> = {
      fetch: async (input) => {
        const { pathname } = new URL(new Request(input).url);
        asked.push(pathname);
        const status = pathname === "/" ? 200 : 404;
        return new Response("a page", { status, headers: { "content-type": "text/html", "x-own": "1" } });
      },
    };
    const ASSETS = files as Fetcher;
    const page = await call(`${loopback}/`, {}, { ASSETS });
    expect(page.status).toBe(200);
    expect(page.headers.get("x-own")).toBe("1");
    expect(page.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await page.text()).toBe("a page");
    expect((await call(`${loopback}/nothing/here`, {}, { ASSETS })).status).toBe(404);
    expect(asked).toEqual(["/", "/nothing/here"]);
  });
});

describe("request ids", () => {
  it("keeps a sane one", async () => {
    const response = await call(`${loopback}/live`, { headers: { "x-request-id": "trace-1:a.b_C" } });
    expect(response.headers.get("x-request-id")).toBe("trace-1:a.b_C");
  });

  it.each(["", "a b", "a\tb", "ü", "<script>", "x".repeat(129), 'a"b', "a,b"])(
    "replaces %j",
    async (given) => {
      const response = await call(`${loopback}/live`, { headers: { "x-request-id": given } });
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );
});

it("sends its standard headers with every API reply", async () => {
  for (const path of ["/live", "/health", "/api/contract", "/api/nothing"]) {
    const { headers } = await call(`${loopback}${path}`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

/** A database whose every query ends as `run` does. */
function failingDatabase(run: () => Promise<never>): D1Database {
  const statement: Partial<D1PreparedStatement> = {
    bind: () => statement as D1PreparedStatement,
    first: run,
  };
  const database: Partial<D1Database> = { prepare: () => statement as D1PreparedStatement };
  return database as D1Database;
}
