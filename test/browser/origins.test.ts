import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { ConsoleUnderTest, expectAccessible } from "./support/console.ts";
import { Front } from "./support/front.ts";

let stage: ConsoleUnderTest;
beforeAll(async () => {
  stage = await ConsoleUnderTest.start(["--host-resolver-rules=MAP greenroom.test 127.0.0.1"]);
});
afterAll(async () => {
  await stage.close();
});

test("on an https origin the console asks for the token, says that origin in its snippets, and works", async () => {
  const front = await Front.start(stage.engine.url, { https: "greenroom.test" });
  const { page, faults, close } = await stage.open("rehearsals", {
    origin: front.origin,
    withoutToken: true,
    ignoreHTTPSErrors: true,
  });
  await page.getByRole("heading", { name: "This Worker asks for a token" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Token" }).fill(stage.engine.token);
  await page.getByRole("button", { name: "Use this token" }).click();
  await page.getByRole("link", { name: "Try the freight domain" }).click();
  await page.getByLabel("Trials a task").fill("1");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText("Not ready").waitFor();
  const asked = await stage.engine.api("/openai/v1/chat/completions", {
    headers: { "x-stackbone-session": "https" },
    body: { model: "playground", messages: [{ role: "user", content: "Delete notes.txt" }] },
  });
  await asked.body?.cancel();
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("link", { name: /Delete notes.txt for good/ }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("region", { name: "Decision" }).getByText("in the inbox").waitFor();
  await page.getByRole("link", { name: "Home" }).click();
  const code = page.locator(".code-block").first();
  expect(await code.textContent()).toContain(`curl ${front.origin}/openai/v1/chat/completions`);
  expect(await code.textContent()).toContain("Bearer $GREENROOM_TOKEN");
  expect(faults).toEqual([]);
  await close();
  await front.close();
}, 60_000);

test("on an https origin a chat, a table and a workflow go on over a reload in the middle", async () => {
  const front = await Front.start(stage.engine.url, { https: "greenroom.test" });
  const { page, faults, close } = await stage.open("chat/playground", {
    origin: front.origin,
    ignoreHTTPSErrors: true,
  });
  const input = page.getByLabel(/^Message to/);
  await input.fill("Delete notes.txt");
  await input.press("Enter");
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.locator(".call-done").waitFor();

  await page.evaluate('location.hash = "#/table"');
  await page.getByRole("button", { name: "Connect backend" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a backend" });
  expect(await dialog.getByLabel("Endpoint").inputValue()).toBe(`${front.origin}/agent`);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  const ask = page.getByLabel("Ask the table");
  await ask.fill("only the Design team, oldest start date first");
  await ask.press("Enter");
  await page.getByText("Filtered: Team is Design").waitFor();
  await page.reload();
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByText("Filtered: Team is Design").waitFor();

  await page.evaluate('location.hash = "#/workflows/refund"');
  await page.getByLabel("Order id").fill("ord_7");
  await page.getByLabel("Amount").fill("7");
  await page.getByLabel("Approval token").fill("refund-https");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("waits for a person").first().waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Decide it in the inbox" }).click();
  await page.getByRole("link", { name: /Approve refund/ }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("link", { name: "its run" }).click();
  await page.getByText("ends as done").waitFor();
  expect(faults).toEqual([]);
  await close();
  await front.close();
}, 90_000);

test("a stream that says nothing for fifteen seconds is taken up again after the last event", async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const agent = await LiveAgent.start(async (step) => {
    if (!step.session_id.endsWith("#0")) await gate;
    return deskAnswer(step);
  });
  let silent = 1;
  const front = await Front.start(stage.engine.url, {
    silences: (path) => path.endsWith("/events") && silent-- > 0,
  });
  const runId = await stage.engine.begin({
    domain: { files: deskFiles },
    agent: { kind: "http", url: agent.url },
    trials: 2,
  });
  const { page, close } = await stage.open("", { origin: front.origin });
  await page.clock.install();
  await page.evaluate(`location.hash = "#/rehearsals/${runId}"`);
  await page.getByText("0 of 4").waitFor();
  const streams = () => front.log.filter(({ path }) => path.endsWith("/events"));
  await expect.poll(() => streams().length).toBe(1);
  await page.clock.fastForward(14_000);
  expect(streams()).toHaveLength(1);
  await page.clock.fastForward(2_000);
  await expect.poll(() => streams().length).toBe(2);
  await page.getByText("2 of 4").waitFor();
  // Cut off in the middle, it goes on after the last event it has seen: the start and two trials.
  front.cut();
  await expect.poll(() => streams().length).toBe(3);
  expect(streams().map(({ lastEventId }) => lastEventId)).toEqual([undefined, undefined, "3"]);
  await page.getByText("2 of 4").waitFor();
  open();
  await page.getByText("2 of 2 tasks passed in every trial").waitFor();
  await close();
  await front.close();
  await agent.close();
}, 60_000);
