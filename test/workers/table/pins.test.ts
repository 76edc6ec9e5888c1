import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TablePins } from "../../../objects/table-pins.ts";
import { tableObject } from "../../../src/store/objects.ts";
import {
  maxPins,
  maxSaidOfAll,
  maxSaidTurns,
  pinKeepMs,
  pinTouchMs,
  pinTtlMs,
} from "../../../src/table/backend/pin-store.ts";
import { contractVersion, hello, pinnedTurn } from "../../unit/table/backend/table-wire.ts";
import { ownerOf } from "../session/client.ts";
import { provide } from "./provider-server.ts";
import { connect, post, reply } from "./wire.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const vars = { AGENT_PROVIDER: "openai", OPENAI_API_KEY: "sk-provider" };
const answers = () => provide(() => '{"toolCalls":[],"text":"Fine."}');

const objectOf = async (token: string) => tableObject(env, await ownerOf(token));

describe("a pin", () => {
  it("survives the object that holds it", async () => {
    answers();
    const sessionId = await connect({ vars });
    await evictDurableObject(await objectOf("t"));
    expect(await reply(pinnedTurn(sessionId), { vars })).toEqual({
      schemaVersion: "adapttable.agent.v1",
      sessionId,
      text: "Fine.",
      pin: { status: "acknowledged", contractVersion, ttlMs: pinTtlMs },
    });
  });

  it("is of no use under another credential, also when that one pins the same session id", async () => {
    const asked = answers();
    const sessionId = await connect({ vars });
    const other = { vars, token: "somebody else" };
    expect(await reply(pinnedTurn(sessionId), other)).toEqual({
      schemaVersion: "adapttable.agent.v1",
      text: "The table's contract is not known here any more. Send it again with the turn.",
      pin: { status: "expired" },
    });
    expect(asked).toEqual([]);
    const theirs = { ...hello, sessionId, contractVersion: "theirs" };
    expect((await reply(theirs, other)).pin?.contractVersion).toBe("theirs");
    expect((await reply(pinnedTurn(sessionId), { vars })).pin?.contractVersion).toBe(contractVersion);
  });

  it("without a credential, on a loopback host, belongs to whoever sends none", async () => {
    answers();
    const sessionId = await connect({ vars, token: null });
    expect((await reply(pinnedTurn(sessionId), { vars, token: null })).text).toBe("Fine.");
    expect((await reply(pinnedTurn(sessionId), { vars })).pin?.status).toBe("expired");
  });

  it("holds the largest contract a request may bring", async () => {
    const asked = answers();
    const columns = Array.from({ length: 400 }, (_, n) => ({
      id: `c${n}`,
      label: `Column ${n}`,
      type: "string",
      readable: true,
      writable: false,
      sortable: true,
      description: "\u00e9".repeat(250),
    }));
    const large = {
      ...hello,
      context: { ...hello.context, contract: { ...hello.context.contract, columns } },
    };
    const bytes = new TextEncoder().encode(JSON.stringify(large)).length;
    expect(bytes).toBeGreaterThan(240_000);
    expect(bytes).toBeLessThan(256_000);
    const { sessionId } = await reply(large, { vars });
    await reply(pinnedTurn(sessionId ?? ""), { vars });
    expect(asked[0]?.body).toContain("Column 399");
  });

  it("is deleted by the alarm once nobody uses it", async () => {
    const token = "alone";
    const sessionId = await connect({ token });
    const object = await objectOf(token);
    const count = () =>
      runInDurableObject(
        object,
        (_, state) => state.storage.sql.exec("SELECT count(*) AS n FROM pins").one().n,
      );
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await count()).toBe(1);
    expect(await runInDurableObject(object, (_, state) => state.storage.getAlarm())).toBeGreaterThan(
      Date.now() + pinTtlMs,
    );
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + pinKeepMs + 1 });
    try {
      await runDurableObjectAlarm(object);
      expect(await count()).toBe(0);
      expect(await runInDurableObject(object, (_, state) => state.storage.getAlarm())).toBeNull();
      expect((await reply(pinnedTurn(sessionId), { token })).pin?.status).toBe("expired");
    } finally {
      vi.useRealTimers();
    }
  });
});

it("a later life of the object does not put the alarm off", async () => {
  const token = "twice";
  await connect({ token });
  const object = await objectOf(token);
  const alarm = () => runInDurableObject(object, (_, state) => state.storage.getAlarm());
  const due = await alarm();
  expect(due).toBeGreaterThan(Date.now());
  await evictDurableObject(object);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
  try {
    await connect({ token });
    expect(await alarm()).toBe(due);
  } finally {
    vi.useRealTimers();
  }
});

describe("an object's pins", () => {
  /** Pins in a database of their own. */
  const inSql = (check: (pins: TablePins, sql: SqlStorage) => void) =>
    runInDurableObject(env.TABLE.get(env.TABLE.newUniqueId()), (_, state) =>
      check(new TablePins(state.storage.sql), state.storage.sql),
    );

  it("last while they are used, written down at most once a minute", () =>
    inSql((pins, sql) => {
      const used = () => Number(sql.exec("SELECT used_at FROM pins").one().used_at);
      pins.keep("s", "t", "doc", 1_000);
      expect(pins.find("s", "t", 1_000 + pinTouchMs - 1)?.doc).toBe("doc");
      expect(used()).toBe(1_000);
      expect(pins.find("s", "t", 1_000 + pinTouchMs)?.doc).toBe("doc");
      expect(used()).toBe(1_000 + pinTouchMs);
      expect(pins.find("s", "t", used() + pinKeepMs - 1)?.doc).toBe("doc");
      expect(pins.find("s", "t", used() + pinKeepMs)).toBeNull();
      expect(pins.find("s", "other", used())).toBeNull();
    }));

  it("drop the one used longest ago beyond the limit", () =>
    inSql((pins, sql) => {
      for (let n = 0; n <= maxPins; n += 1) pins.keep(`s${n}`, "t", "doc", 1_000 + n);
      expect(sql.exec("SELECT count(*) AS n FROM pins").one().n).toBe(maxPins);
      expect(pins.find("s0", "t", 2_000)).toBeNull();
      expect(pins.find("s1", "t", 2_000)?.doc).toBe("doc");
    }));

  it("know a document that was acknowledged within a pin's lifetime", () =>
    inSql((pins) => {
      expect(pins.keep("s", "t", "doc", 0)).toEqual({ known: false, said: [] });
      expect(pins.keep("s", "t", "doc", pinTtlMs - 1)).toEqual({ known: true, said: [] });
      expect(pins.keep("s", "t", "doc", pinTtlMs)).toEqual({ known: false, said: [] });
      expect(pins.keep("s", "t", "other", pinTtlMs)).toEqual({ known: false, said: [] });
    }));

  it("remember what was said at a table, a turn once and in its place, as long as an unused pin lasts", () =>
    inSql((pins, sql) => {
      const turn = (turnId: string, reply = "") => ({ turnId, message: `m${turnId}`, reply });
      pins.say("s", "t", turn("1"), 1_000);
      pins.say("s", "t", turn("2", "two"), 1_001);
      pins.say("s", "t", turn("1", "one"), 1_002);
      pins.say("s", "other", turn("3"), 1_003);
      expect(pins.keep("s", "t", "doc", 1_004).said).toEqual([turn("1", "one"), turn("2", "two")]);
      expect(pins.find("s", "t", 1_004)?.said).toEqual([turn("1", "one"), turn("2", "two")]);
      expect(pins.keep("s", "t", "doc", 1_001 + pinKeepMs).said).toEqual([turn("1", "one")]);
      pins.expire(1_003 + pinKeepMs);
      expect(sql.exec("SELECT count(*) AS n FROM said").one().n).toBe(0);
      for (let n = 0; n <= maxSaidTurns; n += 1) pins.say("s", "t", turn(`${n}`), 5_000);
      expect(pins.keep("s", "t", "doc", 5_001).said.map(({ turnId }) => turnId)[0]).toBe("1");
      for (let n = 0; n < maxSaidOfAll; n += 1) pins.say(`s${n}`, "t", turn("x"), 5_000);
      expect(sql.exec("SELECT count(*) AS n FROM said").one().n).toBe(maxSaidOfAll);
    }));

  it("forget losses, of which no more are kept than of pins", () =>
    inSql((pins, sql) => {
      for (let n = 0; n <= maxPins; n += 1) pins.noteLoss(`t${n}`, 1_000 + n);
      expect(sql.exec("SELECT count(*) AS n FROM losses").one().n).toBe(maxPins);
      expect(pins.wasLost("t0", 2_000)).toBe(false);
      expect(pins.wasLost("t1", 2_000)).toBe(true);
      expect(pins.wasLost("t1", 1_001 + pinKeepMs)).toBe(false);
      pins.expire(1_001 + pinKeepMs);
      expect(pins.nextExpiry()).toBe(1_002 + pinKeepMs);
      pins.expire(10_000 + pinKeepMs);
      expect(pins.nextExpiry()).toBeNull();
    }));
});

it("a turn is answered with what was said before, though its client does not send it and the object was away", async () => {
  const asked = answers();
  const sessionId = await connect({ vars });
  await reply(pinnedTurn(sessionId, { message: "only the Core team" }), { vars });
  await evictDurableObject(await objectOf("t"));
  await reply(pinnedTurn(sessionId, { message: "and sort them", turnId: "t2" }), { vars });
  expect(asked[0]?.body).not.toContain("Earlier, oldest first");
  const { messages }: { messages: { content: string }[] } = JSON.parse(asked[1]?.body ?? "{}");
  expect(messages.at(-1)?.content).toContain(
    'Earlier, oldest first:\n{"role":"user","text":"only the Core team"}\n{"role":"assistant","text":"Fine."}',
  );
});

it("a turn after a lost pin is pinned again although it accepts a stream", async () => {
  answers();
  const accept = "text/event-stream, application/json";
  const lost = await post(pinnedTurn("gone"), { vars, accept });
  expect(await lost.json()).toMatchObject({ pin: { status: "expired" } });
  const { kind: _, ...brought } = hello;
  const again = await post({ ...brought, kind: "turn", message: "hi", turnId: "t1" }, { vars, accept });
  expect(await again.json()).toMatchObject({ text: "Fine.", pin: { status: "acknowledged" } });
});
