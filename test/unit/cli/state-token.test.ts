import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { stateToken } from "../../../src/cli/engine/state-token.ts";

const folder = () => mkdtempSync(path.join(tmpdir(), "greenroom-token-"));

test("a folder keeps the token it was given, which only its owner reads", () => {
  const state = folder();
  const token = stateToken(state);
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(stateToken(state)).toBe(token);
  expect(readFileSync(path.join(state, "token"), "utf8")).toBe(token);
  expect(statSync(path.join(state, "token")).mode & 0o777).toBe(0o600);
  expect(readdirSync(state)).toEqual(["token"]);
  expect(stateToken(folder())).not.toBe(token);
});

test.each(["", "abc", "x".repeat(31), "x".repeat(33), `${"x".repeat(31)}\n`])(
  "a file that holds %j is no token and is replaced",
  (left) => {
    const state = folder();
    writeFileSync(path.join(state, "token"), left);
    const token = stateToken(state);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(readFileSync(path.join(state, "token"), "utf8")).toBe(token);
    expect(stateToken(state)).toBe(token);
  },
);

test("what a killed writer left beside the file, others' rights and all, is written over", () => {
  const state = folder();
  writeFileSync(path.join(state, "token.next"), "cut of", { mode: 0o644 });
  const token = stateToken(state);
  expect(readFileSync(path.join(state, "token"), "utf8")).toBe(token);
  expect(statSync(path.join(state, "token")).mode & 0o777).toBe(0o600);
  expect(readdirSync(state)).toEqual(["token"]);
});
