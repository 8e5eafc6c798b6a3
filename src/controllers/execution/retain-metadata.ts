import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { managedAnnotationsAnnotation, managedLabelsAnnotation } from "#api/work/template-keys.ts";

type Texts = Readonly<Record<string, string>>;

/**
 * The metadata that a member's object shall have: ours, with what the member itself put there. Keys that we once sent and no longer
 * send go; the lists of keys on the object tell which those are.
 */
export function retainMetadata(desired: Manifest, { metadata }: ApiObject): Manifest {
  const { finalizers, ownerReferences, labels = {}, annotations = {} } = metadata;
  const once = (list: string) => new Set((annotations[list] ?? "").split(",").filter((key) => key !== ""));
  return {
    ...desired,
    metadata: {
      ...desired.metadata,
      labels: merged(labels, desired.metadata.labels ?? {}, once(managedLabelsAnnotation)),
      annotations: merged(annotations, desired.metadata.annotations ?? {}, once(managedAnnotationsAnnotation)),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
  };
}

function merged(present: Texts, wanted: Texts, ours: ReadonlySet<string>): Texts {
  const theirs = Object.entries(present).filter(([key]) => !ours.has(key));
  return { ...Object.fromEntries(theirs), ...wanted };
}
