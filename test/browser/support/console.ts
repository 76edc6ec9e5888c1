import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { LiveEngine } from "../../support/live-engine.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface OpenOptions extends BrowserContextOptions {
  /** Where the console is opened, when not at the engine itself. */
  origin?: string;
  /** Opens the page without the token; the console then asks for it. */
  withoutToken?: boolean;
  theme?: "light" | "dark";
}

/** A page of the console, and all that went wrong in it. */
export interface OpenPage {
  page: Page;
  /** Errors of the page's scripts, violations of its policy and what it wrote as an error. */
  faults: string[];
  close(): Promise<void>;
}

/** Debian's Chromium and the Worker with the console as it stands in the sources: one of each a test file. */
export class ConsoleUnderTest {
  readonly engine: LiveEngine;
  private readonly browser: Browser;

  private constructor(engine: LiveEngine, browser: Browser) {
    this.engine = engine;
    this.browser = browser;
  }

  static async start(extraFlags: string[] = []): Promise<ConsoleUnderTest> {
    await buildConsole();
    const [engine, browser] = await Promise.all([LiveEngine.start(), launch(extraFlags)]);
    return new ConsoleUnderTest(engine, browser);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.engine.close();
  }

  /** Opens `#/place` in a context of its own, signed in. */
  async open(place: string, options: OpenOptions = {}): Promise<OpenPage> {
    const { origin = this.engine.url, withoutToken = false } = options;
    return openPage(this.browser, origin, withoutToken ? null : this.engine.token, place, options);
  }
}

/** Builds web/dist unless it was made of the sources as they are. */
async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, ["scripts/build-web.ts", "--if-needed"], { cwd: root });
}

export function launch(extraFlags: string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: [...flags, ...extraFlags] });
}

/** Opens `#/place` of the console at `origin` with the token in the tab's session storage. */
export async function openPage(
  browser: Browser,
  origin: string,
  token: string | null,
  place: string,
  options: OpenOptions = {},
): Promise<OpenPage> {
  const { withoutToken: _, origin: __, theme = "light", ...rest } = options;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
    acceptDownloads: true,
    ...rest,
  });
  if (token !== null) {
    const entry = JSON.stringify(token);
    await context.addInitScript(
      `if (!sessionStorage.getItem("greenroom.token")) sessionStorage.setItem("greenroom.token", ${entry})`,
    );
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.setDefaultTimeout(15_000);
  await page.goto(`${origin}/#/${place}`);
  return { page, faults, close: () => context.close() };
}

const require = createRequire(import.meta.url);
let axeSource: string | null = null;

/** Fails on anything axe finds in the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  axeSource ??= await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(axeSource);
  const { violations } = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))",
  )) as { violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] };
  const found = violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => `${html.slice(0, 200)} — ${failureSummary}`),
  }));
  expect(found).toEqual([]);
}

/** Fails when the page can be scrolled sideways: something is wider than the window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const { wide, window } = (await page.evaluate(
    "({ wide: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })",
  )) as { wide: number; window: number };
  expect(wide).toBeLessThanOrEqual(window);
}
