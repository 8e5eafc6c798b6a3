import { PersistentMap } from "./persistent-map.ts";

interface Entry<V> {
  readonly value: V;
  readonly slots: readonly string[];
}

/** Values by key, and by the slots that each was put into. Never changed: put and delete give a new index. */
export class SlotIndex<V> {
  readonly #entries: PersistentMap<Entry<V>>;
  readonly #slots: PersistentMap<PersistentMap<V>>;

  private constructor(entries: PersistentMap<Entry<V>>, slots: PersistentMap<PersistentMap<V>>) {
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
    const slots = fill(this.#without(key, new Set(entry.slots)), { key, entry });
    return new SlotIndex(this.#entries.with(key, entry), slots);
  }

  delete(key: string): SlotIndex<V> {
    if (!this.#entries.has(key)) return this;
    return new SlotIndex(this.#entries.with(key, undefined), this.#without(key, new Set()));
  }

  hasSlot(slot: string): boolean {
    return this.#slots.has(slot);
  }

  /** What stands in a slot. */
  in(slot: string): Iterable<V> {
    return this.#slots.get(slot)?.values() ?? [];
  }

  #without(key: string, kept: ReadonlySet<string>): PersistentMap<PersistentMap<V>> {
    let slots = this.#slots;
    for (const slot of this.#entries.get(key)?.slots ?? []) {
      const content = kept.has(slot) ? undefined : slots.get(slot)?.with(key, undefined);
      if (content !== undefined) slots = slots.with(slot, content.size === 0 ? undefined : content);
    }
    return slots;
  }
}

function fill<V>(
  slots: PersistentMap<PersistentMap<V>>,
  { key, entry }: { readonly key: string; readonly entry: Entry<V> },
): PersistentMap<PersistentMap<V>> {
  let filled = slots;
  for (const slot of entry.slots) {
    filled = filled.with(slot, (filled.get(slot) ?? PersistentMap.empty<V>()).with(key, entry.value));
  }
  return filled;
}
