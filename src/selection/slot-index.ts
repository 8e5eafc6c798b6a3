import { PersistentMap } from "./persistent-map.ts";

interface Entry<V> {
  readonly value: V;
  readonly slots: readonly string[];
}

/** The keys in each slot. Values are kept apart, so that one that changes but stays where it is costs one update. */
type Slots = PersistentMap<PersistentMap<true>>;

/** Values by key, and by the slots that each was put into. Never changed: put and delete give a new index. */
export class SlotIndex<V> {
  readonly #entries: PersistentMap<Entry<V>>;
  readonly #slots: Slots;

  private constructor(entries: PersistentMap<Entry<V>>, slots: Slots) {
    this.#entries = entries;
    this.#slots = slots;
  }

  static empty<V>(): SlotIndex<V> {
    return new SlotIndex<V>(PersistentMap.empty(), PersistentMap.empty());
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The index with this value under the key, in these slots and no others. */
  put(key: string, entry: Entry<V>): SlotIndex<V> {
    const former = new Set(this.#entries.get(key)?.slots);
    let slots = this.#slots;
    for (const slot of entry.slots) {
      if (former.delete(slot)) continue;
      slots = slots.with(slot, (slots.get(slot) ?? PersistentMap.empty<true>()).with(key, true));
    }
    return new SlotIndex(this.#entries.with(key, entry), without(slots, { key, from: former }));
  }

  delete(key: string): SlotIndex<V> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this;
    return new SlotIndex(this.#entries.with(key, undefined), without(this.#slots, { key, from: entry.slots }));
  }

  hasSlot(slot: string): boolean {
    return this.#slots.has(slot);
  }

  /** What stands in a slot. */
  *in(slot: string): Generator<V> {
    for (const key of this.#slots.get(slot)?.keys() ?? []) yield this.#entries.get(key)!.value;
  }
}

function without(slots: Slots, { key, from }: { readonly key: string; readonly from: Iterable<string> }): Slots {
  let left = slots;
  for (const slot of from) {
    const content = left.get(slot)?.with(key, undefined);
    if (content !== undefined) left = left.with(slot, content.size === 0 ? undefined : content);
  }
  return left;
}
