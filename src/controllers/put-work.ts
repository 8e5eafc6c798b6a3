import { resourceOf } from "#api/kind.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { managedAnnotationsAnnotation, managedLabelsAnnotation } from "#api/work/template-keys.ts";
import { type Work, Works } from "#api/work/work.ts";
import { workIdLabel } from "#api/work/work-keys.ts";
import { isJsonObject, jsonEquals, jsonEqualsBut, member, mergeMembers, setMember } from "#base/json.ts";
import type { Client, NewObject } from "#client/client.ts";

const works = resourceOf(Works);

/** Works of one thing do not depend on each other, and those for a hundred members would each wait for the one before to be on disk. */
export const worksAtOnce = 16;

/**
 * Makes a work as it should be with one write, or none when it is so. Labels and annotations are merged (others may have theirs), the
 * spec is replaced.
 */
export function putWork(client: Client, wanted: Work, present: Work | undefined): Promise<unknown> | undefined {
  if (present === undefined) return client.create(works, wanted as unknown as NewObject); // as rendered
  const spec = sharingManifests(wanted.spec, present.spec);
  if (isAsWanted({ metadata: wanted.metadata, spec }, present)) return undefined;
  const { labels, annotations, finalizers } = wanted.metadata;
  const next = {
    ...present,
    metadata: {
      ...present.metadata,
      ...(labels === undefined ? {} : { labels: withMembers(present.metadata.labels, labels) }),
      annotations: withMembers(present.metadata.annotations, annotations),
      finalizers: withAll(present.metadata.finalizers ?? [], finalizers ?? []),
    },
    spec,
  };
  return client.update(works, next as unknown as ApiObject); // a Work
}

/** The very same where it has all of them. */
function withMembers(present: Texts | undefined, wanted: Texts | undefined): Texts {
  return present !== undefined && includes(present, wanted) ? present : mergeMembers(present, wanted);
}

function withAll(present: readonly string[], wanted: readonly string[]): readonly string[] {
  return wanted.every((each) => present.includes(each)) ? present : [...new Set([...present, ...wanted])].toSorted();
}

/** What of the manifests is as it was is what it was, the very same: whoever compares them later sees at once. */
function sharingManifests(wanted: Work["spec"], present: Work["spec"]): Work["spec"] {
  const were = present.workload?.manifests ?? [];
  const manifests = wanted.workload?.manifests?.map((each, index) => sharing(each, were[index]));
  return manifests === undefined ? wanted : { ...wanted, workload: { ...wanted.workload, manifests } };
}

function sharing<T>(wanted: T, present: unknown): T {
  if (!isJsonObject(wanted) || !isJsonObject(present)) return wanted;
  const shared: Record<string, unknown> = {};
  for (const key in wanted) {
    const was = member(present, key);
    setMember(shared, key, jsonEquals(wanted[key], was) ? was : wanted[key]);
  }
  return shared as T; // equal to what is wanted
}

const workload: ReadonlySet<string> = new Set(["workload"]);
const metadataOf: ReadonlySet<string> = new Set(["metadata"]);
const keysOf: ReadonlySet<string> = new Set(["labels", "annotations"]);
const markLabels: ReadonlySet<string> = new Set([workIdLabel]);
const markAnnotations: ReadonlySet<string> = new Set([managedAnnotationsAnnotation, managedLabelsAnnotation]);

function isAsWanted(
  { metadata, spec }: Pick<Work, "metadata" | "spec">,
  { metadata: has, spec: present }: Work,
): boolean {
  return (
    includes(has.labels, metadata.labels) &&
    includes(has.annotations, metadata.annotations) &&
    (metadata.finalizers ?? []).every((each) => has.finalizers?.includes(each)) &&
    jsonEqualsBut(spec, present, workload) &&
    sameManifests(spec.workload?.manifests ?? [], present.workload?.manifests ?? [])
  );
}

type Texts = Readonly<Record<string, string>>;

function includes(present: Texts = {}, wanted: Texts = {}): boolean {
  for (const key in wanted) if (member(present, key) !== member(wanted, key)) return false;
  return true;
}

/** Admission writes marks of its own into the manifests; they say nothing about whether the work is as it should be. */
function sameManifests(wanted: readonly unknown[], present: readonly unknown[]): boolean {
  return wanted.length === present.length && wanted.every((each, index) => isSameManifest(each, present[index]));
}

function isSameManifest(wanted: unknown, present: unknown): boolean {
  if (!isJsonObject(wanted) || !isJsonObject(present)) return jsonEquals(wanted, present);
  if (!jsonEqualsBut(wanted, present, metadataOf)) return false;
  const { metadata: now = {} } = wanted as Fields;
  const { metadata: was = {} } = present as Fields;
  return (
    jsonEqualsBut(now, was, keysOf) &&
    jsonEqualsBut(now.labels ?? {}, was.labels ?? {}, markLabels) &&
    jsonEqualsBut(now.annotations ?? {}, was.annotations ?? {}, markAnnotations)
  );
}
