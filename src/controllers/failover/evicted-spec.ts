import type { GracefulEvictionTask } from "#api/work/graceful-eviction-task.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";

/**
 * A binding's spec without the clusters that tasks leave, and with these tasks behind those that others wrote. A cluster that is being
 * left already keeps the task it has.
 */
export function withEvictions(spec: BindingSpec, tasks: readonly GracefulEvictionTask[]): BindingSpec {
  const left = new Set(tasks.map(({ fromCluster }) => fromCluster));
  const known = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  const added = tasks.filter(({ fromCluster }) => !known.has(fromCluster));
  return withTasks(
    withTargets(
      spec,
      (spec.clusters ?? []).filter(({ name }) => !left.has(name)),
    ),
    [...(spec.gracefulEvictionTasks ?? []), ...added],
  );
}

/** A binding's spec with these eviction tasks; none at all are an absent list. */
export function withTasks(spec: BindingSpec, tasks: readonly GracefulEvictionTask[]): BindingSpec {
  const { gracefulEvictionTasks: _, ...rest } = spec;
  return tasks.length === 0 ? rest : { ...rest, gracefulEvictionTasks: tasks };
}

/** "Not scheduled" is an absent list, never an empty one (ruling 24). */
function withTargets(spec: BindingSpec, clusters: NonNullable<BindingSpec["clusters"]>): BindingSpec {
  const { clusters: _, ...rest } = spec;
  return clusters.length === 0 ? rest : { ...rest, clusters };
}
