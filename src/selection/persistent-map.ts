const leafSize = 24;
const bits = 3;
const fanout = 1 << bits;
const maxDepth = Math.floor(32 / bits);

/** Entries while they are few, otherwise eight parts by the next bits of the key's hash. Two lists take a third of a Map's room. */
type Node<V> = Leaf<V> | Branch<V>;

interface Leaf<V> {
  readonly keys: readonly string[];
  /** Of each key, at its place. */
  readonly values: readonly V[];
  readonly parts?: never;
}

interface Branch<V> {
  readonly parts: readonly Node<V>[];
  readonly size: number;
}

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
    return new PersistentMap<V>(emptyLeaf);
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  get(key: string): V | undefined {
    let node = this.#root;
    let hash = node.parts === undefined ? 0 : hashOf(key);
    while (node.parts !== undefined) {
      node = node.parts[hash & (fanout - 1)]!;
      hash >>>= bits;
    }
    const index = node.keys.indexOf(key);
    return index < 0 ? undefined : node.values[index];
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** The map with a value under a key; undefined takes the key out. */
  with(key: string, value: V | undefined): PersistentMap<V> {
    if (this.get(key) === value) return this;
    return new PersistentMap(replace(this.#root, { key, value, hash: hashOf(key), depth: 0 }));
  }

  /** The map with many values at once, at a fraction of what they cost one by one; of two under one key the later stays. */
  withAll(entries: ReadonlyMap<string, V>): PersistentMap<V> {
    if (entries.size === 0) return this;
    const additions = [...entries].map(([key, value]) => ({ key, value, hash: hashOf(key) }));
    return new PersistentMap(addAll(this.#root, additions, 0));
  }

  /** In no particular order, and always in the same one for the same entries put in the same way. */
  *values(): Generator<V> {
    for (const leaf of leavesOf(this.#root)) yield* leaf.values;
  }

  *keys(): Generator<string> {
    for (const leaf of leavesOf(this.#root)) yield* leaf.keys;
  }
}

interface Change<V> {
  readonly key: string;
  readonly value: V | undefined;
  /** What is left of it at this depth. */
  readonly hash: number;
  readonly depth: number;
}

function replace<V>(node: Node<V>, { key, value, hash, depth }: Change<V>): Node<V> {
  if (node.parts !== undefined) {
    const index = hash & (fanout - 1);
    const part = node.parts[index]!;
    const next = replace(part, { key, value, hash: hash >>> bits, depth: depth + 1 });
    return joined(node.parts.with(index, next), node.size - sizeOf(part) + sizeOf(next));
  }
  const leaf = replaceInLeaf(node, { key, value });
  return leaf.keys.length <= leafSize || depth >= maxDepth ? leaf : split(leaf, depth);
}

function replaceInLeaf<V>({ keys, values }: Leaf<V>, { key, value }: Pick<Change<V>, "key" | "value">): Leaf<V> {
  const index = keys.indexOf(key);
  if (value === undefined) return { keys: keys.toSpliced(index, 1), values: values.toSpliced(index, 1) };
  if (index >= 0) return { keys, values: values.with(index, value) };
  return { keys: [...keys, key], values: [...values, value] };
}

interface Addition<V> {
  readonly key: string;
  readonly value: V;
  readonly hash: number;
}

function addAll<V>(node: Node<V>, additions: readonly Addition<V>[], depth: number): Node<V> {
  if (additions.length === 0) return node;
  if (node.parts === undefined) {
    const leaf = addToLeaf(node, additions);
    return leaf.keys.length <= leafSize || depth >= maxDepth ? leaf : split(leaf, depth);
  }
  const shares = Array.from({ length: fanout }, (): Addition<V>[] => []);
  for (const addition of additions) shares[(addition.hash >>> (depth * bits)) & (fanout - 1)]!.push(addition);
  const parts = node.parts.map((part, index) => addAll(part, shares[index]!, depth + 1));
  return { parts, size: parts.reduce((sum, part) => sum + sizeOf(part), 0) };
}

function addToLeaf<V>({ keys, values }: Leaf<V>, additions: readonly Addition<V>[]): Leaf<V> {
  const [allKeys, allValues] = [[...keys], [...values]];
  for (const { key, value } of additions) {
    const index = keys.indexOf(key); // the others are of a map: none of them stands twice
    if (index >= 0) {
      allValues[index] = value;
      continue;
    }
    allKeys.push(key);
    allValues.push(value);
  }
  return exact({ keys: allKeys, values: allValues });
}

function split<V>(leaf: Leaf<V>, depth: number): Node<V> {
  const parts = Array.from({ length: fanout }, () => ({ keys: [] as string[], values: [] as V[] }));
  for (const [index, key] of leaf.keys.entries()) {
    const part = parts[(hashOf(key) >>> (depth * bits)) & (fanout - 1)]!;
    part.keys.push(key);
    part.values.push(leaf.values[index]!);
  }
  const nodes = parts.map(
    (part): Node<V> => (part.keys.length <= leafSize || depth + 1 >= maxDepth ? exact(part) : split(part, depth + 1)),
  );
  return joined(nodes, leaf.keys.length);
}

const emptyLeaf: Leaf<never> = { keys: [], values: [] };

/** A list that was grown by push keeps room for more. */
function exact<V>({ keys, values }: Leaf<V>): Leaf<V> {
  return keys.length === 0 ? emptyLeaf : { keys: [...keys], values: [...values] };
}

/** Parts that became few are one leaf again. */
function joined<V>(parts: readonly Node<V>[], size: number): Node<V> {
  if (size > leafSize / 2) return { parts, size };
  const leaves = parts.flatMap((part) => [...leavesOf(part)]);
  return { keys: leaves.flatMap(({ keys }) => keys), values: leaves.flatMap(({ values }) => values) };
}

function sizeOf(node: Node<unknown>): number {
  return node.parts === undefined ? node.keys.length : node.size;
}

function* leavesOf<V>(node: Node<V>): Generator<Leaf<V>> {
  if (node.parts === undefined) yield node;
  else for (const part of node.parts) yield* leavesOf(part);
}

/** Spreads keys over the parts; over UTF-16 units, because it is asked often and leaves this file never. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
