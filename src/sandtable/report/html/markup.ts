import { safeText } from "../safe-text.ts";

/** HTML that is safe to send. Only `html` makes it, so text can reach a page in no other way than escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** What can stand in a template: text is escaped, markup stays, lists are joined, nothing at all is left out. */
export type Part = string | number | Markup | null | undefined | false | Part[];

/**
 * HTML from a template whose every inserted text is made harmless (`safeText`) and escaped for element content and
 * for quoted attribute values. Attributes in templates are always quoted. Not for inside `style` or `script`.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  let text = strings[0] ?? "";
  parts.forEach((part, index) => {
    text += render(part) + (strings[index + 1] ?? "");
  });
  return new Markup(text);
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  return escapeHtml(String(part));
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for element content and quoted attributes, with control and direction characters made visible. */
function escapeHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (char) => entities[char] ?? char);
}
