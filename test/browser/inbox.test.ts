import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/live-engine.ts";
import { ConsoleUnderTest, expectAccessible, expectNoOverflow } from "./support/console.ts";

let stage: ConsoleUnderTest;
beforeAll(async () => {
  stage = await ConsoleUnderTest.start();
});
afterAll(async () => {
  await stage.close();
});

/** Has the playground ask before it deletes a file; the approval's id. */
async function ask(session: string, text = "Delete notes.txt"): Promise<string> {
  const reply = await stage.engine.api("/openai/v1/chat/completions", {
    headers: { "x-stackbone-session": session },
    body: { model: "playground", messages: [{ role: "user", content: text }] },
  });
  expect(reply.status).toBe(200);
  await reply.body?.cancel();
  let id = "";
  await until(async () => {
    const inbox = await stage.engine.api("/api/approvals?status=pending");
    const { items } = (await inbox.json()) as { items: { id: string; session?: string }[] };
    id = items.find((item) => item.session === session)?.id ?? "";
    return id !== "";
  }, 5_000);
  return id;
}

/** The files the session's agent still has, once the turn has gone on. */
async function filesOf(session: string): Promise<unknown> {
  let state: { files?: unknown } = {};
  await until(async () => {
    const reply = await stage.engine.api(`/api/sessions/playground/${session}`);
    const body = (await reply.json()) as {
      state: { files?: unknown };
      running: boolean;
      interrupts: unknown[];
    };
    state = body.state;
    return !body.running && body.interrupts.length === 0;
  }, 10_000);
  return state.files;
}

test("a call is read and approved by keyboard alone, over a reload", async () => {
  const { page, faults, close } = await stage.open("inbox");
  await page.getByText("Nothing waits").waitFor();
  await expectAccessible(page);
  await ask("keyboard");
  const item = page.getByRole("link", { name: /Delete notes.txt for good/ });
  await item.waitFor();
  await item.press("Enter");
  const what = page.getByRole("region", { name: "What will happen" });
  await what.waitFor();
  expect(await what.textContent()).toBe("delete_file will run withpathnotes.txt");
  await expectAccessible(page);
  await page.reload();
  await what.waitFor();
  await page.getByRole("button", { name: "Approve" }).press("Enter");
  await page.getByRole("region", { name: "Decision" }).getByText("in the inbox").waitFor();
  await page.getByText("Nothing waits").waitFor();
  expect(await filesOf("keyboard")).toEqual(["report.txt"]);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await close();
});

test("arguments are edited in a form made from their schema, at 360 pixels", async () => {
  const id = await ask("edited");
  const { page, faults, close } = await stage.open(`inbox/${id}`, {
    viewport: { width: 360, height: 740 },
    theme: "dark",
  });
  await page.getByRole("button", { name: "Edit first" }).click();
  await page.getByLabel("Path").fill("");
  await page.getByRole("button", { name: "Approve with these" }).click();
  await page.getByText("Needed.").waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByLabel("Path").fill("report.txt");
  await page.getByRole("button", { name: "Approve with these" }).click();
  const decision = page.getByRole("region", { name: "Decision" });
  await decision.getByText("report.txt").waitFor();
  expect(await filesOf("edited")).toEqual(["notes.txt"]);
  expect(faults).toEqual([]);
  await close();
});

test("a rejection carries its reason, as text, and stands in the history", async () => {
  const id = await ask("rejected");
  const { page, faults, close } = await stage.open(`inbox/${id}`);
  await page.getByRole("button", { name: "Reject" }).press("Enter");
  expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
  await page.keyboard.type("<b>not today</b>");
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("region", { name: "Decision" }).getByText("<b>not today</b>").waitFor();
  const history = page.getByRole("region", { name: "History" });
  await history.getByText("rejected").waitFor();
  expect(await filesOf("rejected")).toEqual(["notes.txt", "report.txt"]);
  expect(faults).toEqual([]);
  await close();
});

test("who comes second is told what holds", async () => {
  const id = await ask("second");
  const { page, close } = await stage.open(`inbox/${id}`);
  await page.getByRole("button", { name: "Reject" }).click();
  const first = await stage.engine.api(`/api/approvals/${id}/approve`, { method: "POST" });
  expect(first.status).toBe(200);
  await first.body?.cancel();
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("region", { name: "Decision" }).getByText("Approved").waitFor();
  await close();
});

test("a turn is found in the runs and opens with its conversation", async () => {
  const reply = await stage.engine.api("/openai/v1/chat/completions", {
    headers: { "x-stackbone-session": "told" },
    body: { model: "playground", messages: [{ role: "user", content: "**bold** <i>no</i>" }] },
  });
  await reply.body?.cancel();
  const { page, faults, close } = await stage.open("runs");
  await page.getByLabel("Status").selectOption("done");
  await page.getByRole("link", { name: "playground" }).first().click();
  const conversation = page.getByRole("region", { name: "Conversation" });
  await conversation.getByText("**bold** <i>no</i>").first().waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  expect(faults).toEqual([]);
  await close();
});

test("a workflow is started from its schema, waits here, is approved over a reload, and ends", async () => {
  const { page, faults, close } = await stage.open("workflows");
  await page.getByRole("region", { name: "refund" }).getByRole("link", { name: "Start" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("Needed.").first().waitFor();
  await expectAccessible(page);
  await page.getByLabel("Order id").fill("ord_42");
  await page.getByLabel("Amount").fill("19.99");
  await page.getByLabel("Approval token").fill("refund-42");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/#\/runs\/run_/);
  await page.getByText("waits for a person").first().waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Decide it in the inbox" }).click();
  await page.getByRole("link", { name: /Approve refund/ }).click();
  const what = page.getByRole("region", { name: "What will happen" });
  await what.getByText("ord_42").waitFor();
  await page.reload();
  await what.getByText("ord_42").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("region", { name: "Decision" }).getByText("Approved").waitFor();
  await page.getByRole("link", { name: "its run" }).click();
  await page.getByText("ends as done").waitFor();
  await page.getByRole("region", { name: "Output" }).getByText('"refunded": true').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  expect(faults).toEqual([]);
  await close();
});
