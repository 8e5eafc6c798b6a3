import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { type Binding, type BindingStatus, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Work, Works } from "#api/work/work.ts";
import { compareBytes } from "#base/byte-order.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import { sortFew } from "#base/sort-few.ts";
import { worksOf } from "#controllers/binding/works-controller.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import { decideClusterStatus } from "#controllers/cluster-status/decide-cluster-status.ts";
import type { Informer } from "#runtime/informer.ts";
import type { ForkedMember } from "./forked-member.ts";
import type { ForkedServer } from "./forked-server.ts";
import { withRoomTaken } from "./planned-room.ts";

export interface PlanReportsNeeds {
  readonly server: ForkedServer;
  readonly members: readonly ForkedMember[];
  readonly clusters: Informer<ApiObject>;
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly works: Informer<ApiObject>;
  readonly clock: Clock;
  /** What scheduling has left to be said of a binding. */
  readonly unsaid: (binding: Binding) => BindingStatus | undefined;
  /** Whether a member has taken a work as it is. */
  readonly isTaken: (cluster: string, work: Work) => boolean;
}

const clusters = resourceOf(Clusters);
const works = resourceOf(Works);

/** What the running system says of its own doings, as far as decisions go by it, once there is nothing left to do. */
export class PlanReports {
  readonly #needs: PlanReportsNeeds;
  /** Clusters that joined in the plan, and of which nothing was said yet. */
  readonly #joined = new Set<string>();
  /** Bindings that were written since it was said how their scheduling went. */
  readonly #written = new Set<string>();
  /** The same, since it was said how their copies are. */
  readonly #sent = new Set<string>();

  constructor(needs: PlanReportsNeeds) {
    this.#needs = needs;
    needs.clusters.onChange(({ before, after }) => {
      if (before === undefined && after !== undefined) this.#joined.add(after.metadata.name);
    });
    for (const informer of needs.bindings)
      informer.onChange(({ before, after }) => {
        const key = bindingKey((after ?? before)!);
        this.#written.add(key);
        this.#sent.add(key);
      });
  }

  /** Members report how they are and how much room is left; whether any of it is news. */
  fromMembers(): boolean {
    const { server, members } = this.#needs;
    let isNews = false;
    for (const name of this.#joined) isNews = this.#greet(name) || isNews;
    this.#joined.clear();
    for (const member of members) {
      const taken = member.takeRoom();
      const cluster = taken.size === 0 ? undefined : server.get(clusters, { name: member.name });
      if (cluster === undefined) continue;
      const reported = withRoomTaken(cluster as unknown as Cluster, taken); // as it is served
      isNews = server.report(clusters, reported as unknown as ApiObject) || isNews;
    }
    return isNews;
  }

  /** Who cannot be asked is not ready. How others are that join is not known before they have. */
  #greet(name: string): boolean {
    const { server, clock } = this.#needs;
    const cluster = server.get(clusters, { name }) as unknown as Cluster | undefined; // as it is served
    if (cluster === undefined || cluster.spec.apiEndpoint !== undefined) return false;
    const status = decideClusterStatus({
      cluster,
      health: "unreachable",
      version: undefined,
      resources: undefined,
      summary: undefined,
      differentForMs: 0,
      thresholds: { failureMs: 0, successMs: 0 },
      now: formatTime(clock.nowMs()),
    });
    return status !== undefined && server.report(clusters, { ...cluster, status } as unknown as ApiObject); // as above
  }

  /**
   * It is said of every binding how its scheduling went; of one that leaves clusters nothing any more of copies that are on their way out:
   * evictions go by that, also where a cluster cannot be reached. Whether there was anything to say.
   */
  scheduled(): boolean {
    return this.#reportOn(this.#written, (binding) => {
      const unsaid = this.#needs.unsaid(binding);
      if ((binding.spec.gracefulEvictionTasks ?? []).length === 0) return unsaid;
      const status = unsaid ?? binding.status ?? {};
      const items = status.aggregatedStatus ?? [];
      const works = worksOf(this.#needs.works, binding);
      const stays = ({ clusterName }: StatusItem) => {
        const work = works.get(clusterName);
        return work !== undefined && work.metadata.deletionTimestamp === undefined;
      };
      return items.every(stays) ? unsaid : { ...status, aggregatedStatus: items.filter(stays) };
    });
  }

  /** Members report of everything that they took that it is well: a plan goes by nothing worse. Whether that was news. */
  served(): boolean {
    return this.#reportOn(this.#sent, (binding) => ({
      ...binding.status,
      aggregatedStatus: this.#itemsOf(binding),
    }));
  }

  #reportOn(written: Set<string>, statusOf: (binding: Binding) => BindingStatus | undefined): boolean {
    const { server, bindings } = this.#needs;
    const keys = [...written];
    written.clear();
    let isNews = false;
    for (const key of keys) {
      const binding = bindingAt(bindings, key);
      const status = binding && statusOf(binding);
      if (binding === undefined || status === undefined) continue;
      const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
      isNews = server.report(resource, { ...binding, status } as unknown as ApiObject) || isNews; // a binding
    }
    return isNews;
  }

  #itemsOf(binding: Binding): readonly StatusItem[] {
    const { server, works: informer, isTaken } = this.#needs;
    const known = new Map((binding.status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]));
    const items: StatusItem[] = [];
    for (const [clusterName, work] of worksOf(informer, binding)) {
      if (work.metadata.deletionTimestamp !== undefined) continue;
      const isNew = server.written(works, keyOf(work as unknown as ApiObject)) !== undefined; // a work
      if (isNew && isTaken(clusterName, work)) items.push({ clusterName, applied: true, health: "Healthy" });
      else items.push(known.get(clusterName) ?? { clusterName, health: "Unknown" });
    }
    return sortFew(items, (a, b) => compareBytes(a.clusterName, b.clusterName));
  }
}

type StatusItem = NonNullable<BindingStatus["aggregatedStatus"]>[number];
