import type { Guide } from "./session-port.ts";

/** Contract versions whose guides are kept at once, and guides of each. */
const maxVersions = 2;
const maxGuides = 64;

/**
 * Which guides a backend was given, per version of the contract. They travel with the next compact context, so that a
 * backend need not spend a round on asking again. Only guides: never rows, and never what a call came to.
 */
export interface GuideCache {
  keep(version: string, guides: Guide[]): void;
  /** Keys of guides given under `version`, oldest first. */
  keys(version: string): string[];
  /** The guide given under `version`. */
  get(version: string, key: string): Guide | undefined;
  clear(): void;
}

/** An empty cache of its own. */
export function guideCache(): GuideCache {
  const versions = new Map<string, Map<string, Guide>>();
  return {
    keep(version, guides) {
      const held = versions.get(version) ?? new Map<string, Guide>();
      versions.delete(version);
      versions.set(version, held);
      for (const guide of guides) {
        held.delete(guide.key);
        held.set(guide.key, guide);
      }
      dropOldest(held, maxGuides);
      dropOldest(versions, maxVersions);
    },
    keys: (version) => [...(versions.get(version)?.keys() ?? [])],
    get: (version, key) => versions.get(version)?.get(key),
    clear: () => versions.clear(),
  };
}

/** Leaves the last `most` entries of a map. */
export function dropOldest<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
