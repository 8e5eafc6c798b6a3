import { clusterOfExecutionNamespace } from "#api/cluster/namespaces.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Work, Works } from "#api/work/work.ts";
import type { Clock } from "#base/clock.ts";
import { silentLogger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { LiveInformer } from "#runtime/informer.ts";

export interface WatchNeeds {
  readonly client: Client;
  readonly clock: Clock;
}

/** As many ids as fit into one address without trouble. */
const idsPerWatch = 100;

/** Follows some bindings and their works, and nothing else: what a wave costs does not depend on how much there is. */
export class WaveWatch implements Disposable {
  readonly #bindings: readonly LiveInformer<ApiObject>[];
  readonly #works: readonly LiveInformer<ApiObject>[];
  readonly #stop = new AbortController();
  #wake: () => void = () => {};

  constructor(needs: WatchNeeds, bindings: readonly Binding[]) {
    const parts = Object.values(ResourceBindings.traits).flatMap(({ idLabel }) =>
      chunks(bindings.flatMap(({ metadata }) => metadata.labels?.[idLabel] ?? [])).map((ids) => ({ idLabel, ids })),
    );
    const follow = (resource: ResourceId, { idLabel, ids }: (typeof parts)[number]) =>
      new LiveInformer<ApiObject>({
        ...needs,
        resource,
        log: silentLogger,
        options: { labelSelector: `${idLabel} in (${ids.join(",")})` },
        indexes: { id: ({ metadata }) => [metadata.labels?.[idLabel] ?? ""] },
      });
    this.#bindings = parts.map((part) => follow(bindingsWith(part.idLabel), part));
    this.#works = parts.map((part) => follow(resourceOf(Works), part));
    for (const informer of this.#all()) {
      informer.subscribe(() => this.#wake());
      informer.start(this.#stop.signal);
    }
  }

  async whenSynced(): Promise<void> {
    await Promise.all(this.#all().map((informer) => informer.whenSynced()));
  }

  /** Resolves with the next change. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** The binding as it is now, and its works by cluster. */
  stateOf(binding: Binding): { readonly binding: Binding | undefined; readonly works: ReadonlyMap<string, Work> } {
    const id = idOf(binding);
    const [now] = this.#bindings.flatMap((informer) => informer.byIndex("id", id)) as unknown as Binding[]; // their kind
    const works = this.#works.flatMap((informer) => informer.byIndex("id", id)) as unknown as Work[]; // their kind
    const clusterOf = ({ metadata }: Work) => clusterOfExecutionNamespace(metadata.namespace ?? "") ?? "";
    return { binding: now, works: new Map(works.map((work) => [clusterOf(work), work])) };
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  #all(): readonly LiveInformer<ApiObject>[] {
    return [...this.#bindings, ...this.#works];
  }
}

function idOf({ kind, metadata }: Binding): string {
  return metadata.labels?.[ResourceBindings.traits[kind].idLabel] ?? "";
}

function bindingsWith(idLabel: string): ResourceId {
  const { namespaced, cluster, traits } = ResourceBindings;
  return resourceOf(traits[namespaced.kind].idLabel === idLabel ? namespaced : cluster);
}

function chunks(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / idsPerWatch) }, (_, at) =>
    ids.slice(at * idsPerWatch, (at + 1) * idsPerWatch),
  );
}
