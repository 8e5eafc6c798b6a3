import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Cache } from "../caches.ts";
import type { SimulatedObject } from "../simulated-object.ts";

const size = 2 ** 16;
/** Of no use as addresses: the network's own, and the first node's bridge. */
const firstNumber = 2;

/** Gives every pod an address of its own in 10.244.0.0/16 while it exists. */
export class AddressPool {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();
  #next = firstNumber;

  constructor(pods: Cache, signal: AbortSignal) {
    const stop = pods.subscribe(({ before, after }) => {
      if (after !== undefined) this.#learn(after);
      else if (before !== undefined) this.#release(printKey(keyOf(before)));
    });
    signal.addEventListener("abort", stop, { once: true });
  }

  /** The pod's address: the one it has, or a free one. */
  addressOf(pod: SimulatedObject): string {
    const key = printKey(keyOf(pod));
    const known = this.#numbers.get(key);
    return printAddress(known ?? this.#take(key, this.#free()));
  }

  #learn(pod: SimulatedObject): void {
    const match = /^10\.244\.(\d+)\.(\d+)$/.exec(pod.status?.["podIP"] ?? "");
    const key = printKey(keyOf(pod));
    if (match === null || this.#numbers.has(key)) return;
    this.#take(key, Number(match[1]) * 256 + Number(match[2]));
  }

  #free(): number {
    for (let tried = 0; tried < size; tried++) {
      const number = this.#next;
      this.#next = number + 1 === size - 1 ? firstNumber : number + 1;
      if (!this.#taken.has(number)) return number;
    }
    throw new Error(`cannot give a pod an address: all ${size} are taken`);
  }

  #take(key: string, number: number): number {
    this.#numbers.set(key, number);
    this.#taken.add(number);
    return number;
  }

  #release(key: string): void {
    const number = this.#numbers.get(key);
    if (number === undefined) return;
    this.#numbers.delete(key);
    this.#taken.delete(number);
  }
}

function printAddress(number: number): string {
  return `10.244.${Math.floor(number / 256)}.${number % 256}`;
}
