import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readResults } from "../../src/sandtable/report/read-results.ts";
import type { StepRequest } from "../../src/sandtable/trial/step-protocol.ts";
import { LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { ConsoleUnderTest, expectAccessible, expectNoOverflow } from "./support/console.ts";

const hostile = `<img src=x onerror="alert(1)"> \u202egnp.exe [x](javascript:alert(1))`;

let stage: ConsoleUnderTest;
let agent: LiveAgent;
let folder: string;
/** Steps of the third trial on wait for this. */
let open: () => void = () => undefined;
const gate = new Promise<void>((resolve) => {
  open = resolve;
});

/** A good desk, but for the second trial of `count`: it books without verifying, and says hostile things. */
async function answer(step: StepRequest): Promise<unknown> {
  if (!/#[01]$/.test(step.session_id)) await gate;
  const good = deskAnswer(step);
  if (!step.session_id.endsWith("count#1")) return good;
  if (step.message?.startsWith("MC") === true) {
    return {
      tool_calls: [
        { id: "b-L-1", name: "book_load", arguments: { load_id: "L-1", mc_number: "100101", rate: 1375 } },
      ],
    };
  }
  return good !== null && typeof good === "object" && "reply" in good
    ? { reply: `${good.reply} ${hostile}` }
    : good;
}

beforeAll(async () => {
  [stage, agent, folder] = await Promise.all([
    ConsoleUnderTest.start(),
    LiveAgent.start(answer),
    mkdtemp(path.join(tmpdir(), "greenroom-desk-")),
  ]);
  await mkdir(path.join(folder, "desk"));
  for (const [name, text] of Object.entries(deskFiles))
    await writeFile(path.join(folder, "desk", name), text);
});
afterAll(async () => {
  await agent.close();
  await stage.close();
  await rm(folder, { recursive: true });
});

test("a rehearsal of a folder is started, watched over a reload to its end, read, compared and taken along", async () => {
  const { page, faults, close } = await stage.open("rehearsals");
  await page.getByText("Nothing has been rehearsed with this token").waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "New rehearsal" }).click();
  await start(page);

  // Two trials of each task are through; the others wait.
  await page.getByText("4 of 6").waitFor();
  await expectAccessible(page);
  await page.reload();
  await page.getByText("4 of 6").waitFor();
  const marks = page.locator(".grid-cells li");
  expect(await marks.count()).toBe(6);
  expect(await marks.filter({ hasText: "passed" }).count()).toBe(3);
  open();
  await page.getByText("Not ready").waitFor();

  await overview(page);
  await rulesAndTranscript(page);
  await downloads(page);
  await comparison(page);
  expect(agent.repeated()).toEqual([]);
  expect(faults).toEqual([]);
  await close();
}, 90_000);

async function start(page: Page): Promise<void> {
  await page.getByText("A folder of mine").click();
  await page.locator("input[type=file]").setInputFiles(path.join(folder, "desk"));
  await page.getByText("can be rehearsed").waitFor();
  await page.getByText("At a URL").click();
  await page.getByLabel("URL", { exact: true }).fill(agent.url);
  await page.getByLabel("Fail under").fill("0.9");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/#\/rehearsals\/\d/);
}

async function overview(page: Page): Promise<void> {
  await page.getByText("2 of 2 gates do not hold; 1 of 2 tasks passed in every trial").waitFor();
  await page.locator(".pass-plot canvas").waitFor();
  const plot = await page.locator(".pass-plot-canvas").getAttribute("aria-label");
  expect(plot).toBe("this agent: pass^1 0.83, pass^2 0.67, pass^3 0.50. An agent that does nothing: 0.00.");
  await page.getByText("As numbers").click();
  expect(await page.locator(".pass-plot tbody td").allTextContents()).toEqual([
    "0.83 (0.24 to 0.99)",
    "0.67 (0.16 to 0.95)",
    "0.50 (0.09 to 0.91)",
  ]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function rulesAndTranscript(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Overview" }).press("ArrowRight");
  const rule = page.locator("tr", { hasText: "verified-first" });
  expect(await rule.locator("td").allTextContents()).toEqual([
    "verified-firstVerify the carrier before you book.",
    "3",
    "1",
    "1",
    "count ×1",
  ]);
  await expectAccessible(page);
  await rule.getByRole("link", { name: "count" }).click();
  const call = page.locator(".transcript .line.is-pointed");
  await call.waitFor();
  expect(await call.locator(".line-head").textContent()).toContain("book_load");
  expect(await call.locator(".outcome").textContent()).toContain("verified-first is broken");
  expect(await call.locator("blockquote").textContent()).toBe("Verify the carrier before you book.");
  const status = call.locator(".change", { hasText: "L-1 › status" });
  expect(await status.textContent()).toBe("~changed loads › L-1 › statusavailable → booked");
  // What the agent said is text: no picture, no link, and the mark that turns text around is named.
  const said = await page.locator(".transcript").textContent();
  expect(said).toContain(`<img src=x onerror="alert(1)"> ⟨U+202E⟩gnp.exe [x](javascript:alert(1))`);
  expect(await page.locator(".transcript img, .transcript a[href^=javascript]").count()).toBe(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel("Task").selectOption("hello");
  await page.getByText("Hello, and good bye.").first().waitFor();
}

async function downloads(page: Page): Promise<void> {
  const runId = /rehearsals\/([^?]+)/.exec(page.url())?.[1] ?? "";
  const take = async (button: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^desk-${runId}-`));
    return readFile(await download.path(), "utf8");
  };
  const read = readResults(await take("results.json"));
  expect(read.ok && read.results).toEqual(await stage.engine.results(runId));
  expect(await take("JUnit")).toContain(
    '<testsuites name="desk" tests="6" failures="1" errors="0" skipped="0"',
  );
  expect(await take("HTML report")).toMatch(/^<!doctype html>/i);
}

async function comparison(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Compare" }).click();
  await page.getByText("Nothing to compare with").waitFor();
  const other = await stage.engine.begin({
    domain: { files: deskFiles },
    agent: { kind: "builtin", name: "nothing" },
    trials: 3,
  });
  await stage.engine.ended(other);
  await page.reload();
  await page.getByText("Compare with").waitFor();
  const task = page.locator("tr", { hasText: "count" });
  await task.waitFor();
  expect(await task.locator("td").allTextContents()).toEqual(["count", "flaky2/3", "failed0/3", "+0.67"]);
  await page.locator(".pass-plot canvas").waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
}

test("mistakes of a domain are told by file and line, and a refused address by the form", async () => {
  const { page, close } = await stage.open("rehearsals/new", { theme: "dark" });
  await page.getByText("A folder of mine").click();
  await page.getByText("Paste a file").click();
  await page.getByLabel("Path in the folder").fill("domain.yaml");
  await page.getByLabel("Text").fill("name: x\nnonsense: 1\n");
  await page.getByRole("button", { name: "Add the file" }).click();
  await page.getByText("domain.yaml:2:1").waitFor();
  await expectAccessible(page);
  await page.getByText("One that ships with Greenroom").click();
  await page.getByText("At a URL").click();
  await page.getByLabel("URL", { exact: true }).fill("https://10.0.0.1/step");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  expect(await page.getByRole("alert").textContent()).toContain("https://10.0.0.1/step");
  await close();
});

test("one that does not exist is said to be missing, with its request id", async () => {
  const { page, close } = await stage.open("rehearsals/20260101T000000-none");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/Not found.*Request [0-9a-f-]{36}/s);
  await expectAccessible(page);
  await close();
});
