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

describe("workflows", () => {
  test("are listed, described, started, decided, retried and cancelled", async () => {
    const { items } = (await json("workflows", "list")) as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).toContain("refund");
    const { schema } = (await json("workflows", "schema", "refund")) as {
      schema: { input: { type: string } };
    };
    expect(schema.input.type).toBe("object");
    const input = { orderId: "ord_42", amount: 19.99, approvalToken: "cli-refund" };
    const start = ["workflows", "start", "refund", "--input", JSON.stringify(input)];
    const { runId, trigger } = (await json(...start)) as { runId: string; trigger: string };
    expect(trigger).toBe("manual");
    const mine = async () =>
      (
        (await json("hitl", "list", "--status", "pending")) as { items: { runId: string; id: string }[] }
      ).items.find((item) => item.runId === runId);
    await expect.poll(mine, { timeout: 10_000 }).toBeDefined();
    const id = (await mine())?.id ?? "";
    expect((await here("runs", "get", runId)).out).toMatch(/waits for +token .*\napproval +cli-refund /);
    expect((await here("hitl", "get", id)).out).toContain('{"orderId":"ord_42","amount":19.99}');
    expect(await json("hitl", "approve", id, "--edit", '{"amount":5}', "--reason", "half", "--yes")).toEqual({
      schema_version: 1,
      id,
      status: "approved",
    });
    const lost = await here("hitl", "reject", id, "--yes", "--json");
    expect({ code: lost.code, error: JSON.parse(lost.err).error.code }).toEqual({
      code: 1,
      error: "hook_already_resolved",
    });
    await expect
      .poll(async () => (await json("runs", "get", runId)).status, { timeout: 10_000 })
      .toBe("done");
    const done = await json("runs", "get", runId);
    expect(done.output).toEqual({ orderId: "ord_42", refunded: true, amount: 5 });
    expect((done.steps as { name: string }[]).map(({ name }) => name)).toEqual([
      "requestApproval",
      "payBack",
    ]);
    const logs = (await here("logs", runId)).out.trim().split("\n");
    expect(logs[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}run +workflowName=refund /);
    expect(logs.at(-1)).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}end +status=done output=/);
    expect((await here("runs", "cancel", runId, "--yes")).code).toBe(1);
    expect((await here("runs", "retry", runId)).code).toBe(5);
    const { run } = (await json("runs", "retry", runId, "--yes")) as { run: { id: string } };
    expect(run.id).not.toBe(runId);
    await expect
      .poll(async () => (await json("runs", "get", run.id)).waits, { timeout: 10_000 })
      .toHaveLength(1);
    expect((await json("runs", "cancel", run.id, "--yes")).status).toBe("interrupted");
    const listed = (await json("runs", "list", "--workflow", "refund", "--status", "interrupted")) as {
      items: { runId: string }[];
    };
    expect(listed.items.map((item) => item.runId)).toEqual([run.id]);
  }, 120_000);

  test("that take another input, or are none, say so", async () => {
    const wrong = await here(
      "workflows",
      "start",
      "refund",
      "--input",
      '{"orderId":"a","amount":-1}',
      "--json",
    );
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.err)).toEqual({
      schema_version: 1,
      error: {
        code: "workflow_input_invalid",
        message:
          "The input does not fit the workflow's schema at amount: Too small: expected number to be >0",
        issues: [
          "amount: Too small: expected number to be >0",
          "approvalToken: Invalid input: expected string, received undefined",
        ],
      },
    });
    expect((await here("workflows", "start", "refund", "--input", "{")).code).toBe(1);
    expect((await here("workflows", "start", "nothing")).code).toBe(4);
    expect((await here("workflows", "schema", "nothing")).code).toBe(4);
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
