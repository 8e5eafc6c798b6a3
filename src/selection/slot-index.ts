import { PersistentMap } from "./persistent-map.ts";

interface Entry<V> {
  readonly value: V;
  readonly slots: readonly string[];
}

/** What is known of a slot. Values are kept apart, so that one that changes but stays where it is costs one update. */
interface Slot {
  /** The one copy of its text, for all that stand in it. */
  readonly text: string;
  /** The keys in it; many a slot has a single one. */
  readonly keys: string | PersistentMap<true>;
}

type Slots = PersistentMap<Slot>;

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

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The index with this value under the key, in these slots and no others. */
  put(key: string, entry: Entry<V>): SlotIndex<V> {
    const former = new Map(this.#entries.get(key)?.slots.map((text) => [text, text]));
    let slots = this.#slots;
    const own = entry.slots.map((text) => {
      const shared = former.get(text);
      if (shared !== undefined) {
        former.delete(text);
        return shared;
      }
      const slot = withKey(slots.get(text), { text, key });
      slots = slots.with(text, slot);
      return slot.text;
    });
    const entries = this.#entries.with(key, { value: entry.value, slots: own });
    return new SlotIndex(entries, without(slots, { key, from: former.keys() }));
  }

  /** The same for many that are not here yet, at a fraction of what they cost one by one. */
  putNew(added: ReadonlyMap<string, Entry<V>>): SlotIndex<V> {
    const keysOf = new Map<string, string[]>();
    for (const [key, { slots }] of added) {
      for (const text of slots) {
        const keys = keysOf.get(text);
        if (keys === undefined) keysOf.set(text, [key]);
        else keys.push(key);
      }
    }
    const slots = this.#slots.withAll(
      new Map([...keysOf].map(([text, keys]) => [text, withKeys(this.#slots.get(text), { text, keys })])),
    );
    const entries = new Map<string, Entry<V>>();
    for (const [key, { value, slots: texts }] of added)
      entries.set(key, { value, slots: texts.map((text) => slots.get(text)!.text) });
    return new SlotIndex(this.#entries.withAll(entries), slots);
  }

  delete(key: string): SlotIndex<V> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this;
    return new SlotIndex(this.#entries.with(key, undefined), without(this.#slots, { key, from: entry.slots }));
  }

  hasSlot(slot: string): boolean {
    return this.#slots.has(slot);
  }

  /** How many stand in a slot. */
  sizeOf(slot: string): number {
    const keys = this.#slots.get(slot)?.keys;
    return typeof keys === "string" ? 1 : (keys?.size ?? 0);
  }

  /** What stands in a slot. */
  in(slot: string): readonly V[] {
    const keys = this.#slots.get(slot)?.keys;
    if (keys === undefined) return [];
    if (typeof keys === "string") return [this.#entries.get(keys)!.value];
    return Array.from(keys.keys(), (key) => this.#entries.get(key)!.value);
  }
}

function withKey(slot: Slot | undefined, { text, key }: { readonly text: string; readonly key: string }): Slot {
  if (slot === undefined || slot.keys === key) return slot ?? { text, keys: key };
  const { keys } = slot;
  const many = typeof keys === "string" ? PersistentMap.empty<true>().with(keys, true) : keys;
  return { text: slot.text, keys: many.with(key, true) };
}

function withKeys(slot: Slot | undefined, { text, keys }: { readonly text: string; readonly keys: string[] }): Slot {
  const [first] = keys;
  if (slot === undefined && keys.length === 1) return { text, keys: first! };
  const former = typeof slot?.keys === "string" ? PersistentMap.empty<true>().with(slot.keys, true) : slot?.keys;
  const all = (former ?? PersistentMap.empty<true>()).withAll(new Map(keys.map((key) => [key, true])));
  return { text: slot?.text ?? text, keys: all };
}

function without(slots: Slots, { key, from }: { readonly key: string; readonly from: Iterable<string> }): Slots {
  let left = slots;
  for (const text of from) {
    const slot = left.get(text);
    if (slot !== undefined) left = left.with(text, withoutKey(slot, key));
  }
  return left;
}

function withoutKey({ text, keys }: Slot, key: string): Slot | undefined {
  if (typeof keys === "string") return keys === key ? undefined : { text, keys };
  const rest = keys.with(key, undefined);
  return rest.size === 0 ? undefined : { text, keys: rest };
}
