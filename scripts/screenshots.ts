import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launch, openPage } from "../test/browser/support/console.ts";

/**
 * Takes a picture of each page of the console of a running Worker: light and dark, wide and narrow. Prints where they
 * are. `--url`, `--token`, `--out` and `--only` (part of a page's name) say otherwise than the defaults.
 */
const option = (name: string, preset: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? preset : (process.argv[at + 1] ?? preset);
};
const url = option("url", "http://127.0.0.1:8787");
const token = option("token", "dev");
const out = option("out", "greenroom-results/console");
const only = option("only", "");

const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 760 } };

async function api<T>(path: string): Promise<T> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } }).catch(() => {
    throw new Error(`No Worker answers at ${url}. Start one with: npm run dev`);
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

async function newestId(path: string, member: "id" | "runId"): Promise<string | undefined> {
  const { items } = await api<{ items: { id?: string; runId?: string }[] }>(path);
  return items[0]?.[member];
}

async function newestChat(): Promise<string> {
  const { items } = await api<{ items: { agent: string; session: string | null; wire: string }[] }>(
    "/api/runs?kind=agent&limit=50",
  );
  const run = items.find(({ session, wire }) => session !== null && wire === "agui");
  return run === undefined ? "chat" : `chat/${run.agent}/${encodeURIComponent(run.session ?? "")}`;
}

/** Pages by the name of their picture; those that show one thing take the newest there is. */
async function places(): Promise<Record<string, string>> {
  const { items } = await api<{ items: { runId: string }[] }>("/api/rehearsals?limit=2");
  const [newest, before] = items.map(({ runId }) => runId);
  return {
    home: "",
    settings: "settings",
    rehearsals: "rehearsals",
    "rehearsal-start": "rehearsals/new",
    ...(newest === undefined ? {} : { rehearsal: `rehearsals/${newest}` }),
    ...(newest === undefined ? {} : { "rehearsal-rules": `rehearsals/${newest}?tab=rules` }),
    ...(newest === undefined ? {} : { "rehearsal-trial": `rehearsals/${newest}?tab=trials` }),
    ...(newest === undefined || before === undefined
      ? {}
      : { compare: `rehearsals/${newest}?tab=compare&with=${before}` }),
    inbox: "inbox",
    "inbox-item": `inbox/${(await newestId("/api/approvals?status=pending&limit=1", "id")) ?? ""}`,
    runs: "runs",
    run: `runs/${(await newestId("/api/runs?limit=1", "runId")) ?? ""}`,
    "workflow-run": `runs/${(await newestId("/api/runs?kind=workflow&limit=1", "runId")) ?? ""}`,
    "workflow-start": "workflows/refund",
    workflows: "workflows",
    chat: "chat",
    "chat-thread": await newestChat(),
    table: "table",
  };
}

async function shoot(browser: Browser, name: string, place: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    for (const [size, viewport] of Object.entries(sizes)) {
      const { page, faults, close } = await openPage(browser, url, token, place, { viewport, theme });
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(out, `${name}-${theme}-${size}.png`), fullPage: true });
      for (const fault of faults) console.error(`${name} (${theme}, ${size}): ${fault}`);
      await close();
    }
  }
}

mkdirSync(out, { recursive: true });
const browser = await launch();
try {
  for (const [name, place] of Object.entries(await places())) {
    if (name.includes(only)) await shoot(browser, name, place);
  }
  console.log(`Pictures are in ${out}.`);
} finally {
  await browser.close();
}
