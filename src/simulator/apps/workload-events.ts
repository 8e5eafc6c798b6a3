import type { ApiObject } from "#api/meta/object-meta.ts";
import type { EventText } from "#runtime/event-recorder.ts";
import { memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { Step } from "../step.ts";

/** What the controller of Deployments says of a step: which ReplicaSet grew or shrank. */
export function scalingEvents(step: Step, before: readonly SimulatedObject[]): readonly EventText[] {
  return singleSteps(step).flatMap((single) => {
    if (single.do !== "create" && single.do !== "update") return [];
    if (single.resource !== memberResources.replicaSets) return [];
    const { object } = single;
    const { uid, name = "" } = object.metadata;
    const known = before.find(({ metadata }) => metadata.uid === uid);
    const from = single.do === "create" ? 0 : replicasOf(known ?? object);
    const to = replicasOf(object);
    if (from === to) return [];
    const message = `Scaled ${to > from ? "up" : "down"} replica set ${name} from ${from} to ${to}`;
    return [{ type: "Normal", reason: "ScalingReplicaSet", message }];
  });
}

/** What the controller of ReplicaSets says of a pod that it made. */
export function podCreated({ metadata }: ApiObject): EventText {
  return { type: "Normal", reason: "SuccessfulCreate", message: `Created pod: ${metadata.name}` };
}

/** What it says of a step that removed pods. */
export function podDeletions(step: Step): readonly EventText[] {
  return singleSteps(step).flatMap((single) =>
    single.do === "delete"
      ? [{ type: "Normal", reason: "SuccessfulDelete", message: `Deleted pod: ${single.object.metadata.name}` }]
      : [],
  );
}

function singleSteps(step: Step): readonly Step[] {
  return step.do === "together" ? step.steps.flatMap(singleSteps) : [step];
}

function replicasOf(object: { readonly [field: string]: unknown }): number {
  const spec = object["spec"] as { readonly replicas?: number } | undefined; // of a ReplicaSet
  return spec?.replicas ?? 1;
}
