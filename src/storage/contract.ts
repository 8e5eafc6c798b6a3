import { afterEach, describe } from "vitest";
import type { OpenStore, Sample } from "./contract-sample.ts";
import { listContract } from "./list-contract.ts";
import type { Store } from "./store.ts";
import { compactionContract, watchContract } from "./watch-contract.ts";
import { concurrencyContract, writeContract } from "./write-contract.ts";

/** A variant of the store, as the suites open it: empty, and closed by them. */
export interface StoreVariant {
  readonly open: OpenStore;
  /** Closes a store and opens it again from what it left; absent where nothing is left. */
  readonly reopen?: (store: Store<Sample>) => Promise<Store<Sample>>;
}

/** What every variant of the store promises. */
export function storageContract(name: string, variant: StoreVariant): void {
  const opened: Store<Sample>[] = [];
  const open: OpenStore = async (options) => {
    const store = await variant.open(options);
    opened.push(store);
    return store;
  };
  afterEach(async () => {
    for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
  });

  describe(`${name}: writes`, () => writeContract(open));
  describe(`${name}: many at once`, () => concurrencyContract(open));
  describe(`${name}: lists`, () => listContract(open));
  describe(`${name}: watches`, () => watchContract(open));
  describe(`${name}: forgotten history`, () => compactionContract(open));
}
