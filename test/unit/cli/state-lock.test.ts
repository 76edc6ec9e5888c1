import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { isRunning, markProcess } from "../../../src/cli/engine/processes.ts";
import { lockState, StateInUse } from "../../../src/cli/engine/state-lock.ts";

const folder = () => mkdtempSync(path.join(tmpdir(), "greenroom-lock-"));
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

test("one holder at a time, and the folder is free after release", () => {
  const state = folder();
  const lock = lockState(state);
  expect(() => lockState(state)).toThrow(StateInUse);
  expect(() => lockState(state)).toThrow(`in use by another engine (process ${process.pid})`);
  lock.release();
  expect(existsSync(path.join(state, "engine.lock"))).toBe(false);
  lockState(state).release();
});

test("a lock of a dead process is broken and its runtimes are ended", () => {
  const state = folder();
  const { spawn } = process.getBuiltinModule("node:child_process");
  const runtime = spawn("sleep", ["60"], { stdio: "ignore" });
  const mark = markProcess(runtime.pid ?? 0);
  writeFileSync(
    path.join(state, "engine.lock"),
    JSON.stringify({ id: "dead", owner: { pid: deadPid() }, runtimes: [mark] }),
  );
  const lock = lockState(state);
  return new Promise<void>((resolve) => {
    runtime.once("exit", (_code, signal) => {
      expect(signal).toBe("SIGKILL");
      lock.release();
      resolve();
    });
  });
});

test("a process number used again is not taken for the owner", () => {
  const state = folder();
  const owner = { pid: process.pid, start: "1" };
  writeFileSync(path.join(state, "engine.lock"), JSON.stringify({ id: "dead", owner, runtimes: [] }));
  expect(isRunning(owner)).toBe(false);
  lockState(state).release();
});

test("a lock being written counts as held; one cut off long ago does not", () => {
  const state = folder();
  const file = path.join(state, "engine.lock");
  writeFileSync(file, '{"id":');
  expect(() => lockState(state)).toThrow(StateInUse);
  utimesSync(file, new Date(0), new Date(0));
  const lock = lockState(state);
  expect(JSON.parse(readFileSync(file, "utf8")).owner.pid).toBe(process.pid);
  lock.release();
});

test("release leaves a lock that is someone else's", () => {
  const state = folder();
  const lock = lockState(state);
  const file = path.join(state, "engine.lock");
  writeFileSync(file, JSON.stringify({ id: "other", owner: { pid: 1 }, runtimes: [] }));
  lock.release();
  expect(JSON.parse(readFileSync(file, "utf8")).id).toBe("other");
});
