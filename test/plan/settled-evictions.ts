import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { workNameOf } from "#api/work/derived-names.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { managedLabel } from "#api/work/work-keys.ts";
import { targetClusters } from "#controllers/binding/decide-works.ts";
import { letGo } from "#controllers/execution/let-go.ts";
import type { Objects } from "./predicted-state.ts";

interface Compared {
  /** What a plan said, by name; undefined: it goes. */
  readonly said: Map<string, ApiObject | undefined>;
  readonly before: Objects;
  readonly after: Objects;
}

/**
 * A plan says that a copy leaves once its replacement is healthy; whether it was, the outcome says. Where it was, the plan is taken to
 * its word: the task is over, work and copy are gone, and so is what followed there and has no other reason to be.
 */
export function settleEvictions(compared: Compared): void {
  const { said, before, after } = compared;
  for (const [name, object] of said) {
    const binding = object as unknown as Binding | undefined; // or something without tasks
    const tasks = binding?.spec?.gracefulEvictionTasks ?? [];
    const left = tasks.filter(({ fromCluster }) => isLeaving(after.get(name), fromCluster));
    if (binding === undefined || left.length === tasks.length) continue;
    const { gracefulEvictionTasks: _, ...spec } = binding.spec;
    const settled = { ...binding, spec: { ...spec, ...(left.length > 0 && { gracefulEvictionTasks: left }) } };
    put(said, name, settled);
    for (const { fromCluster } of tasks.filter((task) => !left.includes(task))) {
      goes(compared, settled, fromCluster);
      for (const [follower, state] of [...before, ...(said as Map<string, Fields | undefined>)])
        unfollow(compared, {
          name: follower,
          state: said.get(follower) ?? state,
          referrer: binding,
          cluster: fromCluster,
        });
    }
  }
}

interface Follower {
  readonly name: string;
  readonly state: unknown;
  readonly referrer: Binding;
  readonly cluster: string;
}

/** A follower has no reason to be in a cluster any more that its referrer has left. */
function unfollow(compared: Compared, { name, state, referrer, cluster }: Follower): void {
  const binding = state as Binding | undefined; // or something that follows nobody
  const { namespace, name: of } = referrer.metadata;
  const isMeant = (each: { readonly namespace?: string; readonly name: string }) =>
    each.namespace === namespace && each.name === of;
  const entry = binding?.spec?.requiredBy?.find(isMeant);
  if (binding === undefined || !entry?.clusters?.some((each) => each.name === cluster)) return;
  const requiredBy = binding.spec.requiredBy?.map((each) =>
    isMeant(each) ? { ...each, clusters: (each.clusters ?? []).filter((target) => target.name !== cluster) } : each,
  );
  const next = { ...binding, spec: { ...binding.spec, requiredBy } } as Binding; // one reason less
  put(compared.said, name, next);
  goes(compared, next, cluster);
}

/** Work and copy are gone, unless the binding is meant to be there. */
function goes({ said, before, after }: Compared, { metadata, spec }: Binding, cluster: string): void {
  if (targetClusters(spec).some((each) => each.name === cluster)) return;
  const { kind, name } = spec.resource;
  const { namespace = "" } = metadata;
  const sent = ` works/${executionNamespaceOf(cluster)}/${workNameOf({ kind, name, namespace: metadata.namespace })}`;
  const expected = (each: string) => (said.get(each) ?? before.get(each)) as ApiObject | undefined; // as it was, or was to be
  const stays = (expected(sent) as unknown as Work | undefined)?.spec.preserveResourcesOnDeletion === true; // what leaves gets no news
  if (after.get(sent)?.["metadata"].deletionTimestamp !== undefined) {
    const work = expected(sent); // the cluster cannot be reached: it goes when it can, and stays as it is until then
    said.set(sent, work && { ...work, metadata: { ...work.metadata, deletionGracePeriodSeconds: 0 } });
    return;
  }
  said.set(sent, undefined);
  const copy = `${cluster} ${kind.toLowerCase()}s/${namespace}/${name}`;
  const present = expected(copy);
  if (present !== undefined && present.metadata.labels?.[managedLabel] !== "true") return; // it was never sent: somebody else's is there
  const left = after.get(copy) as ApiObject | undefined; // whether it got the last edit before it was let go is between two controllers
  if (!stays || left !== undefined) said.set(copy, stays && isLetGo(left) ? left : undefined);
  const home = `${cluster} namespaces//${namespace}`;
  const around = stays ? expected(home) : undefined;
  if (around !== undefined) said.set(home, letGo(around)); // and so is the namespace that it needs
}

/** It stays without any mark of ours; with one it is none of what a plan may leave behind. */
function isLetGo(copy: ApiObject | undefined): boolean {
  const marks = ({ metadata }: ApiObject) => JSON.stringify([metadata.labels ?? {}, metadata.annotations ?? {}]);
  return copy !== undefined && marks(letGo(copy)) === marks(copy);
}

function put(said: Compared["said"], name: string, binding: Binding): void {
  said.set(name, binding as unknown as ApiObject); // as it was, but for what is over
}

function isLeaving(binding: Fields | undefined, cluster: string): boolean {
  const { gracefulEvictionTasks = [] } = (binding as unknown as Binding | undefined)?.spec ?? {};
  return gracefulEvictionTasks.some(({ fromCluster }) => fromCluster === cluster);
}
