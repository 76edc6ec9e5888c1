const unitMs: { [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const longNames: { [name: string]: string } = {
  millisecond: "ms",
  second: "s",
  sec: "s",
  minute: "m",
  min: "m",
  hour: "h",
  hr: "h",
  day: "d",
  week: "w",
};

/** A year, the longest the engine sleeps. */
const longestMs = 365 * 86_400_000;

/**
 * Milliseconds of a duration: a number of them, `24h`, `90m`, `1h30m`, `2 days`, or ISO 8601 such as `PT24H`. Throws a
 * plain error that names the text when it is none of these, negative, or longer than 365 days.
 */
export function durationMs(duration: number | string): number {
  const ms = typeof duration === "number" ? duration : (readIso(duration) ?? readUnits(duration));
  if (ms === null || !Number.isFinite(ms) || ms < 0) {
    throw new Error(
      `${JSON.stringify(duration)} is no duration: write "24h", "90m", "1h30m", "2 days", "PT24H", or milliseconds`,
    );
  }
  if (ms > longestMs) throw new Error(`${JSON.stringify(duration)} is longer than 365 days`);
  return Math.round(ms);
}

function readUnits(text: string): number | null {
  const found = [...text.matchAll(/\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*/giy)];
  const length = found.reduce((sum, [whole]) => sum + whole.length, 0);
  if (found.length === 0 || length !== text.length) return null;
  let sum = 0;
  for (const [, amount, word = ""] of found) {
    const lower = word.toLowerCase();
    const name = longNames[lower] ?? longNames[lower.replace(/s$/, "")] ?? lower;
    const ms = Object.hasOwn(unitMs, name) ? unitMs[name] : undefined;
    if (ms === undefined) return null;
    sum += Number(amount) * ms;
  }
  return sum;
}

function readIso(text: string): number | null {
  const parts =
    /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
      text,
    );
  if (parts === null || text.endsWith("T") || text === "P") return null;
  const [, weeks, days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  return (
    (weeks ?? 0) * 604_800_000 +
    (days ?? 0) * 86_400_000 +
    (hours ?? 0) * 3_600_000 +
    (minutes ?? 0) * 60_000 +
    (seconds ?? 0) * 1_000
  );
}
