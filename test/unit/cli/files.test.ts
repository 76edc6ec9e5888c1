import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readDomainFolder } from "../../../src/cli/domain-folder.ts";
import { sourceDigest } from "../../../src/cli/engine/source-digest.ts";
import { exitCodeOf } from "../../../src/cli/run/exit-code.ts";
import { checkOutFolder, writeOutputs, writeStepSummary } from "../../../src/cli/run/outputs.ts";
import { leftRuns, newSlot } from "../../../src/cli/run/state-slots.ts";
import type { Results } from "../../../src/sandtable/report/results.ts";
import { sampleResults } from "../../fixtures/sample-results.ts";

const fresh = () => mkdtempSync(path.join(tmpdir(), "greenroom-files-"));

describe("readDomainFolder", () => {
  test("reads the texts of a domain, linked files too, and nothing else", async () => {
    const folder = fresh();
    mkdirSync(path.join(folder, "tasks"));
    mkdirSync(path.join(folder, "node_modules"));
    mkdirSync(path.join(folder, ".git"));
    writeFileSync(path.join(folder, "domain.yaml"), "name: x\n");
    writeFileSync(path.join(folder, "policy.md"), "Grüß");
    writeFileSync(path.join(folder, "tasks", "a.yml"), "");
    writeFileSync(path.join(folder, "agent.mjs"), "x");
    writeFileSync(path.join(folder, ".hidden.yaml"), "x");
    writeFileSync(path.join(folder, "node_modules", "x.yaml"), "x");
    symlinkSync(path.join(folder, "policy.md"), path.join(folder, "linked.md"));
    symlinkSync(folder, path.join(folder, "circle"));
    expect(await readDomainFolder(folder)).toEqual({
      "domain.yaml": "name: x\n",
      "linked.md": "Grüß",
      "policy.md": "Grüß",
      "tasks/a.yml": "",
    });
  });

  test("says what is wrong with the folder", async () => {
    const folder = fresh();
    writeFileSync(path.join(folder, "a.yaml"), Buffer.from([0xff, 0xfe]));
    await expect(readDomainFolder(path.join(folder, "no"), "no")).rejects.toThrow("there is no folder no");
    await expect(readDomainFolder(path.join(folder, "a.yaml"), "a.yaml")).rejects.toThrow("a.yaml is a file");
    await expect(readDomainFolder(folder)).rejects.toThrow("a.yaml is not UTF-8 text");
  });
});

describe("outputs", () => {
  const results = sampleResults();
  const text = JSON.stringify(results);

  test("a new folder appears with all four files, results.json as it came", async () => {
    const parent = fresh();
    const folder = path.join(parent, "deep", "run");
    await writeOutputs(folder, results, text);
    expect(readdirSync(folder).sort()).toEqual(["junit.xml", "report.html", "results.json", "summary.md"]);
    expect(readFileSync(path.join(folder, "results.json"), "utf8")).toBe(text);
    expect(readdirSync(path.join(parent, "deep"))).toEqual(["run"]);
  });

  test("an existing folder keeps what else is in it", async () => {
    const folder = fresh();
    writeFileSync(path.join(folder, "notes.txt"), "mine");
    writeFileSync(path.join(folder, "results.json"), "old");
    await writeOutputs(folder, results, text);
    expect(readFileSync(path.join(folder, "results.json"), "utf8")).toBe(text);
    expect(readFileSync(path.join(folder, "notes.txt"), "utf8")).toBe("mine");
  });

  test("a place that is a file is refused before anything runs, and nothing is made", async () => {
    const folder = fresh();
    writeFileSync(path.join(folder, "file"), "");
    await expect(checkOutFolder(path.join(folder, "file", "run"))).rejects.toThrow("is a file, not a folder");
    await checkOutFolder(path.join(folder, "a", "b"));
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("the summary is added to the page of a GitHub job", async () => {
    const file = path.join(fresh(), "summary.md");
    writeFileSync(file, "before\n");
    await writeStepSummary(results, { GITHUB_STEP_SUMMARY: file });
    expect(readFileSync(file, "utf8")).toMatch(/^before\n## ❌ Rehearsal of freight: Not ready\n/);
    await writeStepSummary(results, {});
  });
});

describe("exitCodeOf", () => {
  const code = (change: Partial<Results>) => exitCodeOf({ ...sampleResults(), ...change }).code;
  const holds = { name: "--fail-under 0.5", held: true, actual: 1, required: 0.5 };

  test("0 when every gate holds, 1 when one does not, 2 when nothing was learnt", () => {
    expect(code({ gates: [holds] })).toBe(0);
    expect(code({ gates: [] })).toBe(0);
    expect(code({ gates: [holds, { ...holds, held: false }] })).toBe(1);
    expect(code({ gates: [holds], status: "cancelled" })).toBe(2);
    const trials = { planned: 2, passed: 0, failed: 0, errored: 2, cancelled: 0 };
    expect(code({ gates: [holds], summary: { ...sampleResults().summary, trials } })).toBe(2);
  });
});

describe("state slots", () => {
  const mark = {
    runId: "r1",
    startedAt: "2026",
    domain: "d",
    out: "/o",
    outByRun: true,
    concurrency: 4,
    hosted: null,
  };

  test("each rehearsal has its own folder, found again by its mark, kept out of version control", async () => {
    const root = path.join(fresh(), "state");
    const [one, two] = [await newSlot(root), await newSlot(root)];
    expect(one.folder).not.toBe(two.folder);
    await one.mark(mark);
    expect((await leftRuns(root)).map((run) => [run.mark, run.slot.folder])).toEqual([[mark, one.folder]]);
    expect(readFileSync(path.join(root, ".gitignore"), "utf8")).toBe("*\n");
    await one.remove();
    expect(await leftRuns(root)).toEqual([]);
    expect(await leftRuns(path.join(root, "no"))).toEqual([]);
  });

  test("what a command left that died before its rehearsal began goes after an hour", async () => {
    const root = fresh();
    const [old, marked, young] = [await newSlot(root), await newSlot(root), await newSlot(root)];
    await marked.mark(mark);
    for (const slot of [old, marked]) utimesSync(slot.folder, 0, 0);
    await newSlot(root);
    expect([old, marked, young].map((slot) => existsSync(slot.folder))).toEqual([false, true, true]);
  });
});

test("the digest changes with a source, and not with the command or what is hidden", async () => {
  const root = fresh();
  mkdirSync(path.join(root, "src", "cli"), { recursive: true });
  writeFileSync(path.join(root, "wrangler.toml"), "a");
  writeFileSync(path.join(root, "src", "worker.ts"), "a");
  const first = await sourceDigest(root);
  writeFileSync(path.join(root, "src", "cli", "main.ts"), "x");
  writeFileSync(path.join(root, "src", ".swp"), "x");
  expect(await sourceDigest(root)).toBe(first);
  writeFileSync(path.join(root, "src", "worker.ts"), "b");
  const second = await sourceDigest(root);
  expect(second).not.toBe(first);
  writeFileSync(path.join(root, "wrangler.toml"), "b");
  expect(await sourceDigest(root)).not.toBe(second);
});
