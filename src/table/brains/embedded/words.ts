/** Text in the form in which words are compared: lower case, without accents, with plain apostrophes. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’‘]/g, "'").toLowerCase();
}

/**
 * The part of a folded word that its plural, past and adverb share: `cancelled`, `canceled` and `cancels` are one. Not a
 * word of any language; only to be compared with other stems.
 */
export function stemOf(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  let stem = word;
  if (stem.endsWith("ies")) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:s|x|ch|sh)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.endsWith("s") && !stem.endsWith("ss")) stem = stem.slice(0, -1);
  for (const ending of ["ing", "ed", "ly"]) {
    if (stem.length - ending.length < 3 || !stem.endsWith(ending)) continue;
    stem = stem.slice(0, -ending.length);
    break;
  }
  if (stem.length > 3 && stem.endsWith("e")) stem = stem.slice(0, -1);
  return /([b-df-hj-np-tv-z])\1$/.test(stem) && stem.length > 3 ? stem.slice(0, -1) : stem;
}

/** Whether two words of six letters or more differ by one letter added, dropped, changed or swapped. */
export function isNear(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < 5 || long.length < 6 || long.length - short.length > 1 || a === b) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let end = 0;
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end++;
  const left = short.length - start - end;
  if (left <= 0) return true;
  if (short.length !== long.length) return false;
  return left === 1 || (left === 2 && short[start] === long[start + 1] && short[start + 1] === long[start]);
}

/** Words of a label or an id: `startDate`, `start_date` and `Start date` have the same. */
export function wordsOf(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2");
  return fold(spaced).match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? [];
}
