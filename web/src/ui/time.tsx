import { duration } from "../../../src/sandtable/report/format.ts";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** A moment (ISO 8601) as a distance from now, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={absolute.format(then)}>
      {ago(then.getTime() - Date.now())}
    </time>
  );
}

function ago(ms: number): string {
  for (const [unit, length] of units) {
    if (Math.abs(ms) >= length) return relative.format(Math.round(ms / length), unit);
  }
  return ms > 5_000 ? `in ${Math.round(ms / 1_000)} s` : "just now";
}

/** The time between two moments (ISO 8601); up to now while there is no second one. */
export function Took({ from, to }: { from: string; to: string | null }) {
  return (
    <span className="number">{duration((to === null ? Date.now() : Date.parse(to)) - Date.parse(from))}</span>
  );
}
