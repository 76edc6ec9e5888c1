/** `20261018T210512-k3f9`: UTC to the second and four base-36 characters. */
export function newRunId(now: Date, random: () => number): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").slice(0, 15);
  const tail = Array.from({ length: 4 }, () => Math.floor(random() * 36).toString(36)).join("");
  return `${stamp}-${tail}`;
}
