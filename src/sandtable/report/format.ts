/** A length of time as a person says it: `340 ms`, `4.2 s`, `3 min 05 s`, `1 h 02 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const two = (n: number) => String(n).padStart(2, "0");
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/**
 * A share from 0 to 1 with two decimals, or three where two would hide something: a share that is not all never reads
 * `1.00`, and one that is not nothing never reads `0.00`.
 */
export function share(value: number): string {
  if (value >= 1 || value <= 0) return value.toFixed(2);
  for (let digits = 2; digits < 6; digits++) {
    const text = value.toFixed(digits);
    if (Number(text) > 0 && Number(text) < 1) return text;
  }
  return value < 0.5 ? "<0.00001" : ">0.99999";
}

/** `1 task`, `3 tasks`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

/** US dollars: `$0.0042`, `$1.30`; `unknown` for `null`. */
export function dollars(value: number | null): string {
  if (value === null) return "unknown";
  return `$${value >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2)}`;
}
