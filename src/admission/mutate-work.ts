import type { Manifest } from "#api/meta/manifest.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import { managedAnnotationsAnnotation, managedLabelsAnnotation } from "#api/work/template-keys.ts";
import { workIdLabel } from "#api/work/work-keys.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { isJsonObject, member, mergeMembers } from "#base/json.ts";
import { KeyLists } from "./key-lists.ts";
import { setPermanentId } from "./permanent-id.ts";
import { objectIn } from "./raw-fields.ts";

/** A manifest without what only the control plane needs, or why it cannot be told. */
export type PruneManifest = (
  manifest: Manifest,
) => { readonly ok: true; readonly value: Manifest } | { readonly ok: false; readonly message: string };

export interface WorkMutation {
  /** For a work that has none. */
  readonly id: string;
  readonly prune: PruneManifest;
  /** Remembered from one work to the next, where there are many. */
  readonly lists?: KeyLists;
}

/**
 * Completes a work in place: its permanent id if it has none; manifests without what no member may see, with the work's id and the
 * list of keys that are ours there. What is no manifest is answered.
 */
export function mutateWork(work: Draft, { id, prune, lists = new KeyLists() }: WorkMutation): FieldError[] {
  setPermanentId(work.metadata, { label: workIdLabel, id, keep: true });
  const workId = work.metadata.labels?.[workIdLabel] ?? id;
  const workload: Fields | undefined = objectIn(objectIn(work, "spec"), "workload");
  if (!Array.isArray(workload?.["manifests"])) return [];
  const errors: FieldError[] = [];
  workload["manifests"] = workload["manifests"].map((manifest: unknown, index: number) => {
    const result = renderManifest(manifest, { path: `spec.workload.manifests[${index}]`, prune, workId, lists });
    errors.push(...result.errors);
    return result.manifest;
  });
  return errors;
}

interface Rendering {
  readonly path: string;
  readonly prune: PruneManifest;
  readonly workId: string;
  readonly lists: KeyLists;
}

function renderManifest(
  manifest: unknown,
  { path, prune, workId, lists }: Rendering,
): { readonly manifest: unknown; readonly errors: readonly FieldError[] } {
  if (!isJsonObject(manifest)) return { manifest, errors: [] }; // printed so in the proposals; reported when it is applied
  const { kind, metadata = {} } = manifest;
  if (typeof kind !== "string" || kind === "") return { manifest, errors: [required(`${path}.kind`)] };
  if (!isJsonObject(metadata))
    return { manifest, errors: [invalid(`${path}.metadata`, metadata, "must be an object")] };
  const whole = metadata === manifest["metadata"] ? manifest : { ...manifest, metadata };
  const pruned = prune(whole as unknown as Manifest); // its kind and metadata are there
  if (!pruned.ok) return { manifest, errors: [invalid(path, undefined, pruned.message)] };
  return { manifest: withManagedKeys(pruned.value, { workId, lists }), errors: [] };
}

/** The lists of keys name themselves, and the work's id among the labels: whatever they leave out is the member's own. */
function withManagedKeys(manifest: Manifest, { workId, lists }: Pick<Rendering, "workId" | "lists">): Manifest {
  const { metadata } = manifest;
  const labels = mergeMembers(textsIn(metadata, "labels"), { [workIdLabel]: workId });
  const annotations = textsIn(metadata, "annotations");
  const annotationKeys = [...listAnnotations];
  for (const key in annotations) if (!listAnnotations.includes(key)) annotationKeys.push(key);
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels,
      annotations: mergeMembers(annotations, {
        [managedAnnotationsAnnotation]: lists.of(annotationKeys),
        [managedLabelsAnnotation]: lists.of(Object.keys(labels)),
      }),
    },
  };
}

/** Values are copied as they are: a member refuses what is no text. */
function textsIn(metadata: object, key: string): Readonly<Record<string, string>> {
  const value = member(metadata, key);
  return isJsonObject(value) ? (value as Record<string, string>) : {}; // see above
}

const listAnnotations: readonly string[] = [managedAnnotationsAnnotation, managedLabelsAnnotation];
