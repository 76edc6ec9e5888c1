/** A page of a list of the API. */
interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** The items of a list's first pages, in order, and whether there are more. */
export async function readPages<T>(
  pages: number,
  read: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<{ items: T[]; more: boolean }> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const next = await read(cursor);
    items.push(...next.items);
    cursor = next.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { items, more: cursor !== undefined };
}
