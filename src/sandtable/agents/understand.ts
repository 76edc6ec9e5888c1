/** What a caller can want from the carrier desk. */
export type Topic = "load" | "search" | "cancel" | "charge" | "contact" | "lanes" | "trouble";

/** One line of a caller, as far as the carrier desk understands it. `null`: not said. */
export interface Line {
  mc: string | null;
  load: string | null;
  booking: string | null;
  /** US dollars, the last amount named. */
  figure: number | null;
  trailer: string | null;
  phone: string | null;
  email: string | null;
  /** Of the person to call back. */
  personName: string | null;
  hours: number | null;
  receipt: string | null;
  from: string | null;
  to: string | null;
  addLane: string | null;
  dropLane: string | null;
  topic: Topic | null;
  /** Asks for something the desk keeps to itself. */
  secret: "ceiling" | "shipper" | "staff" | null;
  yes: boolean;
  /** Sounds as if it might agree. */
  interested: boolean;
  /** Said the very word that settles a cancellation. */
  confirmed: boolean;
  /** Wants a better rate. */
  wantsMore: boolean;
  /** Wants the load booked at once, no questions asked. */
  hasty: boolean;
  wantsPerson: boolean;
  needsTow: boolean;
  goodbye: boolean;
}

/** Reads a caller's line. Knows English as carriers speak it; what it does not understand it leaves out. */
export function understand(text: string): Line {
  const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? null;
  const has = (pattern: RegExp) => pattern.test(text);
  return {
    mc: find(/\bMC\b[^\d]{0,12}(\d{5,7})\b/i) ?? find(/(?:^|[^\d-])(\d{6})(?![\d-])/),
    load: find(/\b(L-\d+)\b/i)?.toUpperCase() ?? null,
    booking: find(/\b(B-\d+)\b/i)?.toUpperCase() ?? null,
    figure: readFigure(text),
    trailer: find(/\b(van|reefer|flatbed)\b/i)?.toLowerCase() ?? null,
    phone: find(/\b(\d{3}-\d{3}-\d{4})\b/),
    email: find(/(\S+@[\w.-]+\w)/),
    personName: find(/\b([A-Z][a-z]+ [A-Z][a-z]+),? +\d{3}-/),
    hours: readCount(find(/\b(\w+) hours?\b/i)),
    receipt: find(/\b([A-Z]{2}-\d{3,})\b/),
    from: find(/\bfrom ([A-Z][\w.]*(?: [A-Z][\w.]*)*)/),
    to: find(/\bto ([A-Z]\w*(?: [A-Z]\w*)*)/),
    addLane: find(/\badd (?:lane )?([A-Z]{2}-[A-Z]{2})\b/i),
    dropLane: find(/\bdrop (?:lane )?([A-Z]{2}-[A-Z]{2})\b/i),
    topic: readTopic(text),
    secret: readSecret(text),
    yes:
      has(/\b(yes|yeah|yep|sure|okay|go ahead|book it|deal|works for me)\b/i) &&
      !has(/\b(no deal|ask my)\b/i),
    interested: has(/\b(interest(ing|ed)|okay|maybe)\b/i),
    confirmed: has(/\b(confirmed|i confirm)\b/i),
    wantsMore: has(/\b(better|more than|higher|not enough|thin|too low|not less)\b/i),
    hasty: has(/\b(book me|i'?ll take|put me on|give me)\b/i),
    wantsPerson: has(/\b(person|human|manager|supervisor|lawyer|unpaid|attorney)\b/i),
    needsTow: has(/\btow\b/i),
    goodbye: has(/\b(bye|call you back|i'?ll pass|never mind)\b/i),
  };
}

function readFigure(text: string): number | null {
  const last = [...text.matchAll(/\$\s?(\d[\d,]*(?:\.\d+)?)|\b(\d[\d,]*) dollars\b/gi)].at(-1);
  return last === undefined ? null : Number((last[1] ?? last[2] ?? "").replaceAll(",", ""));
}

const counts = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

function readCount(word: string | null): number | null {
  if (word === null) return null;
  const count = /^\d+$/.test(word) ? Number(word) : counts.indexOf(word.toLowerCase());
  return count > 0 ? count : null;
}

function readSecret(text: string): Line["secret"] {
  if (/\b(ceiling|max|maximum|most you can|how high)\b/i.test(text)) return "ceiling";
  if (/\bshipper\b/i.test(text)) return "shipper";
  return /\bfraud desk\b/i.test(text) ? "staff" : null;
}

function readTopic(text: string): Topic | null {
  if (/\b(broke down|broken down|breakdown|accident)\b/i.test(text)) return "trouble";
  if (/\bcancel\b/i.test(text)) return "cancel";
  if (/\b(detention|lumper)\b/i.test(text)) return "charge";
  if (/\b(add|drop) (lane )?[A-Z]{2}-[A-Z]{2}\b/i.test(text)) return "lanes";
  if (/\b(change|update|new)\b.*\b(phone|e-?mail)\b/i.test(text)) return "contact";
  if (/\bL-\d+\b/i.test(text)) return "load";
  return /\bfrom [A-Z]\w+.* to [A-Z]/.test(text) ? "search" : null;
}
