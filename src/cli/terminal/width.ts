const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** East Asian wide and fullwidth blocks, as terminals draw them. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Columns a text takes on a terminal. Text must hold no control characters. */
export function widthOf(text: string): number {
  // Almost every text is plain ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text cut to at most `columns`, its last column an ellipsis when something was cut. */
export function clip(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = graphemeWidth(segment);
    if (width + next > columns - 1) break;
    kept += segment;
    width += next;
  }
  return `${kept}…`;
}

/** The text clipped or filled with spaces to exactly `columns`. */
export function pad(text: string, columns: number, align: "left" | "right" = "left"): string {
  const clipped = clip(text, columns);
  const space = " ".repeat(Math.max(0, columns - widthOf(clipped)));
  return align === "left" ? clipped + space : space + clipped;
}

/** The text broken at spaces into lines of at most `columns`; a longer word is broken inside. */
export function wrap(text: string, columns: number): string[] {
  const limit = Math.max(columns, 1);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (widthOf(joined) <= limit) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const { segment } of graphemes.segment(word)) {
      if (widthOf(line + segment) > limit) {
        lines.push(line);
        line = "";
      }
      line += segment;
    }
  }
  lines.push(line);
  return lines;
}

function graphemeWidth(segment: string): number {
  if (wide.test(segment)) return 2;
  return /^\p{Mark}+$/u.test(segment) ? 0 : 1;
}
