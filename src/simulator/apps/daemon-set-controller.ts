import { keyOf, printKey } from "#api/meta/resource-id.ts";
import { jsonEquals } from "#base/json.ts";
import type { Controller } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import { memberResources } from "../member-resources.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOrphans, watchOwn, watchOwned } from "../watch-owned.ts";
import { type DaemonSetFacts, decideDaemonSet } from "./decide-daemon-set.ts";

/** Keeps the pods and revisions of every DaemonSet. */
export function daemonSetController({ caches, client, clock }: SimulatorParts): Controller<DaemonSetFacts, Step> {
  const { daemonSets, pods, nodes, controllerRevisions } = caches;
  const resource = memberResources.daemonSets;
  return {
    name: "daemonsets",
    watches: [
      watchOwn(daemonSets),
      watchOwned(pods, resource),
      watchOwned(controllerRevisions, resource),
      watchOrphans(pods, daemonSets, (spec) => spec["selector"]),
      watchInformer(nodes, ({ before, after }) =>
        sameForDaemons(before, after) ? [] : [...daemonSets.all()].map((set) => printKey(keyOf(set))),
      ),
    ],
    gather(key) {
      const set = daemonSets.get(parseKey(key));
      if (set === undefined) return undefined;
      const { uid, namespace = "" } = set.metadata;
      return {
        set,
        nodes: [...nodes.all()].toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
        pods: pods.byIndex("owner", uid),
        orphans: pods.byIndex("orphans", namespace),
        revisions: controllerRevisions.byIndex("owner", uid),
        nowMs: clock.nowMs(),
      };
    },
    decide: decideDaemonSet,
    apply: (step) => applyStep(client, step),
  };
}

/** Whether a node's change can matter to where daemons run. */
export function sameForDaemons(before: SimulatedObject | undefined, after: SimulatedObject | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  return jsonEquals(before.spec, after.spec) && jsonEquals(before.metadata.labels, after.metadata.labels);
}
