import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleUnderTest, expectAccessible, expectNoOverflow } from "./support/console.ts";

let stage: ConsoleUnderTest;
beforeAll(async () => {
  stage = await ConsoleUnderTest.start();
});
afterAll(async () => {
  await stage.close();
});

describe("home", () => {
  test("has snippets for this origin and the agent one picks, and never the token", async () => {
    const { page, faults, close } = await stage.open("");
    await page.getByLabel("Agent").selectOption("planner");
    await page.getByLabel("Question").fill("What's next?");
    const code = page.locator(".code-block").first();
    await expect
      .poll(() => code.textContent())
      .toContain(`curl ${stage.engine.url}/openai/v1/chat/completions`);
    expect(await code.textContent()).toContain('"model":"planner"');
    expect(await code.textContent()).toContain(`What'\\''s next?`);
    for (const [tab, text] of [
      ["Anthropic", `baseURL: "${stage.engine.url}/anthropic"`],
      ["AG-UI", `url: "${stage.engine.url}/agui/v1/agents/planner"`],
      ["Step", `--agent ${stage.engine.url}/sandtable/v1/agents/planner/step`],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await expect.poll(() => page.getByRole("tabpanel").textContent()).toContain(text);
    }
    expect(await page.locator("body").textContent()).not.toContain(stage.engine.token);
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await close();
  });

  test("each wire's command runs as it is once the token stands in it", async () => {
    const { page, close } = await stage.open("");
    await page.getByLabel("Agent").selectOption("playground");
    await page.getByLabel("Question").fill("Hello, it's a snippet");
    const answers: [string, string][] = [
      ["OpenAI", "Hello, it's a snippet"],
      ["Anthropic", "Hello, it's a snippet"],
      ["AG-UI", "Hello, it's a snippet"],
      ["AdaptTable", '"name":"view.setSort","args":{"key":"salary","dir":"desc"}'],
      ["Step", "Hello, it's a snippet"],
    ];
    for (const [wire, expected] of answers) {
      await page.getByRole("tab", { name: wire }).click();
      const command = page.locator(".code-block", { hasText: /^curl/ }).locator("pre");
      const text = (await command.textContent()) ?? "";
      const url = /^curl (?:-N )?(\S+)/.exec(text)?.[1] ?? "";
      const headers = [...text.matchAll(/-H "([^:]+): ([^"]*)"/g)].map(([, name = "", value = ""]) => [
        name,
        value.replace("$GREENROOM_TOKEN", stage.engine.token),
      ]);
      const body = (/-d '(.*)'$/s.exec(text)?.[1] ?? "").replaceAll("'\\''", "'");
      const reply = await fetch(url, { method: "POST", headers: Object.fromEntries(headers), body });
      expect([wire, reply.status]).toEqual([wire, 200]);
      const said = await reply.text();
      const deltas = [...said.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join("");
      expect(`${said}\n${deltas}`).toContain(expected);
    }
    await close();
  });

  test("holds at 360 pixels in the dark, and the menu opens by keyboard", async () => {
    const { page, faults, close } = await stage.open("", {
      viewport: { width: 360, height: 740 },
      theme: "dark",
    });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Open the menu" }).press("Enter");
    await page.getByRole("link", { name: "Settings" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await close();
  });
});

describe("the token", () => {
  test("is asked for where it is needed, stays in session storage, and is not in the page", async () => {
    const { page, close } = await stage.open("settings", { withoutToken: true });
    await page.getByText("needed", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Token" }).fill("wrong");
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByText("needed", { exact: true }).waitFor();
    await page.getByLabel("Another token").fill(stage.engine.token);
    await page.getByLabel("Another token").press("Enter");
    await page.getByText("yours", { exact: true }).waitFor();
    const kept = await page.evaluate(
      "[{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href]",
    );
    expect(kept).toEqual([
      { "greenroom.token": stage.engine.token },
      {},
      "",
      `${stage.engine.url}/#/settings`,
    ]);
    await close();
  });
});

describe("the theme", () => {
  test("follows the system until one is chosen, and the choice is there before the first paint", async () => {
    const { page, faults, close } = await stage.open("settings", { theme: "dark" });
    const scheme = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    expect(await scheme()).toBe("rgb(14, 19, 16)");
    await page.getByRole("main").getByRole("radio", { name: "Light" }).check();
    await expect.poll(scheme).toBe("rgb(244, 246, 243)");
    await page.reload();
    expect(await scheme()).toBe("rgb(244, 246, 243)");
    expect(faults).toEqual([]);
    await close();
  });
});

describe("the shell", () => {
  test("says when the Worker does not answer, and when it does again", async () => {
    const { page, close } = await stage.open("settings");
    await page.getByRole("link", { name: "Worker: All works" }).waitFor();
    // The page asks for itself.
    await page.getByRole("main").getByText("Database").waitFor();
    await page.context().setOffline(true);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("link", { name: "Worker: No answer" }).waitFor();
    await page.getByText("What you see may be old.").first().waitFor();
    await page.context().setOffline(false);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("link", { name: "Worker: All works" }).waitFor();
    await close();
  });

  test("answers an unknown page and an unknown address", async () => {
    const { page, faults, close } = await stage.open("nowhere/at/all");
    await page.getByText("There is no such page").waitFor();
    expect(faults).toEqual([]);
    const reply = await fetch(`${stage.engine.url}/nowhere`);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain("Nothing here.");
    await close();
  });

  test("comes with a policy that lets nothing run but its own files", async () => {
    const reply = await fetch(`${stage.engine.url}/`);
    const policy = reply.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await reply.text())?.[1] ?? "";
    const asset = await fetch(stage.engine.url + script);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });
});
