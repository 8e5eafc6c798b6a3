import type { Fields } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { RoadCall } from "./rough-road.ts";
import type { World } from "./world.ts";

const bindingId = "resourcebinding.karmada.io/permanent-id";

/** What may be wrong with a call that is about to be carried out. */
export type Oracle = (call: RoadCall) => string | undefined;

/** What must hold at every write of the controllers, judged by the stores alone. */
export function oraclesFor(world: World, { newsMs }: { readonly newsMs: number }): Oracle {
  const suspended = new Map<string, number>();
  const bindings = new Map<string, Since>();
  return (call) => {
    if (!call.isWrite) return undefined;
    if (call.cluster !== "flotilla") return memberOracle(world, call, { suspended, newsMs });
    noteSuspensions(world, suspended);
    noteBindings(world, bindings);
    if (call.call.path.resource === "works") return workOracle(world, call, { bindings, newsMs });
    return call.call.path.resource === "resourcebindings" ? bindingOracle(world, call) : undefined;
  };
}

interface News {
  /** Since when works are suspended, by uid. */
  readonly suspended: ReadonlyMap<string, number>;
  /** How long news may be on their way to a controller. */
  readonly newsMs: number;
}

/** S1: a copy is deleted only after its work is leaving or gone. S4: a work that is suspended sends nothing. */
function memberOracle(world: World, { cluster, call }: RoadCall, { suspended, newsMs }: News): string | undefined {
  if (call.path.resource !== "deployments") return undefined;
  const name = call.path.name ?? (call.body as Fields | undefined)?.["metadata"]?.name;
  const work = workOf(world, cluster, name);
  if (work === undefined || work["metadata"].deletionTimestamp !== undefined) return undefined;
  if (call.verb === "delete") return `S1: ${name} is deleted in ${cluster} while its work stays`;
  const sinceMs = suspended.get(work["metadata"].uid) ?? Number.POSITIVE_INFINITY;
  return world.clock.nowMs() - sinceMs > newsMs
    ? `S4: ${name} is sent to ${cluster} while its work is suspended`
    : undefined;
}

interface Since {
  readonly generation: number;
  readonly sinceMs: number;
}

/** S1: a work is deleted because its binding is not for that cluster, or goes itself. */
function workOracle(
  world: World,
  { call: { verb, path } }: RoadCall,
  { bindings, newsMs }: { readonly bindings: ReadonlyMap<string, Since>; readonly newsMs: number },
): string | undefined {
  if (verb !== "delete") return undefined;
  const work = world.get(`works/${path.namespace}/${path.name}`);
  const id = work?.["metadata"].labels?.[bindingId];
  const binding = world.list("resourcebindings").find(({ metadata }) => metadata.labels?.[bindingId] === id);
  if (id === undefined || binding === undefined || binding["metadata"].deletionTimestamp !== undefined)
    return undefined;
  const sinceMs = bindings.get(binding["metadata"].uid)?.sinceMs ?? Number.POSITIVE_INFINITY;
  const isTarget = namesOf(binding).some((name) => path.namespace === `karmada-es-${name}`);
  return isTarget && world.clock.nowMs() - sinceMs > newsMs
    ? `S1: the work ${path.namespace}/${path.name} is deleted though its binding wants it`
    : undefined;
}

function noteBindings(world: World, bindings: Map<string, Since>): void {
  for (const { metadata } of world.list("resourcebindings")) {
    if (bindings.get(metadata.uid)?.generation === metadata.generation) continue;
    bindings.set(metadata.uid, { generation: metadata.generation, sinceMs: world.clock.nowMs() });
  }
}

/** S4: nobody but its user lifts a suspension. S5: a target goes for a reason. */
function bindingOracle(world: World, { call: { verb, path, body } }: RoadCall): string | undefined {
  if (verb !== "update" || path.subresource !== undefined || path.name === undefined) return undefined;
  const old = world.get(`resourcebindings/${path.namespace}/${path.name}`);
  const wanted = body as Fields; // a binding
  const expected = wanted["metadata"].resourceVersion;
  if (old === undefined || (expected !== undefined && expected !== old["metadata"].resourceVersion)) return undefined; // refused
  const pinned = old["spec"].suspension?.scheduling === true;
  if (pinned && wanted["spec"].suspension?.scheduling !== true) return `S4: ${path.name} is scheduled again by nobody`;
  if (pinned && !jsonEquals(old["spec"].clusters, wanted["spec"].clusters))
    return `S4: ${path.name} moves though pinned`;
  const asked = ({ spec }: Fields) => [spec.placement, spec.replicas, spec.rescheduleTriggeredAt, spec.resource.uid];
  if (!jsonEquals(asked(old), asked(wanted))) return undefined;
  const dropped = namesOf(old).filter((name) => !namesOf(wanted).includes(name));
  const leaves = (name: string) => {
    const cluster = world.get(`clusters/${name}`);
    return cluster === undefined || cluster["metadata"].deletionTimestamp !== undefined;
  };
  const unjust = dropped.filter((name) => !leaves(name));
  // what was placed while a cluster was away is divided anew when it is back
  if (unjust.length === 0 || scheduledOf(old) !== "True") return undefined;
  return `S5: ${path.name} leaves ${unjust.join(", ")} for no reason`;
}

function namesOf({ spec }: Fields): readonly string[] {
  return (spec.clusters ?? []).map(({ name }: Fields) => name);
}

function scheduledOf({ status }: Fields): unknown {
  return status?.conditions?.find(({ type }: Fields) => type === "Scheduled")?.status;
}

function noteSuspensions(world: World, suspended: Map<string, number>): void {
  for (const { metadata, spec } of world.list("works")) {
    if (spec.suspendDispatching !== true) suspended.delete(metadata.uid);
    else if (!suspended.has(metadata.uid)) suspended.set(metadata.uid, world.clock.nowMs());
  }
}

/** The work by which a Deployment is written in a member. */
function workOf(world: World, cluster: string, name: unknown): Fields | undefined {
  return world
    .list("works")
    .filter(({ metadata }) => metadata.namespace === `karmada-es-${cluster}`)
    .find(({ spec }) =>
      spec.workload.manifests.some((each: Fields) => each["kind"] === "Deployment" && each["metadata"].name === name),
    );
}
