import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/live-engine.ts";
import { ConsoleUnderTest, expectAccessible, expectNoOverflow } from "./support/console.ts";

let stage: ConsoleUnderTest;
/** Not a Worker: `/random` answers 200 with something else, `/slow` says hello and then never answers a turn. */
let other: Server;
let otherUrl = "";

beforeAll(async () => {
  other = createServer(async (request, response) => {
    const cors = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "content-type, authorization",
    };
    if (request.method === "OPTIONS") return response.writeHead(204, cors).end();
    let body = "";
    for await (const piece of request) body += piece;
    const json = (value: unknown) =>
      response.writeHead(200, { ...cors, "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === "/random") return json({ status: "ok", items: [] });
    const { kind, contractVersion } = JSON.parse(body) as { kind: string; contractVersion: string };
    if (kind === "hello") {
      return json({
        schemaVersion: "adapttable.agent.v1",
        ok: true,
        sessionId: "s1",
        pin: { status: "acknowledged", contractVersion },
      });
    }
    return undefined;
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  stage = await ConsoleUnderTest.start();
});
afterAll(async () => {
  await stage.close();
  other.closeAllConnections();
  other.close();
});

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel("Ask the table").fill(words);
  await page.getByLabel("Ask the table").press("Enter");
}

/** Texts of a row's cells, check box aside. */
async function cells(page: Page, name: string): Promise<string[]> {
  const row = page.getByRole("row").filter({ has: page.getByRole("gridcell", { name, exact: true }) });
  return (await row.first().getByRole("gridcell").allInnerTexts()).slice(1);
}

function chips(page: Page) {
  return page.getByRole("list", { name: "What was done" }).last().getByRole("listitem");
}

test("one sentence filters, sorts and asks before it writes; the edit is saved and the sort taken back", async () => {
  const { page, faults, close } = await stage.open("table");
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  await page.getByRole("grid", { name: "People" }).waitFor();
  await page.getByText("10,000 people", { exact: true }).waitFor();
  await expectAccessible(page);
  await say(page, "only the Core team, highest salary first, and raise Ana to 90k");
  const card = page.getByRole("region", { name: "Change 1 cell?" });
  await card.waitFor();
  expect(await card.getByRole("listitem").textContent()).toContain("Ana Lopez Salary 82,000 → 90,000");
  await page.getByText("Filtered: Team is Core").waitFor();
  await expectAccessible(page);
  await card.getByRole("button", { name: "Approve" }).press("Enter");
  const bar = page.getByRole("region", { name: "Edits that are not saved" });
  await bar.getByText("1 edit is not saved.").waitFor();
  expect(await chips(page).last().textContent()).toBe("Staged: Salary of Ana Lopez: 82,000 → 90,000");
  await bar.getByRole("button", { name: "Show" }).click();
  await page.getByRole("gridcell", { name: /Not saved, was 82,000.*becomes 90,000/ }).waitFor();
  await expectAccessible(page);
  await bar.getByRole("button", { name: "Save" }).click();
  await bar.waitFor({ state: "detached" });

  const salary = page.getByRole("columnheader", { name: /^Salary/ });
  expect(await salary.getAttribute("aria-sort")).toBe("descending");
  await page.getByRole("button", { name: /^Undo: Sorted by Salary/ }).press("Enter");
  await page.getByText("(taken back)").waitFor();
  expect(await salary.getAttribute("aria-sort")).toBe("none");
  await page.getByRole("gridcell", { name: "Ana Lopez" }).waitFor();
  expect((await cells(page, "Ana Lopez")).slice(0, 4)).toEqual(["Ana Lopez", "Core", "Engineer", "90,000"]);
  expect(await page.getByRole("button", { name: "Undo: Filtered: Team is Core" }).count()).toBe(1);

  await page.reload();
  await page.getByText("Filtered: Team is Core").waitFor();
  expect((await cells(page, "Ana Lopez")).slice(0, 4)).toEqual(["Ana Lopez", "Core", "Engineer", "90,000"]);
  await page.getByRole("button", { name: "Take off: Team is Core" }).waitFor();
  expect(await page.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Start over" }).click();
  await page.getByText("10,000 people", { exact: true }).waitFor();
  expect((await cells(page, "Ana Lopez"))[3]).toBe("82,000");
  expect(posts).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test("of a batch some rows are approved, a rejection says why, and a question is answered by a press", async () => {
  const { page, faults, close } = await stage.open("table");
  await page.getByRole("button", { name: "give Ana, Clara and Ingrid a 5% raise" }).click();
  const batch = page.getByRole("region", { name: "Change 3 cells?" });
  await batch.getByRole("checkbox", { name: /Clara Moreau/ }).press("Space");
  await batch.getByRole("button", { name: "Approve 2 of 3" }).click();
  await page.getByText("2 edits are not saved.").waitFor();
  expect(await cells(page, "Clara Moreau")).toContain("74,000");
  expect(await page.getByRole("gridcell", { name: /becomes 138,600/ }).count()).toBe(1);
  await page.getByRole("button", { name: "Discard" }).click();
  expect((await cells(page, "Ingrid Holm"))[3]).toBe("132,000");

  await say(page, "raise Ben to 95k");
  const question = page.getByRole("region", { name: 'Which "Ben" do you mean?' });
  await question.getByRole("button", { name: "Ben Schulz" }).waitFor();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Ben Schulz" }).press("Enter");
  const card = page.getByRole("region", { name: "Change 1 cell?" });
  expect(await card.getByRole("listitem").textContent()).toContain("Ben Schulz Salary 61,000 → 95,000");
  await card.getByRole("button", { name: "Reject" }).click();
  await card.getByLabel("Why not?").fill("not <b>this</b> year");
  await card.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Declined: Change 1 cell (not <b>this</b> year)").waitFor();
  expect((await cells(page, "Ben Schulz"))[3]).toBe("61,000");

  await say(page, "raise Ben to 95k");
  await question.getByLabel("Your own words").fill("Ben Okafor");
  await question.getByRole("button", { name: "Answer" }).click();
  await card.getByText("Ben Okafor").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await card.waitFor({ state: "detached" });
  await page.getByText("Stopped.", { exact: true }).waitFor();
  expect(await page.getByRole("region", { name: "Edits that are not saved" }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test("what the agent may do is switched, and refusals say so", async () => {
  const { page, faults, close } = await stage.open("table");
  await say(page, "what is Ana's bank account?");
  await page.getByText("Bank account is not shown to me in this table, so I cannot use it.").waitFor();
  await page.getByRole("columnheader", { name: /Bank account.*hidden from the agent/ }).waitFor();
  await page.getByRole("button", { name: "Agent may" }).click();
  const rules = page.getByRole("dialog", { name: "What the agent may do" });
  await rules.getByText("are saved at once").click();
  await rules.getByText("deletions only").click();
  await rules.getByLabel("The agent edits Salary").press("Space");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await rules.waitFor({ state: "detached" });
  await page.getByRole("columnheader", { name: /Salary.*read-only for the agent/ }).waitFor();

  await say(page, "move Ana to the Design team");
  await page.getByText("Team of Ana Lopez: Core → Design").waitFor();
  expect((await cells(page, "Ana Lopez"))[1]).toBe("Design");
  await say(page, "delete Ana");
  await page.getByRole("region", { name: "Delete 1 row?" }).getByRole("button", { name: "Approve" }).click();
  await page.getByText("9,999 people").waitFor();

  await page.getByRole("button", { name: "Agent may" }).click();
  await rules.getByText("denied").click();
  await page.keyboard.press("Escape");
  await say(page, "set the location of Clara to Lisbon");
  await page.getByText("Working…").waitFor({ state: "detached" });
  expect((await cells(page, "Clara Moreau"))[6]).toBe("Paris");
  await page.reload();
  await page.getByText("9,999 people").waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("by hand and by keyboard: move, sort, edit, choose, filter, group, through 10,000 rows", async () => {
  const { page, faults, close } = await stage.open("table");
  const grid = page.getByRole("grid");
  await grid.focus();
  expect(await grid.getAttribute("aria-rowcount")).toBe("10001");
  const active = () =>
    page.evaluate(
      "document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant'))?.innerText",
    );
  await until(async () => (await active()) === "Ana Lopez", 3_000);
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  expect(await active()).toBe("82,000");
  await page.keyboard.press("F2");
  await page.getByLabel("Salary", { exact: true }).fill("5");
  await page.keyboard.press("Enter");
  await page.getByText("A salary lies between 20,000 and 400,000.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("Salary", { exact: true }).fill("83,500");
  await page.keyboard.press("Enter");
  await page.getByText("1 edit is not saved.").waitFor();
  await page.keyboard.press(" ");
  await page.getByText("1 selected").waitFor();

  await page.keyboard.press("Control+End");
  await page.locator('tr[aria-rowindex="10001"]').waitFor();
  await page.keyboard.press("Control+Home");
  await page.locator('tr[aria-rowindex="2"]').waitFor();
  // However far it is scrolled, only what is in view is in the page.
  const steps = (await page.evaluate(`(async () => {
    const box = document.querySelector(".grid-scroll");
    const seen = [];
    for (let top = 0; top <= box.scrollHeight; top += 9_000) {
      box.scrollTop = top;
      const began = performance.now();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const edges = [...document.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect());
      const { top: from, bottom: to } = box.getBoundingClientRect();
      seen.push({ rows: edges.length, ms: performance.now() - began,
        covered: edges.some((one) => one.top <= from + 36) && edges.some((one) => one.bottom >= to - 1) });
    }
    return seen;
  })()`)) as { rows: number; ms: number; covered: boolean }[];
  expect(steps.length).toBe(41);
  expect(steps.every(({ covered }) => covered)).toBe(true);
  expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThan(60);

  await grid.focus();
  await page.keyboard.press("Control+ArrowUp");
  for (let column = 0; column < 4; column += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Take off: Sorted by Salary, lowest first" }).waitFor();
  await page.getByRole("button", { name: "Filters", exact: true }).press("Enter");
  const filters = page.getByRole("dialog", { name: "Filters" });
  await filters.getByLabel("Design").press("Space");
  await filters.getByRole("group", { name: "Salary" }).getByLabel("at least").fill("90000");
  await expectAccessible(page);
  await filters.getByRole("button", { name: "Done" }).press("Enter");
  await page.getByRole("button", { name: "Take off: Salary at least 90,000" }).waitFor();
  await page.getByRole("button", { name: "Take off: Team is Design" }).press("Enter");
  await page.getByLabel("Group by").selectOption("team");
  const core = page.getByRole("row", { name: /Average Salary/ }).getByRole("button", { name: /^Core/ });
  expect(await core.getAttribute("aria-expanded")).toBe("false");
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Enter");
  expect(await core.getAttribute("aria-expanded")).toBe("true");
  await expectAccessible(page);
  await page.getByLabel("Search people").fill("no such person");
  await page.getByRole("button", { name: "Clear filters and search" }).click();
  await page.getByText("10,000 people", { exact: true }).waitFor();
  await page.getByLabel("Group by").selectOption("");
  await page.getByLabel("Rows on a page").selectOption("25");
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText("2 of 400").waitFor();
  await page.getByRole("button", { name: /^Columns/ }).click();
  await page.getByRole("button", { name: "Pin Name", exact: true }).click();
  await page.getByRole("checkbox", { name: "Email" }).press("Space");
  expect(await page.locator("th.is-pinned").allTextContents()).toEqual(["", "Name"]);
  expect(await page.getByRole("columnheader", { name: /Email/ }).count()).toBe(0);
  // The agent works on what a person has made of the table.
  await page.keyboard.press("Escape");
  await say(page, "show email again and unpin name");
  await page.getByRole("columnheader", { name: /Email/ }).waitFor();
  await page.getByText(/Unpinned Name/).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("a backend is connected by hello and then answers; anything else is refused in words", async () => {
  const { page, faults, close } = await stage.open("table");
  await page.getByRole("button", { name: "Connect backend" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a backend" });
  expect(await dialog.getByLabel("Endpoint").inputValue()).toBe(`${stage.engine.url}/agent`);
  await expectAccessible(page);
  await dialog.getByLabel("Endpoint").fill(`${otherUrl}/random`);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByText("Something answered, but not as a table backend").waitFor();
  await dialog.getByLabel("Endpoint").fill("http://example.com/agent");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByText("Without https, only this machine can be reached").waitFor();
  await dialog.getByLabel("Endpoint").fill(`${stage.engine.url}/agent`);
  await dialog.getByLabel("Token").fill("wrong");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByText("The backend does not accept the token.").waitFor();
  await page.getByText("Simulated", { exact: true }).waitFor();
  await dialog.getByLabel("Token").fill("");
  const hello = page.waitForRequest((request) => request.url().endsWith("/agent"));
  await dialog.getByRole("button", { name: "Connect" }).click();
  expect((await hello).postDataJSON()).toMatchObject({ kind: "hello", tableId: "people" });
  await page.getByText("Connected", { exact: true }).waitFor();

  const turn = page.waitForRequest((request) => request.url().endsWith("/agent"));
  await say(page, "only the Design team, oldest start date first");
  const { kind, contractVersion, context } = (await turn).postDataJSON();
  expect({ kind, pinned: typeof contractVersion, context }).toEqual({
    kind: "turn",
    pinned: "string",
    context: undefined,
  });
  await page.getByText("Filtered: Team is Design").waitFor();
  await page.getByText("Sorted by Start date, oldest first").first().waitFor();

  await page.reload();
  await page.getByText("Connected", { exact: true }).waitFor();
  await say(page, "clear all filters, sorting and groups");
  await page.getByText("10,000 people", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("Simulated", { exact: true }).waitFor();
  expect(faults).toEqual([
    "console: Failed to load resource: the server responded with a status of 401 (Unauthorized)",
  ]);
  await close();
});

test("a turn that is stopped, and one that a reload breaks off, do no more and say so", async () => {
  const { page, faults, close } = await stage.open("table");
  await page.getByRole("button", { name: "Connect backend" }).click();
  await page.getByLabel("Endpoint").fill(`${otherUrl}/slow`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  await say(page, "highest salary first");
  await page.getByText("Working…").waitFor();
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await page.getByText("Stopped.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByText("Working…").waitFor();
  await page.reload();
  await page.getByText("The page was reloaded before this ended.").waitFor();
  await page.getByText("Connected", { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("button", { name: "Ask again" }).last().click();
  await page.getByText("Sorted by Salary, highest first").first().waitFor();
  expect(faults).toEqual([]);
  await close();
});

/** A recognizer that hears one sentence as soon as it listens. */
const hearing = `window.SpeechRecognition = window.webkitSpeechRecognition = class {
  start() { setTimeout(() => this.onresult({ results: [Object.assign([{ transcript: "highest salary first" }], { isFinal: true })] }), 10); }
  stop() { this.onend(); }
  abort() {}
};`;
const deaf =
  "delete window.SpeechRecognition; delete window.webkitSpeechRecognition; delete window.MediaRecorder;";
/** A microphone and a recorder that give three bytes. */
const recording = `navigator.mediaDevices.getUserMedia = async () => ({ getTracks: () => [{ stop() {} }] });
window.MediaRecorder = class {
  static isTypeSupported() { return true; }
  constructor() { this.state = "recording"; this.mimeType = "audio/webm"; }
  start() {}
  stop() { this.state = "inactive"; this.ondataavailable({ data: new Blob([new Uint8Array([1, 2, 3])]) }); this.onstop(); }
};`;

test("speech writes the draft; a connected backend gets a clip; without either there is no microphone", async () => {
  const { page, faults, close } = await stage.open("home");
  await page.addInitScript(hearing + recording);
  await page.goto(`${stage.engine.url}/?voice#/table`);
  await page.getByRole("button", { name: "Speak" }).click();
  await until(
    async () => (await page.getByLabel("Ask the table").inputValue()) === "highest salary first",
    3_000,
  );
  await page.getByRole("button", { name: "Stop listening" }).click();
  expect(await page.getByText("Sorted by").count()).toBe(0);
  await page.getByRole("button", { name: "Connect backend" }).click();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByLabel("What becomes of your voice").selectOption("clip");
  const turn = page.waitForRequest((request) => request.postDataJSON()?.kind === "turn");
  await page.getByRole("button", { name: "Speak" }).click();
  await page.getByRole("button", { name: "Stop listening" }).click();
  expect((await turn).postDataJSON().audio).toMatchObject({ mimeType: "audio/webm", base64: "AQID" });
  await page.getByText(/The backend cannot do this\. It says:/).waitFor();
  expect(faults.filter((fault) => !fault.includes("501"))).toEqual([]);
  await close();

  const silent = await stage.open("home");
  await silent.page.addInitScript(deaf);
  await silent.page.goto(`${stage.engine.url}/?deaf#/table`);
  await silent.page.getByLabel("Ask the table").waitFor();
  expect(await silent.page.getByRole("button", { name: "Speak" }).count()).toBe(0);
  await silent.close();
});

test("hostile cells are text, at 360 pixels and in the dark; other tables have their own words", async () => {
  const { page, faults, close } = await stage.open("table", {
    viewport: { width: 360, height: 740 },
    theme: "dark",
  });
  await page.getByRole("grid").waitFor();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  const note = page.getByRole("gridcell", { name: "<img src=x onerror=alert(1)> <b>bold?</b>" });
  await note.waitFor();
  expect(await note.locator("img, b").count()).toBe(0);
  await page.getByLabel("Table", { exact: true }).selectOption("tickets");
  await page.getByText("10,000 tickets", { exact: true }).waitFor();
  await say(page, "assign T-1001, T-1002 and T-1003 to Tom");
  const card = page.getByRole("region", { name: "Change 3 cells?" });
  expect(await card.getByRole("listitem").first().textContent()).toContain("Omar Haddad → Tom Becker");
  await expectAccessible(page);
  await expectNoOverflow(page);
  await card.getByRole("button", { name: "Approve" }).click();
  await page.getByText("3 edits are not saved.").waitFor();
  await page.goto(`${stage.engine.url}/#/table/orders`);
  await page.getByText("10,000 orders", { exact: true }).waitFor();
  const download = page.waitForEvent("download");
  await say(page, "export as csv");
  expect((await download).suggestedFilename()).toBe("orders.csv");
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await close();
});
