import { labelRequirementsOf, selectsLabels } from "#api/meta/label-selector.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { dependenciesAnnotation } from "#api/work/binding-keys.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Dependency } from "#interpreter/dependencies.ts";
import { readDependencyList } from "./dependency-list.ts";
import { type Candidate, type Referrer, whyNotToFollow } from "./may-follow.ts";

/**
 * A referrer is a binding whose dependencies follow it; what they are stands in its annotation. A follower, or attached binding, is the
 * binding of such a dependency; whom it follows stands in `requiredBy`.
 */
export function isReferrer({ metadata, spec }: Binding): boolean {
  return spec.propagateDeps === true && metadata.deletionTimestamp === undefined && (spec.clusters ?? []).length > 0;
}

/** What a binding says its template needs. */
export function dependenciesIn({ metadata }: Pick<ApiObject, "metadata">): readonly Dependency[] {
  return readDependencyList(metadata.annotations?.[dependenciesAnnotation]);
}

/** For the informers of bindings: where a referrer is found from what it needs. */
export function dependencySlotsOf(binding: ApiObject): readonly string[] {
  return dependenciesIn(binding).map(slotOf);
}

/** For the informers of bindings: the keys of the bindings that one follows. */
export function followedBy(binding: ApiObject): readonly string[] {
  const { requiredBy = [] } = (binding as unknown as Binding).spec; // the informer's kind
  return requiredBy.map(({ namespace = "", name }) => `${namespace}/${name}`);
}

/** Where the referrers of an object may be: by its name, by each of its labels, or by a selector that names no value. */
export function slotsOfObject({ apiVersion, kind, metadata }: ApiObject): readonly string[] {
  const { namespace = "", name, labels = {} } = metadata;
  const type = `${apiVersion} ${kind} ${namespace}`;
  return [`${type}/${name}`, `${type}?`, ...Object.entries(labels).map(([key, value]) => `${type}?${key}=${value}`)];
}

/** Whether an object may follow a binding's template. */
export function mayFollow(object: ApiObject, binding: Binding): boolean {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name } = metadata;
  const secretType = typeof object["type"] === "string" ? object["type"] : undefined;
  return whyNotToFollow({ apiVersion, kind, namespace, name, secretType }, referrerOf(binding)) === undefined;
}

/** Whether a binding's template needs this very object, and may have it follow. */
export function needsObject(binding: Binding, object: ApiObject): boolean {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, labels } = metadata;
  if (!mayFollow(object, binding)) return false;
  return dependenciesIn(binding).some(
    (each) =>
      each.apiVersion === apiVersion &&
      each.kind === kind &&
      each.namespace === namespace &&
      (each.name === undefined ? selectsLabels(each.labelSelector, labels) : each.name === name),
  );
}

/** A binding as the rules about following see it. */
export function referrerOf({ metadata, spec }: Binding): Referrer {
  const { apiVersion, kind, namespace, name } = spec.resource;
  const template: Candidate = { apiVersion, kind, namespace: namespace || undefined, name };
  return { namespace: metadata.namespace, template };
}

function slotOf({ apiVersion, kind, namespace = "", name, labelSelector = {} }: Dependency): string {
  const type = `${apiVersion} ${kind} ${namespace}`;
  if (name !== undefined) return `${type}/${name}`;
  const telling = labelRequirementsOf(labelSelector).find(
    ({ operator, values }) => (operator === "=" || operator === "in") && values.length === 1,
  );
  return telling === undefined ? `${type}?` : `${type}?${telling.key}=${telling.values[0]}`;
}
