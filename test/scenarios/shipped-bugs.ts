import type { Fields } from "#api/meta/object-meta.ts";
import type { WorksFacts, WorksStep } from "#controllers/binding/decide-works.ts";
import { decideExecution, type ExecutionFacts } from "#controllers/execution/decide-execution.ts";
import type { SchedulerFacts } from "#controllers/scheduler/scheduler-controller.ts";
import type { Controller } from "#runtime/controller.ts";
import type { RoughFleet, Sabotage } from "#test/world/rough-fleet.ts";

type Wrap = NonNullable<Sabotage["wrap"]>;
type Anything = Controller<unknown, unknown>;

/** A controller by its name, changed; the others as they are. */
function changing(name: string | RegExp, change: (controller: Anything) => Partial<Anything>): Wrap {
  return <Facts, Step>(controller: Controller<Facts, Step>) => {
    const isMeant = typeof name === "string" ? controller.name === name : name.test(controller.name);
    if (!isMeant) return controller;
    const anything = controller as unknown as Anything; // its facts are its own
    return { ...controller, ...(change(anything) as object) };
  };
}

const removal = (cluster: string, { works }: WorksFacts): readonly WorksStep[] => {
  const work = works.get(cluster);
  return work === undefined ? [] : [{ do: "deleteWork", cluster, work, because: "cluster no longer a target" }];
};

/** What cannot be rendered is taken for what should not be there. */
export const swallowedError: Sabotage = {
  wrap: changing("binding", (controller) => ({
    decide: (facts) => {
      const known = facts as WorksFacts; // the controller's
      const failed = [...known.rendered].filter(([, { ok }]) => !ok).map(([cluster]) => cluster);
      return failed.length === 0
        ? controller.decide(facts)
        : { steps: failed.flatMap((cluster) => removal(cluster, known)) };
    },
  })),
};

/** What is not found counts as deleted, and a kind that is not served just now is not found. */
export const goneWithItsKind: Sabotage = {
  wrap: changing("binding", (controller) => ({
    decide: (facts) => {
      const known = facts as WorksFacts; // the controller's
      return known.template === undefined
        ? { steps: [...known.works.keys()].flatMap((cluster) => removal(cluster, known)) }
        : controller.decide(facts);
    },
  })),
};

/** A policy waits for its templates, be they served or not. */
export const heldByItsKind: Sabotage = { wrap: changing("policy", () => ({ decide: () => ({ steps: [] }) })) };

/** Copies in clusters that are not ready are given up. */
export function goneWithItsCluster(): Sabotage {
  let seen: RoughFleet | undefined;
  const isReady = (name: string) =>
    seen === undefined ||
    storedIn(seen, `cluster.karmada.io/clusters/${name}`)?.["status"]?.conditions?.some(
      ({ type, status }: Fields) => type === "Ready" && status === "True",
    );
  const wrap = changing("binding", (controller) => ({
    decide: (facts) => {
      const known = facts as WorksFacts; // the controller's
      const lost = [...known.works.keys()].filter((name) => !isReady(name));
      return lost.length === 0 ? controller.decide(facts) : { steps: lost.flatMap((each) => removal(each, known)) };
    },
  }));
  return {
    wrap,
    tamper: ({ call, fleet }) => {
      seen = fleet;
      return call;
    },
  };
}

/** A suspended work is repaired all the same. */
export const repairedWhileSuspended: Sabotage = {
  wrap: changing(/^execution\//, (controller) => ({
    decide: (facts) => {
      const known = facts as ExecutionFacts; // the controller's
      const work = { ...known.work, spec: { ...known.work.spec, suspendDispatching: false } };
      return controller.decide({ ...known, plan: decideExecution({ ...known, work }) });
    },
  })),
};

/** Who is claimed by a policy of that name needs no claim, whatever the policy's id. */
export const claimedByName: Sabotage = {
  tamper: ({ call, fleet }) => {
    const { labels, annotations } = (call.body as Fields | undefined)?.["metadata"] ?? {};
    const id = labels?.["propagationpolicy.karmada.io/permanent-id"];
    if (call.verb !== "patch" || call.path.resource !== "deployments" || typeof id !== "string") return call;
    const name = "propagationpolicy.karmada.io/name";
    const stored = storedIn(fleet, `apps/deployments/${call.path.namespace}/${call.path.name}`);
    const isClaimed = stored?.["metadata"].annotations?.[name] === "all";
    return isClaimed && (annotations?.[name] ?? "all") === "all"
      ? { ...call, verb: "get", body: undefined, options: {} }
      : call;
  },
};

/** Whoever writes a binding leaves out the evictions that it did not ask for itself. */
export const droppedEvictions: Sabotage = {
  tamper: ({ call, fleet }) => {
    if (call.path.resource !== "resourcebindings" || call.verb !== "update" || call.path.subresource !== undefined)
      return call;
    const key = `work.karmada.io/resourcebindings/${call.path.namespace}/${call.path.name}`;
    const known = storedIn(fleet, key)?.["spec"].gracefulEvictionTasks;
    const body = call.body as Fields; // a binding
    const { gracefulEvictionTasks: _, ...spec } = body["spec"];
    return known === undefined ? call : { ...call, body: { ...body, spec } };
  },
};

/** Evictions that were under way when the controllers started are nobody's. */
export function forgottenEvictions(): Sabotage {
  let starts = 0;
  const wrap: Wrap = changing("graceful-eviction", (controller) => {
    starts++;
    return starts < 2 ? controller : { decide: () => ({ steps: [] }) };
  });
  return { wrap };
}

/** What follows a workload is bound, at first, to the object of that name that was there before. */
export function formerOwner(): Sabotage {
  const known: string[] = [];
  return {
    tamper: ({ call }) => {
      const body = call.body as Fields | undefined;
      const { resource } = body?.["spec"] ?? {};
      const { resource: plural, subresource } = call.path;
      const isBinding = plural === "resourcebindings" && subresource === undefined && call.verb !== "patch";
      if (!isBinding || resource?.kind !== "ConfigMap" || known.includes(resource.uid)) return call;
      const uid = known.at(-1) ?? resource.uid;
      known.push(resource.uid);
      const owners = (body!["metadata"].ownerReferences ?? []).map((each: Fields) => ({ ...each, uid }));
      const metadata = { ...body!["metadata"], ownerReferences: owners };
      return { ...call, body: { ...body, metadata, spec: { ...body!["spec"], resource: { ...resource, uid } } } };
    },
  };
}

/** A decision writes into what it was given. */
export const changedInPlace: Sabotage = {
  wrap: changing("binding", (controller) => ({
    decide: (facts) => {
      const { binding } = facts as { binding: { spec: Fields } }; // the controller's
      if (binding.spec["replicas"] === 5) Object.assign(binding.spec, { replicas: 1 });
      return controller.decide(facts);
    },
  })),
};

/** The scheduler sees every binding as it was one look ago, and writes whatever is there by now. */
export function staleScheduler(): Sabotage {
  const before = new Map<string, SchedulerFacts>();
  return {
    wrap: changing("scheduler", (controller) => ({
      gather: async (key, signal) => {
        const facts = (await controller.gather(key, signal)) as SchedulerFacts | undefined; // the controller's
        const stale = before.get(key);
        if (facts !== undefined) before.set(key, facts);
        return stale ?? facts;
      },
    })),
    tamper: ({ call }) => {
      const body = call.body as Fields | undefined;
      if (call.path.resource !== "resourcebindings" || call.verb !== "update" || body === undefined) return call;
      if (call.path.subresource !== undefined) return call;
      const { resourceVersion: _, ...metadata } = body["metadata"];
      return { ...call, body: { ...body, metadata } };
    },
  };
}

/** Shares are of a whole that may be nothing. */
export const dividedByNothing: Sabotage = {
  wrap: changing("scheduler", (controller) => ({
    decide: (facts) => {
      const { binding } = facts as SchedulerFacts; // the controller's
      const share = 100n / BigInt(binding.spec.replicas ?? 0);
      return share < 0n ? { steps: [] } : controller.decide(facts);
    },
  })),
};

function storedIn({ controlPlane }: RoughFleet, key: string): Fields | undefined {
  return controlPlane.server.core.store.get(key)?.value as Fields | undefined;
}
