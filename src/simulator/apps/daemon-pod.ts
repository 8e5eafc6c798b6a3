import type { Fields } from "#api/meta/object-meta.ts";
import { memberResources } from "../member-resources.ts";
import { nodeMisfit, tolerates } from "../nodes/node-fit.ts";
import { podCreation } from "../pods/new-pod.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { Step } from "../step.ts";
import { revisionHashLabel } from "./revision-history.ts";

const prefix = "node.kubernetes.io/";
/** A daemon stays where others leave. */
const daemonTolerations: readonly Fields[] = [
  ...["not-ready", "unreachable"].map((name) => ({ key: prefix + name, operator: "Exists", effect: "NoExecute" })),
  ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((name) => ({
    key: prefix + name,
    operator: "Exists",
    effect: "NoSchedule",
  })),
];

/** Whether a DaemonSet wants a pod on a node to start, and whether it lets one that is there stay. */
export function daemonFit(
  set: SimulatedObject,
  node: SimulatedObject,
): { readonly run: boolean; readonly stay: boolean } {
  const podSpec = daemonPodSpec(set);
  const run = nodeMisfit(podSpec, node) === undefined;
  const taints: readonly Fields[] = node.spec["taints"] ?? [];
  const driving = taints.filter(({ effect }) => effect === "NoExecute");
  const untainted = { ...node, spec: { ...node.spec, taints: [] } };
  const fits = nodeMisfit(podSpec, untainted) === undefined;
  const tolerated = driving.every((taint) =>
    podSpec["tolerations"].some((toleration: Fields) => tolerates(toleration, taint)),
  );
  return { run, stay: fits && tolerated };
}

/** The step that creates a set's pod for one node; the scheduler takes it there. */
export function daemonPodCreation(set: SimulatedObject, node: SimulatedObject, revision: string): Step {
  const spec = daemonPodSpec(set);
  const { nodeAffinity, ...affinity } = spec["affinity"] ?? {};
  const { requiredDuringSchedulingIgnoredDuringExecution: _, ...preferred } = nodeAffinity ?? {};
  const matchFields = [{ key: "metadata.name", operator: "In", values: [node.metadata.name] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return podCreation({
    ownerResource: memberResources.daemonSets,
    owner: set,
    labels: { [revisionHashLabel]: revision, "pod-template-generation": templateGeneration(set) },
    spec: {
      tolerations: spec["tolerations"],
      affinity: {
        ...affinity,
        nodeAffinity: { ...preferred, requiredDuringSchedulingIgnoredDuringExecution: required },
      },
    },
  });
}

/** The node that a set's pod runs on or is meant for. */
export function daemonNodeOf({ spec }: SimulatedObject): string {
  if (spec["nodeName"]) return spec["nodeName"];
  const required = spec["affinity"]?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms?.[0]?.matchFields?.[0]?.values?.[0] ?? "";
}

function daemonPodSpec({ spec }: SimulatedObject): Fields {
  const podSpec: Fields = spec["template"]?.spec ?? {};
  const network = { key: `${prefix}network-unavailable`, operator: "Exists", effect: "NoSchedule" };
  const tolerations: readonly Fields[] = [
    ...(podSpec["tolerations"] ?? []),
    ...daemonTolerations,
    ...(podSpec["hostNetwork"] === true ? [network] : []),
  ];
  return { ...podSpec, tolerations };
}

function templateGeneration({ metadata }: SimulatedObject): string {
  return metadata.annotations?.["deprecated.daemonset.template.generation"] ?? "1";
}
