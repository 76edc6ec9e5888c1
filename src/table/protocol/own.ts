/**
 * Names that someone else chose: columns, filters and operations may be called `toString` or `__proto__`. These read and
 * write such a name as any other, whatever objects inherit.
 */

/** The value an object itself has under `name`. */
export function own<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Gives an object itself a value under `name`. */
export function putOwn<T>(object: { [name: string]: T }, name: string, value: T): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
