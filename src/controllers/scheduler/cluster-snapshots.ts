import type { Cluster } from "#api/cluster/cluster.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Informer } from "#runtime/informer.ts";
import { type ClusterSnapshot, takeSnapshot } from "#scheduling/cluster-facts.ts";

/** The clusters as scheduling sees them, worked out once for each change of any of them. */
export class ClusterSnapshots {
  readonly #clusters: Informer<ApiObject>;
  #snapshot: ClusterSnapshot | undefined;

  constructor(clusters: Informer<ApiObject>) {
    this.#clusters = clusters;
    clusters.subscribe(() => {
      this.#snapshot = undefined;
    });
  }

  current(): ClusterSnapshot {
    this.#snapshot ??= takeSnapshot([...this.#clusters.all()] as unknown as Cluster[]); // the informer's kind
    return this.#snapshot;
  }
}
