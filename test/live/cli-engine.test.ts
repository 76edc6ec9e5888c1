import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childrenOf, isRunning, type ProcessMark } from "../../src/cli/engine/processes.ts";
import { startEngine } from "../../src/cli/engine/start-engine.ts";
import { StateInUse } from "../../src/cli/engine/state-lock.ts";

let stateDir: string;
beforeAll(async () => {
  stateDir = await mkdtemp(path.join(tmpdir(), "greenroom-engine-"));
});
afterAll(() => rm(stateDir, { recursive: true, force: true }));

/** A process that starts an engine on the state folder and waits; resolves once the engine stands. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const engine = new URL("../../src/cli/engine/start-engine.ts", import.meta.url).href;
  const code = `const { startEngine } = await import(${JSON.stringify(engine)});
    const engine = await startEngine({ stateDir: ${JSON.stringify(stateDir)}, vars: {} });
    console.log(engine.url);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
    child.once("exit", (code) => reject(new Error(`exit ${code}`)));
  });
  return { child, url };
}

function runtimesOf(child: ChildProcess): ProcessMark[] {
  const [host] = childrenOf(child.pid ?? 0);
  return host === undefined ? [] : [host, ...childrenOf(host.pid, "workerd")];
}

async function ended(marks: ProcessMark[]): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (marks.every((mark) => !isRunning(mark))) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

describe("the embedded engine", () => {
  test("serves the Worker with its database migrated, takes only its own token and closes", async () => {
    const engine = await startEngine({ stateDir, vars: {} });
    try {
      expect(engine.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${engine.url}/live`)).status).toBe(200);
      expect((await fetch(`${engine.url}/health`)).status).toBe(200);
      const list = (token: string) =>
        fetch(`${engine.url}/api/rehearsals`, { headers: { authorization: `Bearer ${token}` } });
      expect((await list(engine.token)).status).toBe(200);
      expect((await list("another")).status).toBe(401);
    } finally {
      await engine.close();
    }
    await expect(fetch(`${engine.url}/live`)).rejects.toThrow();
    expect(await readdir(stateDir)).not.toContain("engine.lock");
  });

  test("refuses a state folder another engine has, and ends with a command that is killed", async () => {
    const { child } = await startElsewhere();
    const marks = runtimesOf(child);
    expect(marks).toHaveLength(2);
    await expect(startEngine({ stateDir, vars: {} })).rejects.toThrow(StateInUse);
    child.kill("SIGKILL");
    expect(await ended(marks)).toBe(true);
    await (await startEngine({ stateDir, vars: {} })).close();
  });

  test("stands again at the same address when its runtime is killed", async () => {
    const { child, url } = await startElsewhere();
    const [, runtime] = runtimesOf(child);
    if (runtime === undefined) throw new Error("no runtime");
    process.kill(runtime.pid, "SIGKILL");
    await expect
      .poll(
        () =>
          fetch(`${url}/live`).then(
            (response) => response.status,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(200);
    child.kill("SIGTERM");
    expect(await ended(runtimesOf(child))).toBe(true);
  });

  test("says why it was lost when its host is killed, and leaves no runtime behind", async () => {
    const engine = await startEngine({ stateDir, vars: {} });
    const host = childrenOf(process.pid, "node").find((mark) => childrenOf(mark.pid, "workerd").length > 0);
    if (host === undefined) throw new Error("no host");
    const runtimes = childrenOf(host.pid, "workerd");
    process.kill(host.pid, "SIGKILL");
    expect(await engine.lost).toBe("the embedded engine ended (SIGKILL)");
    expect(await ended(runtimes)).toBe(true);
  });
});
