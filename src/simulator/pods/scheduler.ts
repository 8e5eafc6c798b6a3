import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { decidePlacement, type PlacementFacts } from "./decide-placement.ts";
import { isPodEnded } from "./pod-counts.ts";

/** Finds a node for every pod that has none. */
export function schedulerController({
  caches,
  client,
  clock,
  usage,
}: SimulatorParts): Controller<PlacementFacts, Step> {
  const { pods, nodes } = caches;
  const waiting = () => pods.byIndex("unscheduled", "").map((pod) => printKey(keyOf(pod)));
  /** A pod that ends or goes makes room for one that waits. */
  const whenRoomAppears: Watch = watchInformer(pods, ({ before, after }) => {
    const freed = before?.spec["nodeName"] && (after === undefined || isPodEnded(after) !== isPodEnded(before));
    return freed ? waiting() : [];
  });
  return {
    name: "scheduler",
    watches: [
      watchInformer(pods, ({ after }) =>
        after === undefined || after.spec["nodeName"] ? [] : [printKey(keyOf(after))],
      ),
      whenRoomAppears,
      watchInformer(nodes, waiting),
    ],
    gather(key) {
      const pod = pods.get(parseKey(key));
      if (pod === undefined || isPodEnded(pod)) return undefined;
      const rooms = [...nodes.all()].map((node) => ({ node, usage: usage.of(node.metadata.name) }));
      return { pod, rooms, nowMs: clock.nowMs() };
    },
    decide: decidePlacement,
    async apply(step, { pod }) {
      if (step.do !== "bind") return applyStep(client, step);
      usage.assume(pod, step.node);
      try {
        await applyStep(client, step);
      } catch (error: unknown) {
        usage.withdraw(pod);
        throw error;
      }
    },
  };
}
