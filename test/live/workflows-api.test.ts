import { createParser } from "eventsource-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LiveEngine } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
}, 120_000);
afterAll(() => engine.close());

interface Reply {
  status: number;
  body: Record<string, unknown> & { error?: Record<string, unknown> };
}

function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(`${engine.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${engine.token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function call(...request: Parameters<typeof send>): Promise<Reply> {
  const response = await send(...request);
  return { status: response.status, body: (await response.json()) as Reply["body"] };
}

interface Frame {
  id: string | undefined;
  event: string | undefined;
  data: Record<string, unknown>;
}

/** Frames of a stream, to its end or up to the first that `enough` says is enough. */
async function frames(response: Response, enough: (frame: Frame) => boolean = () => false): Promise<Frame[]> {
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const seen: Frame[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => seen.push({ id, event, data: JSON.parse(data) as Frame["data"] }),
  });
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    parser.feed(text);
    const at = seen.findIndex(enough);
    if (at >= 0) return seen.slice(0, at + 1);
  }
  return seen;
}

const play = (...actions: unknown[]) => ({ actions });

async function start(input: unknown, headers: Record<string, string> = {}, name = "playground") {
  const { status, body } = await call("POST", `/api/workflows/${name}/start`, input, headers);
  expect(status).toBe(200);
  return String(body.runId);
}

async function run(runId: string) {
  return (await call("GET", `/api/runs/${runId}`)).body;
}

async function ended(runId: string) {
  await expect.poll(async () => (await run(runId)).endedAt, { timeout: 15_000 }).not.toBeNull();
  return run(runId);
}

async function waiting(runId: string) {
  const open = async () =>
    ((await run(runId)).waits as { status: string }[]).filter(({ status }) => status === "open").length;
  await expect.poll(open, { timeout: 15_000 }).toBeGreaterThan(0);
}

describe("the catalogue", () => {
  test("lists every workflow, and shows what one takes and gives", async () => {
    const { body } = await call("GET", "/api/workflows");
    const items = body.items as { name: string; trigger: string; hasSchema: boolean }[];
    expect(items.map(({ name }) => name)).toContain("refund");
    expect(items.find(({ name }) => name === "weekly-digest")).toMatchObject({
      trigger: "schedule",
      serial: true,
    });
    const { schema } = (await call("GET", "/api/workflows/refund/schema")).body as {
      schema: { input: { required: string[] }; output: { required: string[] } };
    };
    expect(schema.input.required).toEqual(["orderId", "amount", "approvalToken"]);
    expect(schema.output.required).toEqual(["orderId", "refunded"]);
  });

  test("names what there is when a workflow is not", async () => {
    for (const [method, path] of [
      ["GET", "/api/workflows/nope/schema"],
      ["POST", "/api/workflows/nope/start"],
      ["POST", "/api/workflows/nope/chat"],
    ] as const) {
      const { status, body } = await call(method, path, method === "POST" ? {} : undefined);
      expect(status).toBe(404);
      expect(body.error).toMatchObject({
        code: "workflow_not_found",
        message: expect.stringContaining("refund"),
      });
    }
  });
});

describe("a start", () => {
  test("answers the run's handle", async () => {
    const { status, body } = await call("POST", "/api/workflows/playground/start", play());
    expect(status).toBe(200);
    expect(body).toEqual({
      workflowName: "playground",
      runId: expect.stringMatching(/^run_/),
      worldRunId: body.runId,
      trigger: "manual",
    });
    expect(await ended(String(body.runId))).toMatchObject({ status: "done", output: { results: [] } });
  });

  test("refuses what does not fit with every place, and starts nothing", async () => {
    const before = (await call("GET", "/api/runs?workflow=refund")).body.items;
    for (const verb of ["start", "chat"]) {
      const { status, body } = await call("POST", `/api/workflows/refund/${verb}`, {
        orderId: 1,
        amount: -2,
      });
      expect(status).toBe(400);
      expect(body.error?.code).toBe("workflow_input_invalid");
      const issues = (body.error?.issues ?? []) as { path: string }[];
      expect(issues.map(({ path }) => path)).toEqual(["orderId", "amount", "approvalToken"]);
    }
    expect((await call("GET", "/api/runs?workflow=refund")).body.items).toEqual(before);
  });

  test("with a key starts once; with another input the key is refused", async () => {
    const key = { "idempotency-key": "once" };
    const first = await start(play(), key);
    expect(await start(play(), key)).toBe(first);
    const { status, body } = await call(
      "POST",
      "/api/workflows/playground/start",
      play({ do: "sleep", ms: 1 }),
      key,
    );
    expect({ status, code: body.error?.code, runId: body.error?.runId }).toEqual({
      status: 409,
      code: "conflict",
      runId: first,
    });
    const empty = await call("POST", "/api/workflows/playground/start", play(), { "idempotency-key": " " });
    expect(empty.status).toBe(400);
  });

  test("of a workflow that goes one run at a time says when it is in line", async () => {
    const asked = Array.from({ length: 8 }, () => call("POST", "/api/workflows/weekly-digest/start", {}));
    const replies = await Promise.all(asked);
    const queued = replies.filter(({ status }) => status === 202);
    expect(queued.length).toBeGreaterThan(0);
    for (const { body } of queued) {
      expect(body).toMatchObject({ workflowName: "weekly-digest", status: "queued" });
      expect(body.position).toBeGreaterThanOrEqual(1);
    }
    for (const { status, body } of replies) {
      expect([200, 202]).toContain(status);
      expect((await ended(String(body.runId))).status).toBe("done");
    }
  });

  test("is grouped by x-stackbone-conversation", async () => {
    const runId = await start(play(), { "x-stackbone-conversation": "group-1" });
    const { body } = await call("GET", "/api/runs?conversation=group-1");
    expect((body.items as { runId: string; kind: string }[]).map((item) => [item.kind, item.runId])).toEqual([
      ["workflow", runId],
    ]);
  });
});

describe("chat", () => {
  test("streams the run frame first, an agent's turn as it happens, and done last", async () => {
    const response = await send("POST", "/api/workflows/ask-agent/chat", {
      agent: "playground",
      question: "Hello",
    });
    expect(response.status).toBe(200);
    const seen = await frames(response);
    expect(seen[0]).toMatchObject({ id: "1", event: "run", data: { workflowName: "ask-agent" } });
    expect(seen[0]?.data.worldRunId).toBe(seen[0]?.data.runId);
    expect(seen.at(-1)).toMatchObject({ event: "done", data: { type: "end", status: "done" } });
    const turn = seen.filter(({ data }) => data.type === "agent").map(({ data }) => data.event);
    const said = (turn as { type: string; delta?: string }[])
      .filter(({ type }) => type === "text-delta")
      .map(({ delta }) => delta)
      .join("");
    expect(said).not.toBe("");
    expect(seen.at(-1)?.data.output).toEqual({ answer: said });
    expect(new Set(seen.slice(1, -1).map(({ event }) => event))).toEqual(new Set(["message"]));
    expect(seen.map(({ id }) => Number(id))).toEqual(seen.map((_, index) => index + 1));
  });

  test("is taken up again after the last event seen, by the run or by the key", async () => {
    const input = play({ do: "step", name: "one" }, { do: "sleep", ms: 700 }, { do: "step", name: "two" });
    const key = { "idempotency-key": "chat-again" };
    const response = await send("POST", "/api/workflows/playground/chat", input, key);
    const first = await frames(response, ({ data }) => data.type === "wait-start");
    const last = String(first.at(-1)?.id);
    const runId = String(first[0]?.data.runId);
    const byRun = await frames(
      await send("GET", `/api/runs/${runId}/events`, undefined, { "last-event-id": last }),
    );
    expect(byRun[0]?.id).toBe(String(Number(last) + 1));
    expect(byRun.at(-1)?.event).toBe("done");
    const byKey = await frames(
      await send("POST", "/api/workflows/playground/chat", input, { ...key, "last-event-id": last }),
    );
    expect(byKey).toEqual(byRun);
    const wrong = await call("GET", `/api/runs/${runId}/events`, undefined, { "last-event-id": "x" });
    expect(wrong.status).toBe(400);
  });

  test("left after every single frame misses none, and runs nothing twice", async () => {
    const input = play(
      { do: "step", name: "a", failures: 1, retryAfterMs: 20 },
      { do: "sleep", ms: 30 },
      { do: "agent", message: "Count to 3", stream: true },
    );
    const key = { "idempotency-key": "chat-left" };
    const seen: Frame[] = [];
    while (seen.at(-1)?.event !== "done") {
      const last = seen.at(-1)?.id;
      const from = last === undefined ? key : { ...key, "last-event-id": last };
      const response = await send("POST", "/api/workflows/playground/chat", input, from);
      seen.push(...(await frames(response, () => true)));
    }
    const runId = String(seen[0]?.data.runId);
    expect(await frames(await send("GET", `/api/runs/${runId}/events`))).toEqual(seen);
    expect(seen.map(({ id }) => Number(id))).toEqual(seen.map((_, index) => index + 1));
    expect(((await run(runId)).steps as { attempts: number }[]).map(({ attempts }) => attempts)).toEqual([
      2, 1,
    ]);
  });

  test("of a run that fails ends with an error frame", async () => {
    const response = await send("POST", "/api/workflows/playground/chat", play({ do: "step", fatal: true }));
    const seen = await frames(response);
    expect(seen.at(-1)).toMatchObject({
      event: "error",
      data: { status: "failed", failure: { message: "step cannot be done" } },
    });
  });
});

describe("a hook", () => {
  test("takes a decision once, says the same to a repeat, and what holds to another", async () => {
    const runId = await start(play({ do: "approval", token: "api-1" }));
    await waiting(runId);
    const resume = (body: unknown) => call("POST", "/api/workflows/hooks/api-1/resume", body);
    const took = {
      status: 200,
      body: { runId, workflowName: "playground", token: "api-1", status: "approved" },
    };
    expect(await resume({ status: "approved", payload: { amount: 2 } })).toEqual(took);
    expect(await resume({ status: "approved", payload: { amount: 2 } })).toEqual(took);
    const other = await resume({ approved: false });
    expect(other.status).toBe(409);
    expect(other.body.error).toMatchObject({
      code: "hook_already_resolved",
      status: "approved",
      decision: { status: "approved", payload: { amount: 2 } },
    });
    expect((await ended(runId)).output).toEqual({
      results: [{ status: "approved", payload: { amount: 2 }, timedOut: false }],
    });
    expect((await resume({ status: "approved", payload: { amount: 2 } })).status).toBe(200);
  });

  test("refuses what is no decision, and a token that nobody waits on", async () => {
    const runId = await start(play({ do: "approval", token: "api-2" }));
    await waiting(runId);
    const wrong = await call("POST", "/api/workflows/hooks/api-2/resume", { status: "maybe" });
    expect({ status: wrong.status, code: wrong.body.error?.code }).toEqual({
      status: 400,
      code: "invalid_body",
    });
    const unknown = await call("POST", "/api/workflows/hooks/nobody/resume", { approved: true });
    expect({ status: unknown.status, code: unknown.body.error?.code }).toEqual({
      status: 404,
      code: "hook_not_found",
    });
    const cancelled = await call("POST", `/api/runs/${runId}/cancel`);
    expect(cancelled.body).toMatchObject({ kind: "workflow", status: "interrupted" });
    expect((await call("POST", `/api/runs/${runId}/cancel`)).status).toBe(200);
    const closed = await call("POST", "/api/workflows/hooks/api-2/resume", { approved: true });
    expect({ status: closed.status, code: closed.body.error?.code }).toEqual({
      status: 410,
      code: "hook_closed",
    });
  });

  test("whose deadline has passed says so, and the inbox shows that nobody decided", async () => {
    const runId = await start(play({ do: "approval", token: "api-3", timeoutMs: 300, fallback: "approve" }));
    expect((await ended(runId)).output).toEqual({ results: [{ status: "approved", timedOut: true }] });
    const late = await call("POST", "/api/workflows/hooks/api-3/resume", { approved: false });
    expect({ status: late.status, code: late.body.error?.code }).toEqual({
      status: 410,
      code: "hook_expired",
    });
    const mine = async () =>
      (
        (await call("GET", "/api/approvals?kind=workflow&status=timed_out")).body.items as { runId: string }[]
      ).filter((item) => item.runId === runId);
    await expect
      .poll(mine)
      .toMatchObject([{ status: "timed_out", decidedBy: "timeout", fallback: "approve" }]);
  });

  test("is not for a caller without the right credential", async () => {
    const runId = await start(play({ do: "approval", token: "api-4" }));
    await waiting(runId);
    const other = { authorization: "Bearer somebody-else" };
    expect((await call("POST", "/api/workflows/hooks/api-4/resume", { approved: true }, other)).status).toBe(
      401,
    );
    await call("POST", `/api/runs/${runId}/cancel`);
  });
});

describe("the inbox", () => {
  test("shows what a workflow asks with its run, and a decision there resumes it", async () => {
    const runId = await start({ orderId: "ord_42", amount: 19.99, approvalToken: "inbox-1" }, {}, "refund");
    await waiting(runId);
    const pending = async () =>
      (
        (await call("GET", "/api/approvals?status=pending")).body.items as { runId: string; id: string }[]
      ).find((item) => item.runId === runId);
    await expect.poll(pending).toBeDefined();
    const item = await pending();
    expect(item).toMatchObject({
      kind: "workflow",
      topic: "refund",
      title: "Approve refund",
      payload: { orderId: "ord_42", amount: 19.99 },
    });
    const detail = (await call("GET", `/api/approvals/${item?.id}`)).body;
    expect(detail.run).toMatchObject({ runId, status: "running" });
    const approved = await call("POST", `/api/approvals/${item?.id}/approve`, {
      editedPayload: { orderId: "ord_42", amount: 5 },
    });
    expect(approved).toEqual({ status: 200, body: { id: item?.id, status: "approved" } });
    expect((await ended(runId)).output).toEqual({ orderId: "ord_42", refunded: true, amount: 5 });
    const late = await call("POST", `/api/approvals/${item?.id}/reject`, { reason: "no" });
    expect(late.status).toBe(409);
    expect((await call("GET", `/api/approvals/${item?.id}`)).body).toMatchObject({
      status: "approved",
      decidedBy: "inbox",
    });
  });
});

describe("runs", () => {
  test("are listed by kind, workflow and status, page by page", async () => {
    const failed = await start(play({ do: "step", fatal: true }));
    expect(await ended(failed)).toMatchObject({
      status: "failed",
      failure: { message: "step cannot be done" },
      steps: [{ name: "work", status: "failed", attempts: 1 }],
    });
    const find = async (query: string) =>
      ((await call("GET", `/api/runs?${query}`)).body.items as { runId: string }[]).map(({ runId }) => runId);
    expect(await find("kind=workflow&workflow=playground&status=failed")).toContain(failed);
    expect(await find("kind=agent")).not.toContain(failed);
    const first = await call("GET", "/api/runs?limit=1");
    const second = await call(
      "GET",
      `/api/runs?limit=1&cursor=${encodeURIComponent(String(first.body.nextCursor))}`,
    );
    expect(second.body.items).not.toEqual(first.body.items);
    expect((await call("GET", "/api/runs?status=lost")).status).toBe(400);
  });

  test("that ended are retried as new ones from the same input; one under way is not", async () => {
    const failed = await start(play({ do: "step", name: "again", fatal: true }));
    await ended(failed);
    const { status, body } = await call("POST", `/api/runs/${failed}/retry`);
    expect(status).toBe(200);
    const { id } = body.run as { id: string };
    expect(id).not.toBe(failed);
    expect(await ended(id)).toMatchObject({ retryOf: failed, input: (await run(failed)).input });
    const sleeping = await start(play({ do: "sleep", ms: 60_000 }));
    expect((await call("POST", `/api/runs/${sleeping}/retry`)).status).toBe(409);
    await call("POST", `/api/runs/${sleeping}/cancel`);
    expect((await call("POST", "/api/runs/run_none/retry")).status).toBe(404);
    expect((await call("POST", "/api/runs/run_none/cancel")).status).toBe(404);
    expect((await call("GET", "/api/runs/run_none/events")).status).toBe(404);
  });
});
