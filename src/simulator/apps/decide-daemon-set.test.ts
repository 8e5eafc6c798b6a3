import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import {
  nowMs,
  podTemplate,
  printPlan,
  readyNode,
  runningPod,
  sketch,
  statusIn,
} from "#test/world/simulated-objects.ts";
import { memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { type DaemonSetFacts, decideDaemonSet } from "./decide-daemon-set.ts";
import { decideHistory, revisionHashLabel } from "./revision-history.ts";

const labels = { app: "agent" };
const resource = memberResources.daemonSets;

interface Given {
  readonly template?: Fields;
  readonly nodes?: readonly SimulatedObject[];
  /** Per node: `old`, `unready`, `deleted`. */
  readonly pods?: Readonly<Record<string, string>>;
  readonly strategy?: Fields;
}

function facts({ template = podTemplate("agent", labels), nodes, pods = {}, strategy }: Given): DaemonSetFacts {
  const updateStrategy = strategy ?? { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } };
  const set = sketch("DaemonSet", {
    name: "agent",
    spec: { selector: { matchLabels: labels }, template, updateStrategy },
  });
  const { hash, name, steps } = decideHistory({ resource, owner: set, revisions: [] });
  const data = steps[0]?.do === "create" ? (steps[0].object["data"] as Fields) : {}; // as created
  const own = Object.entries(pods).map(([node, words]) =>
    runningPod({
      name: `on-${node}`,
      node,
      owner: set,
      labels: { ...labels, [revisionHashLabel]: words.includes("old") ? "old" : hash },
      ready: !words.includes("unready"),
      deleted: words.includes("deleted"),
    }),
  );
  return {
    set,
    nodes: nodes ?? ["n1", "n2", "n3"].map((each) => readyNode(each)),
    pods: own,
    orphans: [],
    revisions: [
      sketch("ControllerRevision", { name, owner: set, labels: { [revisionHashLabel]: hash }, data, revision: 1 }),
    ],
    nowMs,
  };
}

const all = { n1: "new", n2: "new", n3: "new" };
const tainted = (effect: string, key = "gpu") => readyNode("n2", { spec: { taints: [{ key, effect }] } });

const rows: Readonly<Record<string, { reason: string; given: Given; expect: readonly string[] }>> = {
  "three nodes": {
    reason: "one pod each",
    given: {},
    expect: ["create Pod agent-*", "create Pod agent-*", "create Pod agent-*"],
  },
  "one node is served": {
    reason: "the others follow",
    given: { pods: { n1: "new", n2: "new" } },
    expect: ["create Pod agent-*"],
  },
  "a pod is on its way out": {
    reason: "two never share a node",
    given: { pods: { ...all, n2: "deleted" } },
    expect: ["status DaemonSet agent"],
  },
  "a tainted node": {
    reason: "it gets no new pod",
    given: { nodes: [readyNode("n1"), tainted("NoSchedule")] },
    expect: ["create Pod agent-*"],
  },
  "a node tainted later": {
    reason: "NoSchedule lets stay what is there",
    given: { nodes: [readyNode("n1"), tainted("NoSchedule")], pods: { n1: "new", n2: "new" } },
    expect: ["status DaemonSet agent"],
  },
  "a node that drives pods out": {
    reason: "NoExecute does not",
    given: { nodes: [readyNode("n1"), tainted("NoExecute")], pods: { n1: "new", n2: "new" } },
    expect: ["delete Pod on-n2: the node does not fit any more"],
  },
  "a cordoned node": {
    reason: "daemons run there all the same",
    given: { nodes: [readyNode("n1", { spec: { unschedulable: true } })] },
    expect: ["create Pod agent-*"],
  },
  "a node that has failed": {
    reason: "its daemon stays",
    given: {
      nodes: [readyNode("n1"), tainted("NoExecute", "node.kubernetes.io/not-ready")],
      pods: { n1: "new", n2: "new" },
    },
    expect: ["status DaemonSet agent"],
  },
  "a new template": {
    reason: "one at a time",
    given: { pods: { n1: "old", n2: "old", n3: "old" } },
    expect: ["delete Pod on-n1: its template is old"],
  },
  "a new template, two may be missing": {
    reason: "two at a time",
    given: {
      pods: { n1: "old", n2: "old", n3: "old" },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } },
    },
    expect: ["delete Pod on-n1: its template is old", "delete Pod on-n2: its template is old"],
  },
  "one is unready": {
    reason: "nothing that serves is taken away meanwhile",
    given: { pods: { n1: "old", n2: "unready", n3: "old" } },
    expect: ["status DaemonSet agent"],
  },
  OnDelete: {
    reason: "whoever wants the new template deletes pods",
    given: { pods: { n1: "old", n2: "old", n3: "old" }, strategy: { type: "OnDelete" } },
    expect: ["status DaemonSet agent"],
  },
};

for (const [name, { reason, given, expect: expected }] of Object.entries(rows)) {
  test(name, () => expect(printPlan(decideDaemonSet(facts(given))), reason).toEqual(expected));
}

test("the status counts nodes", () => {
  expect(statusIn(decideDaemonSet(facts({ pods: { ...all, n3: "unready" } })))).toEqual({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    updatedNumberScheduled: 3,
    numberReady: 2,
    numberAvailable: 2,
    numberUnavailable: 1,
    numberMisscheduled: 0,
    observedGeneration: 1,
  });
});
