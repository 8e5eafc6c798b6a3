import { clusterOfExecutionNamespace } from "#api/cluster/namespaces.ts";
import type { ApiObject, ObjectMeta } from "#api/meta/object-meta.ts";
import type { PlannedClaim, PlannedObject, PlannedTarget, PlannedTemplate } from "#api/plan/plan-report.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { managedLabel } from "#api/work/work-keys.ts";
import { compareBytes } from "#base/byte-order.ts";
import { jsonEquals } from "#base/json.ts";
import { sortFew } from "#base/sort-few.ts";
import { targetClusters } from "#controllers/binding/decide-works.ts";
import { claimOf } from "#controllers/detector/claim.ts";
import { contentHash } from "#controllers/template-content.ts";
import type { Template } from "#selection/template.ts";
import { changedFields } from "./changed-fields.ts";
import type { ObjectDifference } from "./forked-caches.ts";
import type { MemberDifference } from "./forked-member.ts";
import type { Outcome } from "./outcome.ts";
import { waitsOf } from "./planned-waits.ts";
import { podEffects } from "./pod-effects.ts";

/** Everything that differs about one template. */
export interface TemplateEffects {
  readonly key: string;
  readonly about: Template;
  template?: ObjectDifference;
  binding?: ObjectDifference;
  readonly works: ObjectDifference[];
  readonly copies: MemberDifference[];
}

/** What would become of a template; undefined when nothing would that anybody notices. */
export function describeTemplate(effects: TemplateEffects, outcome: Outcome): PlannedTemplate | undefined {
  const { key, about, template, binding, works, copies } = effects;
  const { apiVersion, kind, namespace, name } = about;
  const bound = binding ?? unchanged(outcome.bindingOf(key));
  const before = targetsOf(bound.before);
  const clusters = { before, after: bound.after === bound.before ? before : targetsOf(bound.after) };
  const isPlacedAlike = jsonEquals(clusters.before, clusters.after);
  const edit = editOf(template);
  const policy = edit === "deleted" ? undefined : claimChange(template, outcome.log.rules.get(key));
  const objects = sortFew(
    copies.map((copy) => describeCopy(copy, works)),
    (a, b) => compareBytes(a.cluster, b.cluster),
  );
  const pending = waitsOf(effects, outcome);
  const follows = followedBy(bound.after);
  const moves = edit !== "deleted" && clusters.before.length > 0 && !isPlacedAlike;
  const isNews = edit !== undefined || policy !== undefined || moves || objects.length > 0 || pending.length > 0;
  if (!isNews && isPlacedAlike) return undefined;
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(edit && { edit }),
    ...(policy && { policy }),
    moves,
    clusters,
    objects,
    ...(follows.length > 0 && { follows }),
    pending,
  };
}

function unchanged(binding: Binding | undefined) {
  const object = binding as unknown as ApiObject | undefined; // as the cache has it
  return { before: object, after: object };
}

function editOf(template: ObjectDifference | undefined): PlannedTemplate["edit"] {
  if (template === undefined) return undefined;
  const { before, after } = template;
  if (before === undefined) return "created";
  if (after === undefined) return "deleted";
  return contentHash(before) === contentHash(after) ? undefined : "changed";
}

function claimChange(template: ObjectDifference | undefined, rule: string | undefined): PlannedClaim | undefined {
  const [before, after] = [claimText(template?.before?.metadata), claimText(template?.after?.metadata)];
  if (before === after) return undefined;
  return {
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(after === undefined || rule === undefined ? {} : { rule }),
  };
}

function claimText(metadata: ObjectMeta | undefined): string | undefined {
  const claim = metadata && claimOf(metadata);
  if (claim === undefined) return undefined;
  const { namespace, name } = claim;
  return namespace === undefined ? `ClusterPropagationPolicy ${name}` : `PropagationPolicy ${namespace}/${name}`;
}

function targetsOf(object: ApiObject | undefined): readonly PlannedTarget[] {
  const binding = object as unknown as Binding | undefined; // of either scope
  if (binding === undefined || binding.metadata.deletionTimestamp !== undefined) return [];
  return targetClusters(binding.spec).map(({ name, replicas }) =>
    replicas === undefined ? { name } : { name, replicas },
  );
}

function followedBy(object: ApiObject | undefined): readonly string[] {
  const { requiredBy = [] } = (object as unknown as Binding | undefined)?.spec ?? {}; // of either scope
  return requiredBy.map(({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`));
}

function describeCopy({ cluster, before, after }: MemberDifference, works: readonly ObjectDifference[]): PlannedObject {
  if (before === undefined) return { cluster, does: "creates" };
  const work = works.find((each) => clusterOf((each.after ?? each.before)!) === cluster);
  const sent = { before: manifestOf(work?.before), after: manifestOf(work?.after) };
  const { restarts, replicasDown } = podEffects({ before, after }, sent);
  const down = replicasDown > 0 ? { replicasDown } : {};
  if (after === undefined) return { cluster, does: "deletes", ...down };
  if (after.metadata.labels?.[managedLabel] !== "true") return { cluster, does: "releases" };
  const fields = changedFields(sent.before ?? before, sent.after ?? after);
  return { cluster, does: "changes", fields, ...(restarts && { restarts }), ...down };
}

function manifestOf(work: ApiObject | undefined): unknown {
  return (work as unknown as Work | undefined)?.spec.workload?.manifests?.[0]; // a work
}

/** The cluster that a work is for. */
export function clusterOf({ metadata }: ApiObject): string | undefined {
  return clusterOfExecutionNamespace(metadata.namespace ?? "");
}
