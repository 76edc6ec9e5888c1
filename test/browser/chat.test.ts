import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/live-engine.ts";
import { ConsoleUnderTest, expectAccessible, expectNoOverflow, type OpenOptions } from "./support/console.ts";

let stage: ConsoleUnderTest;
beforeAll(async () => {
  stage = await ConsoleUnderTest.start();
});
afterAll(async () => {
  await stage.close();
});

async function chat(place: string, options: OpenOptions = {}) {
  const opened = await stage.open(`chat/${place}`, options);
  await opened.page.getByLabel(/^Message to/).waitFor();
  return opened;
}

/** Types a message and sends it with Enter. */
async function say(page: Page, text: string): Promise<void> {
  const input = page.getByLabel(/^Message to/);
  await input.fill(text);
  await input.press("Enter");
}

/** Nothing runs any more. */
async function answered(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
}

function conversation(page: Page) {
  return page.getByRole("region", { name: "Conversation" });
}

/** The texts of the agent itself, in order. */
async function texts(page: Page): Promise<string[]> {
  const found = await page.locator(".chat-text .markdown").allTextContents();
  return found.map((text) => text.trim());
}

interface Session {
  messages: { role: string; content?: string; parts?: { text: string }[] }[];
  state: { [key: string]: unknown };
  interrupts: { id: string }[];
  running: boolean;
}

async function session(page: Page, agent: string): Promise<Session> {
  const id = decodeURIComponent(page.url().split("/").at(-1) ?? "");
  const reply = await stage.engine.api(`/api/sessions/${agent}/${id}`);
  expect(reply.status).toBe(200);
  return (await reply.json()) as Session;
}

test("an approval by keyboard alone, over a reload, and the conversation is found again", async () => {
  const { page, faults, close } = await chat("support");
  await expectAccessible(page);
  await say(page, "What plans do you offer?");
  await page.getByText("We offer Free, Pro and Team plans.").first().waitFor();
  await answered(page);
  await say(page, "Please refund order 1042");
  const card = page.getByRole("region", { name: /^Refund \$240 of order 1042/ });
  await card.waitFor();
  await expectAccessible(page);
  expect(await page.getByRole("status").filter({ hasText: "An approval is needed" }).count()).toBe(1);
  await page.reload();
  await card.waitFor();
  expect(await card.locator("dl").textContent()).toContain("orderId1042amount240");
  await card.getByRole("button", { name: "Approve" }).press("Enter");
  await card.waitFor({ state: "detached" });
  await until(async () => (await page.locator(".end").count()) === 2, 10_000);
  await answered(page);
  expect((await session(page, "support")).state.refunds).toHaveLength(1);
  const said = await texts(page);
  expect(said[0]).toBe("We offer Free, Pro and Team plans.");
  expect(said).toHaveLength(3);
  await page.reload();
  await until(async () => (await texts(page)).length === 3, 10_000);
  expect(await texts(page)).toEqual(said);
  expect(await page.locator(".chat-user").allTextContents()).toEqual([
    "You: What plans do you offer?",
    "You: Please refund order 1042",
  ]);
  expect(await page.locator(".end").count()).toBe(2);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await close();
});

test("arguments are edited in a form made from their schema, at 360 pixels", async () => {
  const { page, faults, close } = await chat("support", {
    viewport: { width: 360, height: 740 },
    theme: "dark",
  });
  await say(page, "Please refund order 1042");
  await page.getByRole("button", { name: "Edit first" }).click();
  await page.getByLabel("Amount").fill("-3");
  await page.getByRole("button", { name: "Approve with these" }).click();
  await page.getByText(/More than 0|At least 0/).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByLabel("Amount").fill("40");
  await page.getByRole("button", { name: "Approve with these" }).click();
  await page.locator(".call", { hasText: "refund_order" }).getByText("done").waitFor();
  await answered(page);
  const { state } = await session(page, "support");
  expect(state.refunds).toMatchObject([{ amount: 40 }]);
  await page.locator(".call", { hasText: "refund_order" }).locator("summary").click();
  await page.getByText("Ran with your changes").waitFor();
  await page.reload();
  await page.locator(".call", { hasText: "refund_order" }).locator("summary").click();
  await page.getByText("Ran with your changes").waitFor();
  await expectNoOverflow(page);
  expect(faults).toEqual([]);
  await close();
});

test("two approvals have their own decisions and go in one request; the reason is told", async () => {
  const { page, faults, close } = await chat("playground");
  let runs = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/agui/v1/agents/playground")) runs += 1;
  });
  await say(page, "Delete notes.txt and report.txt");
  await page.getByRole("button", { name: "Approve" }).first().click();
  await page.getByText("1 of 2 decided").waitFor();
  await until(() => page.evaluate("document.activeElement.textContent === 'Approve'"), 3_000);
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByLabel("Reason").fill("<b>we need it</b>");
  await page.getByRole("button", { name: "Reject" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send 2 decisions" }).click();
  await page.locator(".call-rejected").waitFor();
  await answered(page);
  expect(runs).toBe(2);
  expect((await session(page, "playground")).state.files).toEqual(["report.txt"]);
  await page.locator(".call-rejected summary").click();
  await page.getByText("Reason: <b>we need it</b>").first().waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("what is decided in the inbox is noticed here, inside a subagent too", async () => {
  const { page, faults, close } = await chat("playground");
  await say(page, "Ask the helper to delete notes.txt");
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.getByText("What helper did").waitFor();
  const [open] = (await session(page, "playground")).interrupts;
  const reply = await stage.engine.api(`/api/approvals/${open?.id}/approve`, { method: "POST" });
  expect(reply.status).toBe(200);
  await reply.body?.cancel();
  await page.getByRole("button", { name: "Approve" }).waitFor({ state: "detached" });
  await answered(page);
  expect((await texts(page)).at(-1)).toContain("Deleted notes.txt.");
  expect(await page.locator(".call-done").count()).toBe(2);
  expect(faults).toEqual([]);
  await close();
});

test("the page's own tool asks in a dialog, over a reload, beside an approval", async () => {
  const { page, faults, close } = await chat("playground");
  await say(page, "Use my tool, tell me the weather in Paris, and delete notes.txt");
  const dialog = page.getByRole("dialog", { name: "The agent asks you" });
  await dialog.waitFor();
  await expectAccessible(page);
  await page.reload();
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Answer" }).click();
  await dialog.getByLabel("The second one").check();
  await dialog.getByRole("button", { name: "Answer" }).click();
  await page.getByText("1 of 2 decided").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Send 2 decisions" }).click();
  await page.locator(".end").waitFor();
  await answered(page);
  const { messages, state } = await session(page, "playground");
  expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual(
    expect.arrayContaining(["The second one", "Deleted notes.txt."]),
  );
  expect(state.files).toEqual(["report.txt"]);
  await say(page, "Use my tool");
  await dialog.getByLabel("Or in your own words").fill("Mine, and <i>only</i> mine");
  await dialog.getByLabel("Or in your own words").press("Enter");
  await page.getByText("ask_user says: Mine, and <i>only</i> mine").first().waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("the planner's list is ticked, its helpers are shown, and the draft can be changed", async () => {
  const { page, faults, close } = await chat("planner");
  await say(page, "Write a note about otters");
  const side = page.getByRole("complementary", { name: "Shared state" });
  await side.getByText("Done: Check the draft").waitFor();
  expect(await side.locator(".todo.is-done").count()).toBe(3);
  await answered(page);
  const draft = side.getByRole("textbox", { name: "Draft" });
  expect(await draft.inputValue()).toContain("Sea otters hold hands while they sleep.");
  await page.locator(".call", { hasText: "researcher" }).first().locator("summary").first().click();
  await page.getByText("What researcher did").waitFor();
  await expectAccessible(page);
  await draft.fill("My own words. And more.");
  await side.getByText("goes along with your next message").waitFor();
  await say(page, "Make it shorter");
  await page.getByText("The draft is shorter now.").first().waitFor();
  await answered(page);
  expect(await draft.inputValue()).toBe("My own words.");
  expect((await session(page, "planner")).state.draft).toBe("My own words.");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("dialog", { name: "Shared state" }).getByText("Done: Check the draft").waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  expect(faults).toEqual([]);
  await close();
});

test("a reload in the middle of a slow answer finds its beginning and stays for its end", async () => {
  const { page, faults, close } = await chat("playground");
  await say(page, "Count slowly to 200");
  await conversation(page)
    .getByText(/\b30\b/)
    .first()
    .waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.locator(".end").waitFor();
  const [text = ""] = await texts(page);
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(await page.locator(".chat-user").allTextContents()).toEqual(["You: Count slowly to 200"]);
  expect(faults).toEqual([]);
  await close();
});

test("stop ends the turn on the Worker, and the conversation goes on", async () => {
  const { page, faults, close } = await chat("playground");
  await say(page, "Use the slow tool for 20000 ms");
  await page.locator(".call-running").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped.").waitFor();
  await answered(page);
  expect((await session(page, "playground")).running).toBe(false);
  await say(page, "Hello");
  await until(async () => (await texts(page)).at(-1)?.includes("Hello") === true, 5_000);
  await answered(page);
  expect(faults).toEqual([]);
  await close();
});

test("a turn that fails says why in its place and is tried again without saying it twice", async () => {
  const { page, faults, close } = await chat("playground");
  await say(page, "Fail as unavailable");
  const failed = page.getByRole("region", { name: "The turn failed" });
  await failed.getByText("model_unavailable").waitFor();
  await expectAccessible(page);
  await failed.getByRole("button", { name: "Try again" }).click();
  await until(async () => (await failed.count()) === 2, 10_000);
  const users = (await session(page, "playground")).messages.filter(({ role }) => role === "user");
  expect(users).toHaveLength(1);
  expect(await page.locator(".chat-user").count()).toBe(1);
  expect(faults).toEqual([]);
  await close();
});

test("a broken connection is taken up again and loses nothing", async () => {
  const { page, close } = await chat("playground");
  await say(page, "Count slowly to 200");
  await conversation(page)
    .getByText(/\b20\b/)
    .first()
    .waitFor();
  await page.context().setOffline(true);
  await page.getByText("The connection is gone.").waitFor();
  await page.context().setOffline(false);
  await page.locator(".end").waitFor();
  const [text = ""] = await texts(page);
  expect((text.match(/\d+/g) ?? []).length).toBe(200);
  await close();
});

test("hostile text stays text, and reasoning is folded", async () => {
  const { page, faults, close } = await chat("playground");
  await say(
    page,
    "<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![p](https://example.com/p.png) \u202Eabc",
  );
  await answered(page);
  await page.locator(".end").waitFor();
  expect(await conversation(page).locator("img, script, iframe").count()).toBe(0);
  expect(await conversation(page).locator('a[href^="javascript"]').count()).toBe(0);
  expect(await conversation(page).locator(".chat-user").textContent()).toContain("⟨U+202E⟩abc");
  await say(page, "Think about tea");
  const folded = page.getByText("Reasoning");
  await folded.waitFor();
  const thought = page.locator(".chat-thought p");
  expect(await thought.isVisible()).toBe(false);
  await folded.click();
  expect(await thought.isVisible()).toBe(true);
  expect(faults).toEqual([]);
  await close();
});

test("threads are listed, renamed, switched and deleted; the newest line is followed until one scrolls away", async () => {
  const { page, faults, close } = await chat("playground");
  await say(page, "Hello one");
  await page.locator(".end").waitFor();
  const first = page.url();
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByRole("heading", { name: "playground", exact: true }).waitFor();
  await say(page, "Count slowly to 150");
  const threads = page.getByRole("complementary", { name: "Threads" });
  await threads.getByRole("link", { name: /Count slowly/ }).waitFor();
  await answered(page);
  await page.getByRole("button", { name: "Rename or delete Hello one" }).click();
  await page.getByLabel("Title").fill("Greeting");
  await page.getByRole("button", { name: "Save" }).click();
  await threads.getByRole("link", { name: /Greeting/ }).click();
  await page.waitForURL(first);
  await until(
    async () => (await page.locator(".chat-user").allTextContents()).join() === "You: Hello one",
    5_000,
  );
  await page.reload();
  await page.locator(".end").waitFor();
  await page.getByRole("button", { name: "Rename or delete Greeting" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete for good" }).click();
  await threads.getByRole("link", { name: /Greeting/ }).waitFor({ state: "detached" });
  const gone = await stage.engine.api(`/api/sessions/playground/${first.split("/").at(-1)}`);
  expect(gone.status).toBe(404);
  await gone.body?.cancel();

  await page.setViewportSize({ width: 700, height: 420 });
  await say(page, "Long tool output");
  await answered(page);
  await page.locator(".end").last().waitFor();
  await say(page, "Unicode");
  await until(async () => (await page.locator(".end").count()) === 2, 5_000);
  const pane = conversation(page);
  const distance = () =>
    pane.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await until(async () => (await distance()) < 2, 3_000);
  await pane.evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole("button", { name: "Newest" }).waitFor();
  await say(page, "Hello again");
  await answered(page);
  await page.getByRole("button", { name: "Newest" }).click();
  await until(async () => (await distance()) < 2, 3_000);
  expect(faults).toEqual([]);
  await close();
});

test("what was said is there as code for each wire, without the token", async () => {
  const { page, faults, close } = await chat("support");
  await say(page, "How much are they?");
  await page.getByRole("button", { name: "Copy as code" }).click();
  const dialog = page.getByRole("dialog", { name: "Say it from code" });
  for (const [wire, part] of [
    ["OpenAI", '{"model":"support","messages":[{"role":"user","content":"How much are they?"}]}'],
    ["Anthropic", "/anthropic/v1/messages"],
    ["AG-UI", "/agui/v1/agents/support"],
  ] as const) {
    await dialog.getByRole("tab", { name: wire }).click();
    await dialog.getByText(part).first().waitFor();
    expect(await dialog.textContent()).not.toContain(stage.engine.token);
  }
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await close();
});
