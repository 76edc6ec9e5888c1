import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { domainSchemas, driftedSchemas } from "../../../scripts/make-schemas.ts";
import { filesOfPage } from "./page.ts";
import { sample } from "./sample.ts";

const schemas = domainSchemas();

/** Whether a value fits a schema file, read back as JSON Schema. */
function fits(name: string, value: unknown): boolean {
  const schema = schemas[`${name}.schema.json`];
  if (schema === undefined) throw new Error(`there is no schema ${name}`);
  return z.fromJSONSchema(JSON.parse(JSON.stringify(schema))).safeParse(value).success;
}

/** YAML as the loader reads it. */
const read = (text: string): unknown => parse(text, { stringKeys: true });

const partOf: Record<string, string> = {
  world: "table",
  tools: "tool",
  rules: "rule",
  callers: "caller",
  tasks: "task",
};
const schemaOf = (path: string): string => {
  const [head = "", rest] = path.replace(".yaml", "").split("/");
  return rest === undefined ? head : (partOf[head] ?? "");
};

describe("schemas/domain", () => {
  test("is what the source makes", () => {
    expect(driftedSchemas()).toEqual([]);
  });

  const documents = [sample, filesOfPage()].flatMap((files) =>
    Object.entries(files).filter(([path]) => path.endsWith(".yaml")),
  );
  test.each(documents)("%s fits its schema", (path, text) => {
    expect(fits(schemaOf(path), read(text))).toBe(true);
  });

  test.each([
    ["domain", "name: a\ndescription: b\n"],
    ["domain", "name: a\ndescription: b\nclock: 2026-10-18T21:05:00Z\nextra: 1\n"],
    ["world", "loads: { rows: [] }\n"],
    ["table", "key: id\nrows: 5\n"],
    ["tool", "description: x\nparams: { a: strng }\nrespond: 1\n"],
    ["tool", "description: x\nlookup: { tabl: a, key: b }\n"],
    ["tool", "description: x\nsearch: { table: a, where: { b: { gtt: 5 } } }\n"],
    ["tools", "agent: { description: x, respond: 1 }\n"],
    ["rule", "on: a\nseverity: sotf\ncheck: 'true'\n"],
    ["rule", "limit: { times: -1 }\n"],
    ["caller", "opens: Hi\npatience: -1\n"],
    ["caller", "goal: a\nknow: { b: c }\n"],
    ["task", "max_turns: 5\n"],
    ["task", "caller: a\nexpect: { say: { all: [b] } }\n"],
  ])("%s refuses %j", (name, text) => {
    expect(fits(name, read(text))).toBe(false);
  });

  test("every key of every mapping is explained, so that editors can show it", () => {
    const silent: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { type, properties } = schema as { type?: unknown; properties?: Record<string, unknown> };
      for (const [key, value] of Object.entries(type === "object" ? (properties ?? {}) : {})) {
        const text = JSON.stringify(value);
        if (!text.includes('"description"')) silent.push(`${path}.${key}`);
      }
      for (const [key, value] of Object.entries(schema)) visit(value, `${path}.${key}`);
    };
    for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
    expect(silent).toEqual([]);
  });

  test("the files say which JSON Schema they are", () => {
    const text = readFileSync(new URL("../../../schemas/domain/tool.schema.json", import.meta.url), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "tools/NAME.yaml: one tool",
      additionalProperties: false,
      required: ["description"],
    });
  });
});
