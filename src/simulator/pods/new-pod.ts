import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { NewObject } from "#client/client.ts";
import { memberResources } from "../member-resources.ts";
import { controlledBy, type SimulatedObject } from "../simulated-object.ts";
import type { Step } from "../step.ts";

export interface PodOrder {
  readonly ownerResource: ResourceId;
  readonly owner: SimulatedObject;
  /** Absent: made up by the server after the owner's name. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Changes to the template's pod spec. */
  readonly spec?: Fields;
}

/** The step that creates a pod from its owner's template. */
export function podCreation({ ownerResource, owner, name, labels, annotations, spec }: PodOrder): Step {
  const template: Fields = owner.spec["template"] ?? {};
  const meta: Fields = template["metadata"] ?? {};
  const object: NewObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(name === undefined ? { generateName: `${owner.metadata.name}-` } : { name }),
      ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
      labels: { ...meta["labels"], ...labels },
      ...(meta["annotations"] || annotations ? { annotations: { ...meta["annotations"], ...annotations } } : {}),
      ...(meta["finalizers"] ? { finalizers: meta["finalizers"] } : {}),
      ownerReferences: [controlledBy(ownerResource, owner)],
    },
    spec: { ...template["spec"], ...spec },
  };
  return { do: "create", resource: memberResources.pods, object };
}
