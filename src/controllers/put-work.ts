import { resourceOf } from "#api/kind.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { managedAnnotationsAnnotation, managedLabelsAnnotation } from "#api/work/template-keys.ts";
import { type Work, Works } from "#api/work/work.ts";
import { workIdLabel } from "#api/work/work-keys.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client, NewObject } from "#client/client.ts";

const works = resourceOf(Works);

/**
 * Makes a work as it should be with one write, or none when it is so. Labels and annotations are merged (others may have theirs), the
 * spec is replaced.
 */
export async function putWork(client: Client, wanted: Work, present: Work | undefined): Promise<void> {
  if (present === undefined) {
    await client.create(works, wanted as unknown as NewObject); // as rendered
    return;
  }
  const { labels, annotations, finalizers } = wanted.metadata;
  const next = {
    ...present,
    metadata: {
      ...present.metadata,
      ...(labels === undefined ? {} : { labels: { ...present.metadata.labels, ...labels } }),
      annotations: { ...present.metadata.annotations, ...annotations },
      finalizers: [...new Set([...(present.metadata.finalizers ?? []), ...(finalizers ?? [])])].toSorted(),
    },
    spec: wanted.spec,
  };
  if (
    jsonEquals(withoutAdmissionMarks(next.spec), withoutAdmissionMarks(present.spec)) &&
    jsonEquals(next.metadata, present.metadata)
  )
    return;
  await client.update(works, next as unknown as ApiObject); // a Work
}

const markLabels: ReadonlySet<string> = new Set([workIdLabel]);
const markAnnotations: ReadonlySet<string> = new Set([managedAnnotationsAnnotation, managedLabelsAnnotation]);

/** Admission writes marks of its own into the manifests; they say nothing about whether the work is as it should be. */
function withoutAdmissionMarks({ workload, ...spec }: Work["spec"]): unknown {
  const without = (map: Fields | undefined, keys: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !keys.has(key)));
  const manifests = (workload?.manifests ?? []).map((each) => {
    const { metadata = {}, ...rest } = each as Fields; // an object, or else compared as it is
    return {
      ...rest,
      metadata: {
        ...metadata,
        labels: without(metadata.labels, markLabels),
        annotations: without(metadata.annotations, markAnnotations),
      },
    };
  });
  return { ...spec, manifests };
}
