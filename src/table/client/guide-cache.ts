import type { Guide } from "./session-port.ts";

/** Contract versions whose guides are kept at once, and guides of each. */
const maxVersions = 2;
const maxGuides = 64;

/**
 * Which guides a backend was given, per version of the contract. They travel with the next compact context, so that a
 * backend need not spend a round on asking again; their text is taken anew from the session each time, narrowed to what
 * the table has then.
 */
export interface GuideCache {
  keep(version: string, guides: Guide[]): void;
  /** Keys of guides given under `version`, oldest first. */
  keys(version: string): string[];
  clear(): void;
}

/** An empty cache of its own. */
export function guideCache(): GuideCache {
  const versions = new Map<string, Set<string>>();
  return {
    keep(version, guides) {
      const held = versions.get(version) ?? new Set<string>();
      versions.delete(version);
      versions.set(version, held);
      for (const guide of guides) {
        held.delete(guide.key);
        held.add(guide.key);
      }
      dropOldest(held, maxGuides);
      dropOldest(versions, maxVersions);
    },
    keys: (version) => [...(versions.get(version) ?? [])],
    clear: () => versions.clear(),
  };
}

/** Leaves the last `most` entries of a map or set. */
export function dropOldest<K>(held: Map<K, unknown> | Set<K>, most: number): void {
  for (const key of held.keys()) {
    if (held.size <= most) return;
    held.delete(key);
  }
}
