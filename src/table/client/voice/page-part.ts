/**
 * What this machine has under a global name, `undefined` outside a browser that has it. The types of its parts are the
 * caller's to know: this code also runs where no browser's types are.
 */
export function pagePart<T>(name: string): T | undefined {
  const part: T | undefined = Reflect.get(globalThis, name);
  return part;
}
