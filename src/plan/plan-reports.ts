import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { type Binding, type BindingStatus, ResourceBindings } from "#api/work/resource-binding.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import type { Informer } from "#runtime/informer.ts";
import type { ForkedMember } from "./forked-member.ts";
import type { ForkedServer } from "./forked-server.ts";
import { withRoomTaken } from "./planned-room.ts";

export interface PlanReportsNeeds {
  readonly server: ForkedServer;
  readonly members: readonly ForkedMember[];
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
  /** What scheduling has left to be said of a binding. */
  readonly unsaid: (binding: Binding) => BindingStatus | undefined;
}

const clusters = resourceOf(Clusters);

/** What the running system says of its own doings, as far as decisions go by it, once there is nothing left to do. */
export class PlanReports {
  readonly #needs: PlanReportsNeeds;
  /** Bindings that were written since it was said how their scheduling went. */
  readonly #written = new Set<string>();

  constructor(needs: PlanReportsNeeds) {
    this.#needs = needs;
    for (const informer of needs.bindings)
      informer.onChange(({ before, after }) => this.#written.add(bindingKey((after ?? before)!)));
  }

  /** Members report how much room is left; whether any has another amount. */
  room(): boolean {
    const { server, members } = this.#needs;
    let isNews = false;
    for (const member of members) {
      const taken = member.takeRoom();
      const cluster = taken.size === 0 ? undefined : server.get(clusters, { name: member.name });
      if (cluster === undefined) continue;
      const reported = withRoomTaken(cluster as unknown as Cluster, taken); // as it is served
      isNews = server.report(clusters, reported as unknown as ApiObject) || isNews;
    }
    return isNews;
  }

  /** It is said of every binding how its scheduling went; whether there was anything to say. */
  scheduled(): boolean {
    const { server, bindings, unsaid } = this.#needs;
    const written = [...this.#written];
    this.#written.clear();
    let isNews = false;
    for (const key of written) {
      const binding = bindingAt(bindings, key);
      const status = binding && unsaid(binding);
      if (binding === undefined || status === undefined) continue;
      const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
      isNews = server.report(resource, { ...binding, status } as unknown as ApiObject) || isNews; // a binding
    }
    return isNews;
  }
}
