import { expect, test } from "vitest";
import type { Task } from "../../../src/sandtable/domain/types.ts";
import { idleTasks, passesDoingNothing, playIdle } from "../../../src/sandtable/verdict/do-nothing.ts";
import { BaseRows } from "../../../src/sandtable/verdict/overlay-world.ts";
import { call, expecting, is, scripted, smallDomain, task } from "./small-domain.ts";

const domain = smallDomain([]);
const passes = (more: Partial<Task>) => passesDoingNothing(domain, task(more));

test("a task that only forbids is passed by doing nothing", () => {
  const available = { table: "loads", key: "L-1002", where: [[is("status", "eq", "available")]] };
  expect(passes({ expect: expecting({ notCalled: [{ tool: "book_load" }], state: [available] }) })).toBe(
    true,
  );
  expect(passes({})).toBe(true);
});

test("a task that asks for a call, a word or a change is not", () => {
  const booked = { table: "loads", key: "L-1002", where: [[is("status", "eq", "booked")]] };
  expect(passes({ expect: expecting({ called: [call("verify_carrier")] }) })).toBe(false);
  expect(passes({ expect: expecting({ say: [{ any: ["expired"] }] }) })).toBe(false);
  expect(passes({ expect: expecting({ state: [booked] }) })).toBe(false);
});

test("what the task gives is in the world that is graded", () => {
  const booked = {
    table: "loads",
    key: "L-1002",
    where: [[is("status", "eq", "booked"), is("ceiling", "eq", 1375)]],
  };
  const given = [{ table: "loads", key: "L-1002", row: { status: "booked" } }];
  expect(passes({ given, expect: expecting({ state: [booked] }) })).toBe(true);
  const gone = { table: "loads", key: "L-1002", where: null };
  expect(passes({ expect: expecting({ state: [gone] }) })).toBe(false);
  const removed = [{ table: "loads", key: "L-1002", row: null }];
  expect(passes({ given: removed, expect: expecting({ state: [gone] }) })).toBe(true);
});

test("either of a neutral word and silence is enough to pass", () => {
  expect(passes({ expect: expecting({ notSay: [{ any: ["okay"] }] }) })).toBe(true);
  expect(passes({ expect: expecting({ say: [{ any: ["okay"] }] }) })).toBe(true);
  expect(passes({ expect: expecting({ say: [{ any: ["okay"] }], notSay: [{ any: ["okay"] }] }) })).toBe(
    false,
  );
});

test("the caller is really played, to the last turn it may have", () => {
  // The last turn's number is what the rule of the expectation sees: a reply for each line.
  const counting = scripted({ replies: [{ when: [], say: ["More?"], act: "continue" }] });
  const lines = (count: number) => ({
    table: "loads",
    key: "L-1001",
    where: [
      [
        {
          path: ["ceiling"],
          op: "eq" as const,
          value: { kind: "cel" as const, source: `size(messages) == ${count} ? 1500 : 0` },
        },
      ],
    ],
  });
  expect(passes({ caller: counting, maxTurns: 7, expect: expecting({ state: [lines(14)] }) })).toBe(true);
  expect(passes({ caller: scripted(), expect: expecting({ state: [lines(2)] }) })).toBe(true);
  const patient = scripted({
    fallback: { when: [], say: ["What?"], act: "continue" },
    patience: 2,
    givesUp: ["Bye."],
  });
  // Hi, What?, What?, Bye., each answered.
  expect(passes({ caller: patient, expect: expecting({ state: [lines(8)] }) })).toBe(true);
  const curt = scripted({ replies: [{ when: [{ said: ["okay"] }], say: [], act: "hang_up" }] });
  expect(passes({ caller: curt, expect: expecting({ state: [lines(2)] }) })).toBe(true);
});

test("a model-played caller is taken to leave after one answer", () => {
  const caller = { kind: "model" as const, goal: "Book", knows: [], unknown: [], opens: "Hello" };
  expect(passes({ caller })).toBe(true);
  expect(passes({ caller, expect: expecting({ called: [call("get_load")] }) })).toBe(false);
  expect(passes({ caller, expect: expecting({ say: [{ any: ["hello"] }] }) })).toBe(false);
});

test("a caller whose condition cannot be evaluated makes an errored trial, which is no pass", () => {
  const caller = scripted({
    replies: [{ when: [{ cel: "row('loads', 'L-404').ceiling > 1" }], say: ["x"], act: "continue" }],
  });
  expect(passes({ caller })).toBe(false);
  expect(playIdle(domain, new BaseRows(domain.tables), task({ caller }), "Okay.")).toEqual({
    verdict: "errored",
    message: "loads has no row L-404",
  });
});

test("only the tasks asked for, in their order", () => {
  const tasks = [
    task({ id: "b" }),
    task({ id: "c", expect: expecting({ called: [call("get_load")] }) }),
    task({ id: "a" }),
  ];
  expect(idleTasks(domain, tasks)).toEqual(["b", "a"]);
  expect(idleTasks(domain, [])).toEqual([]);
});

test("a large table is not copied for each task", () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => ({
    load_id: `L-${i}`,
    status: "available",
    ceiling: i,
  }));
  const [loads, ...others] = domain.tables;
  if (loads === undefined) throw new Error("no table");
  const large = { ...domain, tables: [{ ...loads, rows }, ...others] };
  const given = [{ table: "loads", key: "L-5", row: { status: "booked" } }];
  const state = [{ table: "loads", key: "L-99999", where: [[is("ceiling", "eq", 99_999)]] }];
  const tasks = Array.from({ length: 200 }, (_, i) =>
    task({ id: `t${i}`, given, expect: expecting({ state }) }),
  );
  const started = performance.now();
  expect(idleTasks(large, tasks)).toHaveLength(200);
  // About 60 ms here; copying the rows for each task takes some 3 s.
  expect(performance.now() - started).toBeLessThan(1500);
});
