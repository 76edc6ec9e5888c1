/**
 * Text as matching sees it: one case, one kind of quote, dash and space, full-width characters as plain ones, and
 * without what cannot be seen, such as soft hyphens and zero-width joiners.
 */
export function normalize(text: string): string {
  return text
    .replace(/\u00b4/g, "'")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019\u201a\u201b\u2032\u02b9\u02bb\u02bc`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\u200b/g, " ")
    .replace(/\p{Cf}+/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}
