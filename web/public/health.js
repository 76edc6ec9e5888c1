/** Milliseconds between two looks while the page is in view. */
const everyMs = 15_000;
/** The Worker itself gives up on a check after three seconds. */
const patienceMs = 6_000;

const names = { database: "Database", durable: "Durable engine", configuration: "Configuration" };
const card = document.getElementById("health");
const line = document.getElementById("health-status");
const list = document.getElementById("health-checks");

async function look() {
  try {
    const response = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(patienceMs) });
    const { status, checks } = await response.json();
    show(status, status === "ok" ? "Everything works" : "Something needs attention", checks);
  } catch {
    show("failing", "No answer from this Worker", {});
  }
}

function show(status, text, checks) {
  card.dataset.status = status;
  if (line.textContent !== text) line.textContent = text;
  list.replaceChildren(
    ...Object.entries(checks).flatMap(([name, { ok, ms, error }]) => {
      const term = document.createElement("dt");
      term.textContent = names[name] ?? name;
      const detail = document.createElement("dd");
      detail.dataset.ok = String(ok);
      detail.textContent = ok ? `works${ms === undefined ? "" : `, ${ms} ms`}` : (error ?? "failing");
      return [term, detail];
    }),
  );
}

await look();
setInterval(() => {
  if (document.visibilityState === "visible") void look();
}, everyMs);
