import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import type { Cache, Caches } from "../caches.ts";
import { chooseFault, type FaultSubject, faultAnnotation } from "../faults.ts";
import { parseKey } from "../object-key.ts";
import { controllerOf, type SimulatedObject } from "../simulated-object.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { Stopwatch } from "../stopwatch.ts";
import { decidePod, type PodFacts } from "./decide-pod.ts";
import { stageMark } from "./pod-stage.ts";

/** Runs the pods of every node. */
export function kubeletController(parts: SimulatorParts): Controller<PodFacts, Step> {
  const { caches, client, clock, options, faults, addresses } = parts;
  const { pods, nodes } = caches;
  const stopwatch = new Stopwatch(clock);
  return {
    name: "kubelet",
    watches: [
      watchInformer(pods, ({ before, after }) => {
        if (after === undefined && before !== undefined) stopwatch.forget(before.metadata.uid);
        return after === undefined || !after.spec["nodeName"] ? [] : [printKey(keyOf(after))];
      }),
      watchInformer(nodes, ({ before, after }) => keysOf(pods.byIndex("node", (after ?? before)?.metadata.name ?? ""))),
      ...watchFaults(parts),
    ],
    gather(key) {
      const pod = pods.get(parseKey(key));
      if (!pod?.spec["nodeName"]) return undefined;
      return {
        pod,
        node: nodes.get({ name: pod.spec["nodeName"] }),
        fault: chooseFault(subjectOf(pod, caches), faults.rules()),
        pace: options.pace,
        elapsedMs: stopwatch.elapsedMs(pod.metadata.uid, stageMark(pod)),
        podAddress: addresses.addressOf(pod),
        nowMs: clock.nowMs(),
      };
    },
    decide: decidePod,
    apply: (step) => applyStep(client, step),
  };
}

/** Faults that come and go: those on the board, and those written on what controls pods. */
function watchFaults({ caches, faults }: SimulatorParts): readonly Watch[] {
  const { pods, replicaSets, statefulSets, daemonSets, jobs } = caches;
  const written = [replicaSets, statefulSets, daemonSets, jobs].map((cache) =>
    watchInformer(cache, ({ before, after }) => {
      if (before === undefined || after === undefined) return [];
      const changed = annotationOf(before) !== annotationOf(after);
      return changed ? keysOf(pods.byIndex("owner", after.metadata.uid)) : [];
    }),
  );
  const board: Watch = (enqueue) =>
    faults.subscribe(() => {
      for (const key of keysOf(pods.all())) enqueue(key, "user");
    });
  return [...written, board];
}

function keysOf(objects: Iterable<SimulatedObject>): readonly string[] {
  return [...objects].map((object) => printKey(keyOf(object)));
}

function subjectOf(pod: SimulatedObject, caches: Caches): FaultSubject {
  const { name, namespace = "", annotations } = pod.metadata;
  const controller = controllerOf(pod);
  const owners: Readonly<Record<string, Cache>> = {
    ReplicaSet: caches.replicaSets,
    StatefulSet: caches.statefulSets,
    DaemonSet: caches.daemonSets,
    Job: caches.jobs,
  };
  const owner =
    controller === undefined ? undefined : owners[controller.kind]?.get({ namespace, name: controller.name });
  return { name, namespace, podSpec: pod.spec, annotations: [annotations, owner?.metadata.annotations] };
}

function annotationOf({ metadata }: SimulatedObject): string | undefined {
  return metadata.annotations?.[faultAnnotation];
}
