const leafSize = 8;
const bits = 4;
const fanout = 1 << bits;
const maxDepth = 32 / bits;

/** Entries while they are few, otherwise sixteen parts by the next bits of the key's hash. */
type Node<V> =
  | { readonly leaf: ReadonlyMap<string, V>; readonly parts?: never }
  | { readonly parts: readonly Node<V>[]; readonly leaf?: never; readonly size: number };

/**
 * A map that is never changed: an update gives a new map that shares nearly all of the old one, so that its cost does not grow
 * with the size and an old state can be kept for comparison for nothing.
 */
export class PersistentMap<V> {
  readonly #root: Node<V>;

  private constructor(root: Node<V>) {
    this.#root = root;
  }

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>({ leaf: new Map() });
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  get(key: string): V | undefined {
    let node = this.#root;
    let hash = node.leaf === undefined ? hashOf(key) : 0;
    while (node.leaf === undefined) {
      node = node.parts[hash & (fanout - 1)]!;
      hash >>>= bits;
    }
    return node.leaf.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** The map with a value under a key; undefined takes the key out. */
  with(key: string, value: V | undefined): PersistentMap<V> {
    if (this.get(key) === value) return this;
    return new PersistentMap(replace(this.#root, { key, value, hash: hashOf(key), depth: 0 }));
  }

  /** In no particular order, and always in the same one for the same entries put in the same way. */
  *values(): Generator<V> {
    for (const [, value] of entriesOf(this.#root)) yield value;
  }

  *keys(): Generator<string> {
    for (const [key] of entriesOf(this.#root)) yield key;
  }
}

interface Change<V> {
  readonly key: string;
  readonly value: V | undefined;
  /** What is left of it at this depth. */
  readonly hash: number;
  readonly depth: number;
}

function replace<V>(node: Node<V>, change: Change<V>): Node<V> {
  const { key, value, hash, depth } = change;
  if (node.leaf === undefined) {
    const index = hash & (fanout - 1);
    const part = replace(node.parts[index]!, { key, value, hash: hash >>> bits, depth: depth + 1 });
    return joined(node.parts.with(index, part));
  }
  const leaf = new Map(node.leaf);
  if (value === undefined) leaf.delete(key);
  else leaf.set(key, value);
  return leaf.size <= leafSize || depth >= maxDepth ? { leaf } : split(leaf, depth);
}

function split<V>(leaf: ReadonlyMap<string, V>, depth: number): Node<V> {
  const parts = Array.from({ length: fanout }, () => new Map<string, V>());
  for (const [key, value] of leaf) parts[(hashOf(key) >>> (depth * bits)) & (fanout - 1)]!.set(key, value);
  return joined(parts.map((part): Node<V> => (part.size <= leafSize ? { leaf: part } : split(part, depth + 1))));
}

/** Parts that became few are one leaf again. */
function joined<V>(parts: readonly Node<V>[]): Node<V> {
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (size > leafSize / 2) return { parts, size };
  return { leaf: new Map(parts.flatMap((part) => [...entriesOf(part)])) };
}

function sizeOf(node: Node<unknown>): number {
  return node.leaf === undefined ? node.size : node.leaf.size;
}

function* entriesOf<V>(node: Node<V>): Generator<readonly [string, V]> {
  if (node.leaf !== undefined) yield* node.leaf;
  else for (const part of node.parts) yield* entriesOf(part);
}

/** Spreads keys over the parts; over UTF-16 units, because it is asked often and leaves this file never. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
