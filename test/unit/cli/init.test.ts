import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { CommandContext } from "../../../src/cli/command-context.ts";
import { initCommand } from "../../../src/cli/commands/init.ts";
import { readDomain } from "../../../src/cli/run/prepare-run.ts";
import { createTerminal } from "../../../src/cli/terminal/terminal.ts";
import { lintDomain } from "../../../src/sandtable/verdict/lint.ts";

let cwd: string;
let text: string;
let context: CommandContext;

beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), "greenroom-init-"));
  text = "";
  const stream = { write: (more: string) => (text += more), isTTY: false };
  const terminal = createTerminal(stream, {});
  context = {
    cwd,
    env: {},
    out: terminal,
    err: terminal,
    writeOut: async () => undefined,
    onInterrupt: () => () => undefined,
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
});

describe("greenroom init", () => {
  test("writes a domain that is valid, that lint has nothing to say about, and whose schemas are found", async () => {
    expect(await initCommand("new/domain", context)).toBe(0);
    const { domain, files } = await readDomain("new/domain", cwd);
    const { tools, rules, tasks } = domain;
    expect([tools.length, rules.length, tasks.length]).toEqual([3, 3, 3]);
    expect(lintDomain(domain)).toEqual([]);
    const schemas = Object.entries(files).flatMap(([name, source]) => {
      const schema = /\$schema=(\S+)/.exec(source)?.[1];
      return schema === undefined ? [] : [path.resolve(cwd, "new/domain", path.dirname(name), schema)];
    });
    expect(schemas).toHaveLength(7);
    expect(schemas.filter((schema) => !existsSync(schema))).toEqual([]);
    expect(text).toContain("  greenroom lint new/domain\n");
  });

  test.each([
    ["greenroom", "npm run greenroom --"],
    ["npx", "npx greenroom"],
    ["test", "greenroom"],
  ])("started by npm's %s, it says what comes next as: %s", async (event, typed) => {
    await initCommand("domain", { ...context, env: { npm_lifecycle_event: event } });
    expect(text).toContain(`\n  ${typed} validate domain\n  ${typed} lint domain\n`);
  });

  test("takes an empty folder, and leaves one that is not alone", async () => {
    mkdirSync(path.join(cwd, "empty"));
    expect(await initCommand("empty", context)).toBe(0);
    mkdirSync(path.join(cwd, "full"));
    writeFileSync(path.join(cwd, "full", "notes.txt"), "mine");
    await expect(initCommand("full", context)).rejects.toThrow(
      "full is not empty; name a folder that is new or empty",
    );
    expect(readdirSync(path.join(cwd, "full"))).toEqual(["notes.txt"]);
    await expect(initCommand("full/notes.txt", context)).rejects.toThrow("full/notes.txt is a file");
    expect(readFileSync(path.join(cwd, "full", "notes.txt"), "utf8")).toBe("mine");
  });
});
