/** Characters that turn the direction of text around, or hide in it: what looks like one thing and is another. */
const deceptive = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Text of an agent or a domain made harmless to show: control characters become their pictures (`␛` for escape),
 * direction marks and invisible characters are named (`⟨U+202E⟩`), half surrogates are replaced. Tabs and line breaks stay, a lone carriage
 * return becomes a line break. What is left still has to be escaped for where it goes.
 */
export function safeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(controls, picture)
    .replace(deceptive, (char) => `⟨U+${hex(char)}⟩`);
}

/** `safeText` on one line: every run of blanks is one space. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, " ").trim();
}

function picture(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `⟨U+${hex(char)}⟩`;
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
