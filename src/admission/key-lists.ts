import { compareBytes } from "#base/byte-order.ts";
import { sortFew } from "#base/sort-few.ts";

/** The characters that are remembered at most: who makes up new keys all the time has them listed anew all the time. */
const maxRoom = 2 ** 18;

interface Place {
  readonly next: Map<string, Place>;
  text?: string;
}

/** Lists of keys, in order and joined by commas. Nearly all manifests have the same few keys: their lists are one text. */
export class KeyLists {
  readonly #start: Place = { next: new Map() };
  #room = maxRoom;

  of(keys: readonly string[]): string {
    let place = this.#start;
    for (const key of keys) {
      const next = place.next.get(key) ?? this.#added(place, key);
      if (next === undefined) return joined(keys);
      place = next;
    }
    return place.text ?? this.#listed(place, keys);
  }

  #added(place: Place, key: string): Place | undefined {
    if (this.#room < key.length) return undefined;
    this.#room -= key.length;
    const added: Place = { next: new Map() };
    place.next.set(key, added);
    return added;
  }

  #listed(place: Place, keys: readonly string[]): string {
    const text = joined(keys);
    if (this.#room < text.length) return text;
    this.#room -= text.length;
    place.text = text;
    return text;
  }
}

function joined(keys: readonly string[]): string {
  return sortFew([...keys], compareBytes).join(",");
}
