import { PrefixHistory } from "./history.ts";
import { SortedKeys } from "./sorted-keys.ts";
import { WatcherIndex } from "./watcher-index.ts";

/** Everything the store holds about one prefix, besides the entries themselves. */
export class Collection<Value> {
  readonly prefix: string;
  readonly keys = new SortedKeys();
  readonly history = new PrefixHistory<Value>();
  readonly watchers = new WatcherIndex<Value>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }
}
