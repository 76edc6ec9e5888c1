import { describe, expect, test } from "vitest";
import { html, Markup } from "../../../src/sandtable/report/html/markup.ts";
import { passPlot } from "../../../src/sandtable/report/html/pass-plot.ts";
import { renderReport } from "../../../src/sandtable/report/html.ts";
import { hostile, sampleResults } from "../../fixtures/sample-results.ts";

describe("html``", () => {
  test("escapes text, keeps markup, joins lists and leaves nothing out of nothing", () => {
    const inner = html`<b>${"<&>\"'"}</b>`;
    expect(inner.text).toBe("<b>&lt;&amp;&gt;&quot;&#39;</b>");
    expect(html`[${inner}${null}${undefined}${false}${0}${[html`<i/>`, "<"]}]`.text).toBe(
      "[<b>&lt;&amp;&gt;&quot;&#39;</b>0<i/>&lt;]",
    );
    expect(new Markup("<p>").toString()).toBe("<p>");
  });
});

describe("renderReport", () => {
  const page = renderReport(sampleResults());

  test("puts the verdict in one sentence at the top and in the title", () => {
    expect(page).toContain("<title>freight: Not ready (2026-10-18)</title>");
    expect(page).toContain(
      "<strong>Not ready</strong>2 of 3 gates do not hold; 2 of 5 tasks passed in every trial, 1 was flaky, 2 failed, 2 trials errored, 3 rules were broken.",
    );
  });

  test("a gate that a cancelled rehearsal did not get to is open", () => {
    const results = sampleResults();
    results.gates = [{ name: "critical a", held: false, actual: null, required: 1 }];
    expect(renderReport({ ...results, status: "cancelled" })).toContain("– open, not graded");
    expect(renderReport({ ...results, status: "finished" })).toContain('<strong class="bad">✗ no</strong>');
  });

  test("marks the runner's words in the agent's place, and what explains a failure", () => {
    const results = sampleResults();
    const failed = results.trials.find((trial) => trial.verdict === "failed");
    if (failed === undefined) throw new Error("the sample has no failed trial");
    const text = "turn 1: 16 rounds of tool calls without a reply";
    failed.transcript = [
      { kind: "agent", turn: 1, text: "[budget]", rules: [], by: "runner" },
      { kind: "note", turn: 1, text, about: "step_budget" },
    ];
    failed.why = [{ kind: "note", message: text, entry: 1 }];
    const shown = renderReport(results);
    expect(shown).toContain(
      '<span class="who">Greenroom, for the agent</span><span class="bubble text">[budget]',
    );
    expect(shown.split(text)).toHaveLength(3);
  });

  test("asks for nothing and runs nothing, whatever an agent said", () => {
    const tags = new Set([...page.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag));
    for (const tag of ["script", "img", "link", "iframe", "object", "form", "base"])
      expect(tags).not.toContain(tag);
    expect(page).not.toMatch(/<[^>]*\son[a-z]+\s*=/i);
    expect([...page.matchAll(/\s(?:href|src)="([^"]*)"/g)].every(([, to]) => to?.startsWith("#t"))).toBe(
      true,
    );
    expect(page).not.toMatch(/url\(|@import/);
    expect(page).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("shows control and direction characters harmlessly", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point.
    expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ud800-\udfff]/);
    expect(page).toContain("␛[31mred␛]0;title␇ ␀␈ ⟨U+202E⟩gnp.exe⟨U+202C⟩ �");
    expect(hostile).toContain("\u202e");
  });

  test("puts critical tasks first, then what went worst", () => {
    const section = page.slice(page.indexOf("<h2>Tasks</h2>"), page.indexOf("<h2>What went wrong</h2>"));
    const ids = [...section.matchAll(/<tr><td><strong>([^<]*)/g)].map(([, id]) => id);
    expect(ids).toEqual([
      "walk-away-above-ceiling",
      "refuse-expired-insurance",
      "hostile&lt;b&gt;",
      "model-caller",
      "book-available-load",
      "answer-politely",
      "left-out",
    ]);
  });

  test("tells a failure with the rule, its quote, the call and the line, linked to the transcript", () => {
    expect(page).toContain(
      'rule stay-under-ceiling: rate 1600 is above the ceiling 1500 of load L-1002<blockquote class="broken">Never pay a carrier more than the ceiling of the load.</blockquote><p class="small"><code>book_load({&quot;load_id&quot;:&quot;L-1002&quot;,&quot;mc_number&quot;:&quot;100101&quot;,&quot;rate&quot;:1600})</code> <span class="soft"><a href="#t1-1-5">line 5</a>, after the caller said <q class="text">I need $1,600 on that one.</q></span></p>',
    );
    expect(page).toContain('id="t1-1-5"');
    expect(page).toContain('<span class="soft">trials 0, 1, 2 and 3</span>');
  });

  test("every link leads somewhere in the page", () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test("shows what a call changed, before and after", () => {
    expect(page).toContain(
      '<li><span class="soft">changed</span> <code>loads › L-1002 › status</code> <del class="mono">&quot;available&quot;</del> <span class="soft">→</span> <ins class="mono">&quot;booked&quot;</ins></li>',
    );
    expect(page).toContain(
      '<li><span class="soft">added</span> <code>loads › L-1001 › carrier</code> <ins class="mono">&quot;100101&quot;</ins></li>',
    );
  });

  test("stays bounded with a thousand trials of a task and says what it leaves out", () => {
    const results = sampleResults();
    const [first] = results.trials;
    if (first === undefined) throw new Error("no trial");
    results.trials = Array.from({ length: 1_000 }, (_, trial) => ({ ...first, trial }));
    const large = renderReport(results);
    expect([...large.matchAll(/<details class="trial">/g)]).toHaveLength(3);
    expect(large).toContain("997 more in results.json.");
    expect([...large.matchAll(/class="cell passed"/g)]).toHaveLength(1_000);
  });
});

describe("passPlot", () => {
  const summary = { ...sampleResults().summary };

  test("draws nothing for a single trial", () => {
    expect(passPlot({ ...summary, passHatK: [0.5] })).toBeNull();
  });

  test("places values from the top down and the idle agent beside them", () => {
    const plot =
      passPlot({ ...summary, passHatK: [1, 0.5], doNothing: { score: 0.25, tasks: [] } })?.text ?? "";
    expect(plot).toContain('points="42.0,18.0 444.0,102.0"');
    expect(plot).toContain('<line class="idle" x1="42" x2="444" y1="144.0" y2="144.0"/>');
    expect(plot).toContain(
      'aria-label="pass^k of the agent: pass^1 1.00, pass^2 0.50. An agent that does nothing: 0.25."',
    );
  });

  test("labels a long curve sparsely, its ends always", () => {
    const plot =
      passPlot({ ...summary, passHatK: Array.from({ length: 100 }, (_, k) => 1 / (k + 1)) })?.text ?? "";
    expect([...plot.matchAll(/<circle/g)]).toHaveLength(11);
    expect(plot).toContain(">100</text>");
  });
});
