import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Cache } from "../caches.ts";
import { isPodEnded } from "../pods/pod-counts.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { type Amounts, podRequests } from "./pod-requests.ts";

/** How full a node is. */
export interface Usage {
  readonly pods: number;
  readonly requested: Amounts;
}

interface Total {
  pods: number;
  readonly requested: Map<string, bigint>;
}

interface Placed {
  readonly node: string;
  readonly requested: Amounts;
}

/** Sums up what the pods of each node ask for, kept up to date pod by pod so that scheduling one pod costs no walk over the others. */
export class NodeUsage {
  readonly #placed = new Map<string, Placed>();
  readonly #totals = new Map<string, Total>();

  constructor(pods: Cache, signal: AbortSignal) {
    const stop = pods.subscribe(({ before, after }) => {
      const object = after ?? before;
      if (object !== undefined) this.#follow(object, after);
    });
    signal.addEventListener("abort", stop, { once: true });
  }

  /** A live view: pods that are assumed later show in it, so that two pods scheduled at the same time see each other. */
  of(node: string): Usage {
    return this.#total(node);
  }

  /** Counts a pod on a node that it is about to be bound to; the pod's own events correct this. */
  assume(pod: SimulatedObject, node: string): void {
    this.#place(podKey(pod), { node, requested: podRequests(pod.spec) });
  }

  /** Takes back an assumption that did not come true. */
  withdraw(pod: SimulatedObject): void {
    this.#place(podKey(pod), undefined);
  }

  #follow(pod: SimulatedObject, after: SimulatedObject | undefined): void {
    const key = podKey(pod);
    const node = after === undefined || isPodEnded(after) ? undefined : after.spec["nodeName"]; // ended pods take no room
    if (this.#placed.get(key)?.node === node) return;
    this.#place(key, node ? { node, requested: podRequests(pod.spec) } : undefined);
  }

  #place(key: string, next: Placed | undefined): void {
    const before = this.#placed.get(key);
    if (before !== undefined) this.#count(before, -1);
    if (next === undefined) this.#placed.delete(key);
    else {
      this.#placed.set(key, next);
      this.#count(next, 1);
    }
  }

  #count({ node, requested }: Placed, sign: 1 | -1): void {
    const total = this.#total(node);
    total.pods += sign;
    for (const [name, amount] of requested) {
      total.requested.set(name, (total.requested.get(name) ?? 0n) + BigInt(sign) * amount);
    }
  }

  #total(node: string): Total {
    const known = this.#totals.get(node);
    if (known !== undefined) return known;
    const total: Total = { pods: 0, requested: new Map() };
    this.#totals.set(node, total);
    return total;
  }
}

function podKey(pod: SimulatedObject): string {
  return printKey(keyOf(pod));
}
