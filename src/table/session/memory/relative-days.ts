/** Milliseconds of a day. */
const dayMs = 86_400_000;

/** First and last day (`YYYY-MM-DD`, both included) a relative token means on `today`; undefined for another text. */
export function relativeDays(token: string, today: string): { from: string; to: string } | undefined {
  const now = Date.parse(`${today}T00:00:00Z`);
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const span = (from: number, to: number) => ({ from: dayOf(from), to: dayOf(to) });
  switch (token) {
    case "today":
      return span(now, now);
    case "yesterday":
      return span(now - dayMs, now - dayMs);
    case "tomorrow":
      return span(now + dayMs, now + dayMs);
    case "thisWeek": {
      // ISO weeks begin on Monday; getUTCDay counts from Sunday.
      const monday = now - ((date.getUTCDay() + 6) % 7) * dayMs;
      return span(monday, monday + 6 * dayMs);
    }
    case "thisMonth":
      return span(Date.UTC(year, month, 1), Date.UTC(year, month + 1, 0));
    case "previousMonth":
      return span(Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0));
  }
  const counted = /^(last|next):(\d+)$/.exec(token);
  if (counted === null) return undefined;
  const away = (Number(counted[2]) - 1) * dayMs;
  return counted[1] === "last" ? span(now - away, now) : span(now, now + away);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
