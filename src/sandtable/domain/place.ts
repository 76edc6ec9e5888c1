import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from "yaml";
import type { Json } from "../../turn/json.ts";

/** A YAML file that was read: its plain value, and the nodes that know where everything stands. */
export interface SourceDocument {
  file: string;
  text: string;
  lines: LineCounter;
  root: Node | null;
  /** Nodes that aliases refer to, by anchor name. */
  anchors: Map<string, Node>;
  /** Pairs of the mappings in which something was looked up, by key: filled while places are turned into offsets. */
  pairs: Map<Node, ReadonlyMap<string, Pair>>;
  value: Json;
}

/** A value inside a document. */
export interface Place {
  document: SourceDocument;
  path: readonly (string | number)[];
}

/** The place `segments` below `place`. */
export function inside(place: Place, ...segments: (string | number)[]): Place {
  return { document: place.document, path: [...place.path, ...segments] };
}

/**
 * Offset of a place in its file: of its value, or of the key that names it.
 * Where the path leads nowhere, the nearest enclosing thing that exists is meant.
 */
export function offsetOf(place: Place, part: "key" | "value"): number {
  const { node, key } = find(place);
  const keyOffset = key?.range?.[0];
  const valueOffset = isEmpty(node) ? undefined : node?.range?.[0];
  const [first, second] = part === "key" ? [keyOffset, valueOffset] : [valueOffset, keyOffset];
  return first ?? second ?? 0;
}

/** The scalar node at a place, for positions inside its text. */
export function scalarAt(place: Place): Scalar | undefined {
  const { node, complete } = find(place);
  return complete && isScalar(node) ? node : undefined;
}

/**
 * Keys of the mapping at a place in the order they are written: a plain object puts keys that look like
 * integers first. Empty when there is no mapping.
 */
export function keysInOrder(place: Place): string[] {
  const { node, complete } = find(place);
  if (!complete || !isMap(node)) return [];
  const keys = node.items.map((pair) => keyText(pair.key)).filter((key) => key !== undefined);
  return [...new Set(keys)];
}

/** Text of a mapping key, or `undefined` when the key is not a plain word or string. */
export function keyText(key: unknown): string | undefined {
  return isScalar(key) && (typeof key.value === "string" || typeof key.value === "number")
    ? String(key.value)
    : undefined;
}

/** Follows an alias to what it stands for. */
function target(node: unknown, anchors: Map<string, Node>): Node | undefined {
  const real = isAlias(node) ? anchors.get(node.source) : node;
  return isNode(real) ? real : undefined;
}

function find(place: Place): { node: Node | undefined; key: Node | undefined; complete: boolean } {
  const { root, anchors } = place.document;
  let node = target(root, anchors);
  let key: Node | undefined;
  for (const segment of place.path) {
    if (isMap(node)) {
      const pair = pairsOf(node, place.document).get(String(segment));
      if (pair === undefined) return { node, key, complete: false };
      key = isNode(pair.key) ? pair.key : key;
      node = target(pair.value, anchors);
    } else if (isSeq(node) && typeof segment === "number") {
      const item = target(node.items[segment], anchors);
      if (item === undefined) return { node, key, complete: false };
      node = item;
      key = item;
    } else {
      return { node, key, complete: false };
    }
  }
  return { node, key, complete: true };
}

/** A mapping's pairs by key. The last of several equal keys is the one whose value counts. */
function pairsOf(node: YAMLMap, document: SourceDocument): ReadonlyMap<string, Pair> {
  const known = document.pairs.get(node);
  if (known !== undefined) return known;
  const pairs = new Map(node.items.map((pair) => [keyText(pair.key) ?? "", pair]));
  document.pairs.set(node, pairs);
  return pairs;
}

/** A key without a value has a node of no width behind the colon; the key is the better place to point at. */
function isEmpty(node: Node | undefined): boolean {
  return isScalar(node) && node.value === null && node.range !== null && node.range?.[0] === node.range?.[1];
}
