import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LiveEngine } from "../support/live-engine.ts";

const bin = fileURLToPath(new URL("../../bin/greenroom.js", import.meta.url));

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
}, 120_000);
afterAll(() => engine.close());

interface Ended {
  code: number;
  out: string;
  err: string;
}

function greenroom(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const given = { ...process.env, NO_COLOR: "1", GREENROOM_ENDPOINT: "", GREENROOM_TOKEN: "", ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env: given }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The command against the engine under test. */
const here = (...args: string[]) =>
  greenroom(args, { GREENROOM_ENDPOINT: engine.url, GREENROOM_TOKEN: engine.token });

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await here(...args, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as Record<string, unknown>;
}

/** A turn that ends in a question to a person; the id of the approval. */
async function refundAsked(session: string): Promise<string> {
  const response = await fetch(`${engine.url}/openai/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${engine.token}`,
      "content-type": "application/json",
      "x-stackbone-session": session,
    },
    body: JSON.stringify({
      model: "playground",
      messages: [{ role: "user", content: "delete notes.txt" }],
    }),
  });
  expect(response.status).toBe(200);
  await response.json();
  const { items } = (await json("hitl", "list", "--status", "pending")) as {
    items: { id: string; session: string }[];
  };
  const found = items.find((item) => item.session === session);
  if (found === undefined) throw new Error("nothing waits");
  return found.id;
}

describe("agents", () => {
  test("are listed for people and for programs", async () => {
    const { code, out } = await here("agents", "list");
    expect(code).toBe(0);
    expect(out).toMatch(/^agent +.*\n(.*\n)*support /);
    const reply = await json("agents", "list");
    expect(reply.schema_version).toBe(1);
    expect((reply.items as { name: string }[]).map(({ name }) => name)).toEqual([
      "freight",
      "planner",
      "playground",
      "support",
    ]);
    const support = await json("agents", "get", "support");
    expect((support.tools as { name: string; gated: boolean }[]).filter(({ gated }) => gated)).toHaveLength(
      1,
    );
  });

  test("that are not there are 4", async () => {
    const { code, err } = await here("agents", "get", "nobody", "--json");
    expect(code).toBe(4);
    expect(JSON.parse(err)).toMatchObject({ schema_version: 1, error: { code: "not_found" } });
  });
});

describe("what waits for a person", () => {
  test("is shown, decided once, and its run goes on", async () => {
    const id = await refundAsked("cli-1");
    const shown = await here("hitl", "get", id);
    expect(shown.out).toContain("tool-approval for");
    const without = await here("hitl", "approve", id, "--json");
    expect(without.code).toBe(5);
    expect(JSON.parse(without.err).error).toEqual({
      code: "confirmation_required",
      message: `This would approve ${id}.`,
      suggestion: "Add --yes to do it.",
    });
    expect(await json("hitl", "approve", id, "--yes")).toEqual({ schema_version: 1, id, status: "approved" });
    const again = await here("hitl", "reject", id, "--yes", "--json");
    expect({ code: again.code, error: JSON.parse(again.err).error.code }).toEqual({
      code: 1,
      error: "conflict",
    });
    const { runId } = await json("hitl", "get", id);
    await expect
      .poll(async () => (await json("runs", "get", String(runId))).status, { timeout: 10_000 })
      .toBe("done");
    const { items } = (await json("runs", "list", "--agent", "playground", "--kind", "agent")) as {
      items: { runId: string }[];
    };
    expect(items.map((item) => item.runId)).toContain(runId);
    const logs = await here("logs", String(runId), "--json");
    const types = logs.out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types[0]).toBe("RUN_STARTED");
    expect(types.at(-1)).toBe("RUN_FINISHED");
  });
});

describe("exit codes", () => {
  test("2: no token for a hosted one; 3: nothing runs there; 1: wrong usage", async () => {
    expect((await greenroom(["agents", "list", "--endpoint", "https://greenroom.invalid"])).code).toBe(2);
    expect((await greenroom(["agents", "list", "--endpoint", "http://127.0.0.1:1"])).code).toBe(3);
    expect((await greenroom(["runs", "list", "--limit", "1000"])).code).toBe(1);
    expect((await greenroom(["runs", "list", "--endpoint", "ftp://x"])).code).toBe(1);
  });

  test("4: no such run", async () => {
    expect((await here("runs", "get", "run_none")).code).toBe(4);
    expect((await here("runs", "cancel", "run_none", "--yes")).code).toBe(4);
    expect((await here("logs", "run_none")).code).toBe(4);
  });
});
