/** Put where text was left out. */
const cutMark = " […]";

/** Shortens text to at most `max` UTF-16 units, mark included, never inside a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - cutMark.length;
  const last = text.charCodeAt(end - 1);
  // A high surrogate at the end has lost its other half.
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end) + cutMark;
}
