import type { Controller } from "#runtime/controller.ts";
import { applyStep } from "../apply-step.ts";
import { memberResources } from "../member-resources.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOrphans, watchOwn, watchOwned } from "../watch-owned.ts";
import { decideStatefulSet, type StatefulSetFacts } from "./decide-stateful-set.ts";

/** Keeps the pods, claims and revisions of every StatefulSet. */
export function statefulSetController({ caches, client, clock }: SimulatorParts): Controller<StatefulSetFacts, Step> {
  const { statefulSets, pods, controllerRevisions, persistentVolumeClaims } = caches;
  const resource = memberResources.statefulSets;
  return {
    name: "statefulsets",
    watches: [
      watchOwn(statefulSets),
      watchOwned(pods, resource),
      watchOwned(controllerRevisions, resource),
      watchOrphans(pods, statefulSets, (spec) => spec["selector"]),
    ],
    gather(key) {
      const set = statefulSets.get(parseKey(key));
      if (set === undefined) return undefined;
      const { uid, namespace = "" } = set.metadata;
      return {
        set,
        pods: pods.byIndex("owner", uid),
        orphans: pods.byIndex("orphans", namespace),
        revisions: controllerRevisions.byIndex("owner", uid),
        hasClaim: (name) => persistentVolumeClaims.get({ namespace, name }) !== undefined,
        nowMs: clock.nowMs(),
      };
    },
    decide: decideStatefulSet,
    apply: (step) => applyStep(client, step),
  };
}
