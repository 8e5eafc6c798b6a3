import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import { daemonFit } from "../apps/daemon-pod.ts";
import { sameForDaemons } from "../apps/daemon-set-controller.ts";
import { ReplicaSetNames } from "../apps/replica-set-of-template.ts";
import type { Cache } from "../caches.ts";
import { chooseFault, type FaultSubject } from "../faults.ts";
import type { MemberResource } from "../member-resources.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { Stopwatch } from "../stopwatch.ts";
import { type CountedFacts, type CountedKind, decideCounted } from "./decide-counted.ts";

/** Keeps the status of every workload of a kind without creating its pods. */
export function countedController(
  parts: SimulatorParts,
  [name, kind]: readonly [MemberResource, CountedKind],
): Controller<CountedFacts, Step> {
  const { caches, client, clock, options, faults } = parts;
  const cache: Cache = caches[name];
  const { nodes } = caches;
  const stopwatch = new Stopwatch(clock);
  const names = new ReplicaSetNames();
  const replicaSetName = (deployment: SimulatedObject) => names.of(deployment);
  return {
    name: `counted-${kind.resource.resource}`,
    watches: [
      watchInformer(cache, ({ before, after }) => {
        if (after !== undefined) return [printKey(keyOf(after))];
        if (before !== undefined) stopwatch.forget(before.metadata.uid);
        return [];
      }),
      ...watchAll(parts, name),
    ],
    gather(key) {
      const workload = cache.get(parseKey(key));
      if (workload === undefined) return undefined;
      const fault = chooseFault(subjectOf(workload), faults.rules());
      const { uid, generation = 1 } = workload.metadata;
      return {
        workload,
        fault,
        pace: options.pace,
        elapsedMs: stopwatch.elapsedMs(uid, `${generation}/${fault?.kind ?? ""}`),
        fittingNodes: () => [...nodes.all()].filter((node) => daemonFit(workload, node).run).length,
        replicaSetName,
        nowMs: clock.nowMs(),
      };
    },
    decide: (facts) => decideCounted(kind, facts),
    apply: (step) => applyStep(client, step),
  };
}

/** What concerns every workload of the kind: faults, and the nodes that daemons run on. */
function watchAll({ caches, faults }: SimulatorParts, name: MemberResource): readonly Watch[] {
  const all = () => [...caches[name].all()].map((workload) => printKey(keyOf(workload)));
  const board: Watch = (enqueue) =>
    faults.subscribe(() => {
      for (const key of all()) enqueue(key, "user");
    });
  if (name !== "daemonSets") return [board];
  return [board, watchInformer(caches.nodes, ({ before, after }) => (sameForDaemons(before, after) ? [] : all()))];
}

function subjectOf({ metadata, spec }: SimulatedObject): FaultSubject {
  const template = spec["template"] ?? {};
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name,
    podSpec: template.spec ?? {},
    annotations: [template.metadata?.annotations, metadata.annotations],
  };
}
