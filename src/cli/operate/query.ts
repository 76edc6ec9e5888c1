/** The query of those flags that were given, with its `?`; empty when none was. */
export function query(flags: { [name: string]: unknown }, names: string[]): string {
  const search = new URLSearchParams();
  for (const name of names) {
    const value = flags[name];
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
