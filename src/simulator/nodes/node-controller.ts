import type { Controller } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { decideNode, type NodeFacts } from "./decide-node.ts";

/** Keeps the status of every node as a kubelet would. */
export function nodeController({
  caches,
  client,
  clock,
  options,
  faults,
}: SimulatorParts): Controller<NodeFacts, Step> {
  const { nodes } = caches;
  return {
    name: "node",
    watches: [
      watchInformer(nodes, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
      (enqueue) =>
        faults.subscribe(() => {
          for (const { metadata } of nodes.all()) enqueue(metadata.name, "user");
        }),
    ],
    gather(name) {
      const node = nodes.get({ name });
      if (node === undefined) return undefined;
      const { capacity } = options.nodes;
      return { node, capacity, address: nodeAddress(name), failed: faults.isNodeFailed(name), nowMs: clock.nowMs() };
    },
    decide: decideNode,
    apply: (step) => applyStep(client, step),
  };
}

/** By the number at the end of its name, so that it stays the same for ever. */
function nodeAddress(name: string): string {
  const number = Number(/(\d{1,4})$/.exec(name)?.[1] ?? 0) + 1;
  return `172.18.${Math.floor(number / 256) % 256}.${number % 256}`;
}
