import { describe, expect, it } from "vitest";
import { carrierDesk } from "../../../src/sandtable/agents/builtin-agent.ts";
import { careful, type Habits } from "../../../src/sandtable/agents/habits.ts";
import type { TrialResult } from "../../../src/sandtable/report/results.ts";
import { lintDomain } from "../../../src/sandtable/verdict/lint.ts";
import { answering, builtin, loadFreight, play, show, taskOf } from "./play.ts";

const domain = loadFreight();
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
