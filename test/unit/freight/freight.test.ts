import { describe, expect, it } from "vitest";
import type { TrialResult } from "../../../src/sandtable/report/results.ts";
import { lintDomain } from "../../../src/sandtable/verdict/lint.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";
import { runTool } from "../../../src/sandtable/world/run-tool.ts";
import type { JsonObject } from "../../../src/turn/json.ts";
import { answering, builtin, loadFreight, play, show, taskOf } from "./play.ts";

const domain = await loadFreight();
const ids = domain.tasks.map((task) => task.id);

const broken = (result: TrialResult) =>
  new Set(
    result.transcript.flatMap((entry) =>
      "rules" in entry
        ? entry.rules.filter((rule) => rule.outcome === "broken").map((rule) => rule.rule)
        : [],
    ),
  );

describe("the freight domain", () => {
  it("has nothing that lint finds", () => {
    expect(lintDomain(domain)).toEqual([]);
  });

  it("searches by stops on the way only when asked to", () => {
    const world = new MemoryWorld();
    plantWorld(world, domain.tables, []);
    const context = { world, conversation: { messages: [], calls: [] }, clock: domain.clock };
    const found = (args: JsonObject) => {
      const outcome = runTool(domain.tools, "search_loads", args, context, domain.tables);
      return outcome.ok ? (outcome.result as { load_id: string }[]).map((row) => row.load_id) : outcome.error;
    };
    expect(found({ origin_state: "TX" })).toEqual(["L-1004", "L-1006", "L-1001", "L-1007", "L-1002"]);
    expect(found({ via_state: "CO" })).toEqual(["L-1006"]);
    expect(found({ via_state: "MO", equipment: "reefer" })).toEqual(["L-1004"]);
  });

  it("shows every form of tool, rule and expectation", () => {
    const { tools, rules, tasks } = domain;
    const effects = tools.flatMap(({ action }) => (action.kind === "write" ? action.effects : []));
    const params = tools.flatMap((tool) => tool.params);
    const kinds = (of: Iterable<string>) => [...new Set(of)].sort();

    expect(kinds(tools.map((tool) => tool.action.kind))).toEqual(["lookup", "respond", "search", "write"]);
    expect(kinds(effects.map((effect) => effect.kind))).toEqual(["create", "delete", "update"]);
    expect(
      kinds(tools.flatMap((tool) => tool.guards.map((guard) => `${guard.on} ${guard.test.kind}`))),
    ).toEqual(["if cel", "if rows", "unless row"]);
    expect(kinds(params.map((param) => param.type))).toEqual([
      "boolean",
      "integer",
      "list",
      "number",
      "object",
      "string",
    ]);
    expect(params.some((param) => param.enum !== undefined)).toBe(true);

    expect(kinds(rules.map((rule) => rule.kind))).toEqual([
      "bound",
      "check",
      "confirmed",
      "limit",
      "never_disclose",
      "requires",
    ]);
    const limits = rules.flatMap((rule) =>
      rule.kind === "bound" ? rule.bounds.map((b) => b.limit.kind) : [],
    );
    expect(kinds(limits)).toEqual(["row", "value"]);
    expect(kinds(rules.map((rule) => rule.severity))).toEqual(["hard", "soft"]);
    for (const rule of rules) expect([rule.id, rule.source?.document]).toEqual([rule.id, "policy.md"]);

    const expected = tasks.flatMap(({ expect: of }) => [
      ...of.called.map((call) => `called${call.times === undefined ? "" : " times"}`),
      ...of.called.map((call) => `called ok ${call.ok}`),
      ...of.notCalled.map((call) => `not called${call.args === undefined ? "" : " with"}`),
      ...of.state.map((row) => (row.where === null ? "no row" : "row")),
      ...of.say.map((say) => (say.any.length > 1 ? "say any" : "say")),
      ...of.notSay.map(() => "not say"),
    ]);
    expect(kinds(expected)).toEqual([
      "called",
      "called ok false",
      "called ok true",
      "called times",
      "no row",
      "not called",
      "not called with",
      "not say",
      "row",
      "say",
      "say any",
    ]);
  });

  it.each(ids)("careful passes %s whatever the seed and trial", async (id) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      for (const trial of [0, 1]) {
        const result = await play(domain, taskOf(domain, id), answering(builtin("careful")), { seed, trial });
        expect(result.verdict, show(result)).toBe("passed");
        expect([...broken(result)], show(result)).toEqual([]);
      }
    }
  });

  it("is passed nowhere by an agent that does nothing", async () => {
    for (const task of domain.tasks) {
      const result = await play(domain, task, answering(builtin("nothing")));
      expect(result.verdict, show(result)).toBe("failed");
    }
  });

  it("catches the careless desk on every task and by every rule", async () => {
    const caught = new Set<string>();
    for (const task of domain.tasks) {
      const result = await play(domain, task, answering(builtin("careless")));
      expect(result.verdict, show(result)).toBe("failed");
      for (const rule of broken(result)) caught.add(rule);
    }
    expect([...caught].sort()).toEqual(domain.rules.map((rule) => rule.id).sort());
  });

  it("plays the careless desk the same way every time", async () => {
    for (const task of domain.tasks) {
      const [one, two] = [
        await play(domain, task, answering(builtin("careless")), { seed: 3 }),
        await play(domain, task, answering(builtin("careless")), { seed: 3 }),
      ];
      expect(one).toEqual(two);
    }
  });
});
