/** Days are `YYYY-MM-DD`; weeks begin on Monday. */

const dayMs = 86_400_000;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  return addDays(day, -weekdayOf(day));
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
}

/** A month is counted from year 0, so that months can be added. */
export function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** The first and the last day of a month, or of several. */
export function monthSpan(month: number, months = 1): { from: string; to: string } {
  return { from: firstDay(month), to: addDays(firstDay(month + months), -1) };
}

/** The day, or null when that month has no such day or the year is none people write. */
export function dayOf(year: number, month: number, day: number): string | null {
  if (!Number.isInteger(year) || year < 1900 || year > 2200 || month < 0 || month > 11 || day < 1)
    return null;
  const { from, to } = monthSpan(year * 12 + month);
  return day > Number(to.slice(8)) ? null : addDays(from, day - 1);
}

/** A day, the same day of a month `months` later or earlier, or that month's last. */
export function addMonths(day: string, months: number): string {
  const { from, to } = monthSpan(monthOf(day) + months);
  return addDays(from, Math.min(Number(day.slice(8)), Number(to.slice(8))) - 1);
}

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year !== undefined && dayOf(Number(year), Number(month) - 1, Number(day)) !== null;
}

function firstDay(month: number): string {
  const year = Math.floor(month / 12);
  return `${String(year).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}-01`;
}
