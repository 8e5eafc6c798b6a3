import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { managedAnnotationsAnnotation, managedLabelsAnnotation } from "#api/work/template-keys.ts";
import { mergeMembers, setMember } from "#base/json.ts";

type Texts = Readonly<Record<string, string>>;

/**
 * The metadata that a member's object shall have: ours, with what the member itself put there. Keys that we once sent and no longer
 * send go; the lists of keys on the object tell which those are.
 */
export function retainMetadata(desired: Manifest, { metadata }: ApiObject): Manifest {
  const { finalizers, ownerReferences, labels = {}, annotations = {} } = metadata;
  const own = desired.metadata;
  return mergeMembers<unknown>(desired, {
    metadata: mergeMembers<unknown>(
      own,
      {
        labels: merged(labels, { wanted: own.labels ?? {}, once: annotations[managedLabelsAnnotation] }),
        annotations: merged(annotations, {
          wanted: own.annotations ?? {},
          once: annotations[managedAnnotationsAnnotation],
        }),
      },
      finalizers === undefined ? undefined : { finalizers },
      ownerReferences === undefined ? undefined : { ownerReferences },
    ),
  }) as unknown as Manifest; // with its identity as it was
}

interface OurKeys {
  readonly wanted: Texts;
  /** The keys that we sent, joined by commas, which no key can have. */
  readonly once: string | undefined;
}

function merged(present: Texts, { wanted, once = "" }: OurKeys): Texts {
  let theirs: Record<string, string> | undefined;
  for (const key in present) {
    if (Object.hasOwn(wanted, key) || `,${once},`.includes(`,${key},`)) continue;
    theirs ??= {};
    setMember(theirs, key, present[key]);
  }
  return theirs === undefined ? wanted : mergeMembers(theirs, wanted);
}
