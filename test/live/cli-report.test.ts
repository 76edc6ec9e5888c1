import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderReport } from "../../src/sandtable/report/html.ts";
import { sampleResults } from "../fixtures/sample-results.ts";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

describe.skipIf(!existsSync(executablePath))("the report in a browser", () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "greenroom-report-")), "report.html");
  const url = pathToFileURL(file).href;
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(file, renderReport(sampleResults()));
    browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
  });
  afterAll(() => browser.close());

  /** Opens the report and notes everything it does that a file at rest would not. */
  async function open(
    options: Parameters<Browser["newPage"]>[0],
    page = url,
  ): Promise<{ page: Page; noise: string[] }> {
    const noise: string[] = [];
    const opened = await browser.newPage(options);
    opened.on("console", (message) => noise.push(`console: ${message.text()}`));
    opened.on("pageerror", (error) => noise.push(`error: ${error.message}`));
    opened.on("dialog", (dialog) => {
      noise.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    opened.on("request", (request) => {
      if (!request.url().startsWith(url)) noise.push(`request: ${request.url()}`);
    });
    await opened.goto(page);
    return { page: opened, noise };
  }

  test("runs nothing, asks for nothing and shows hostile text as text", async () => {
    const { page, noise } = await open({});
    expect(noise).toEqual([]);
    expect(await page.locator("script, img, iframe").count()).toBe(0);
    const description = page.locator("td p", { hasText: "<script>alert(1)</script>" }).first();
    expect(await description.isVisible()).toBe(true);
    await page.close();
  });

  test.each([
    ["light", 1_200],
    ["dark", 1_200],
    ["light", 360],
  ] as const)(
    "%s at %d pixels: nothing is wider than the page, open or folded",
    async (colorScheme, width) => {
      const { page, noise } = await open({ colorScheme, viewport: { width, height: 800 } });
      const overflow = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      expect(await overflow()).toBeLessThanOrEqual(0);
      const background = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(background).toBe(colorScheme === "dark" ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)");
      expect(noise).toEqual([]);
      await page.close();
    },
  );

  test("a link to a line opens its transcript, without JavaScript", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    const breach = page.locator("#t1-1-5 .breach").first();
    expect(await breach.isVisible()).toBe(false);
    await page.locator('a[href="#t1-1-5"]').first().click();
    await breach.waitFor({ state: "visible" });
    expect(await breach.textContent()).toContain(
      "broke rule stay-under-ceiling: rate 1600 is above the ceiling 1500 of load L-1002",
    );
    await page.close();
  });

  test("on paper the transcripts are there", async () => {
    const { page } = await open({});
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#t1-1-5 .breach").first().isVisible()).toBe(true);
    await page.close();
  });
});
