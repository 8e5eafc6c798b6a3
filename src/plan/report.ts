import type { ApiObject } from "#api/meta/object-meta.ts";
import type { PlannedTemplate, PlanReport, PlanTotals } from "#api/plan/plan-report.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Work, Works } from "#api/work/work.ts";
import { compareBytes } from "#base/byte-order.ts";
import { isPropagatable, isSkippedNamespace } from "#controllers/detector/propagatable.ts";
import { type Template, templateKey, templateOf } from "#selection/template.ts";
import { clusterOf, describeTemplate, type TemplateEffects } from "./describe-template.ts";
import type { ObjectDifference } from "./forked-caches.ts";
import type { Outcome } from "./outcome.ts";
import { isHeld } from "./planned-waits.ts";

const bindingKinds: ReadonlySet<string> = new Set([ResourceBindings.namespaced.kind, ResourceBindings.cluster.kind]);

/** What an outcome means to people: template by template, the totals first. */
export function reportOf(outcome: Outcome): PlanReport {
  const effects = effectsOf(outcome);
  const templates = [...effects.values()]
    .flatMap((each) => describeTemplate(each, outcome) ?? [])
    .map((template) => ({ template, order: orderOf(template) }))
    .sort((a, b) => compareBytes(a.order, b.order))
    .map(({ template }) => template);
  return { totals: totalsOf(templates), edits: outcome.edits, templates };
}

/** Everything that differs, by the key of the template that it is about: an object keeps its identity wherever it goes. */
function effectsOf(outcome: Outcome): ReadonlyMap<string, TemplateEffects> {
  const { objects, members } = outcome;
  const effects = new Map<string, TemplateEffects>();
  const of = (about: Template): TemplateEffects => {
    const key = templateKey(about);
    const known = effects.get(key);
    if (known !== undefined) return known;
    const fresh = { key, about, works: [], copies: [] };
    effects.set(key, fresh);
    return fresh;
  };
  const isTelling = tellingWorks(outcome);
  for (const difference of objects) {
    const object = (difference.after ?? difference.before)!;
    if (bindingKinds.has(object.kind)) of(boundBy(object)).binding = difference;
    else if (object.kind === Works.kind) {
      if (isTelling(difference)) of(carriedBy(object)).works.push(difference);
    } else if (isTemplate(difference, object)) of(templateOf(object)).template = difference;
  }
  for (const difference of members) of(templateOf((difference.after ?? difference.before)!)).copies.push(difference);
  return effects;
}

/** Which works say more of a template than its copies do: those that are held, and those whose copy may have become another. */
function tellingWorks(outcome: Outcome): (work: ObjectDifference) => boolean {
  const changing = new Set<string>();
  for (const { cluster, before, after } of outcome.members)
    if (before !== undefined && after !== undefined) changing.add(cluster);
  return (work) => work.after !== undefined && (changing.has(clusterOf(work.after) ?? "") || isHeld(work, outcome));
}

function isTemplate({ resource }: ObjectDifference, { kind, metadata }: ApiObject): boolean {
  return isPropagatable(resource) && !isSkippedNamespace(kind === "Namespace" ? metadata.name : metadata.namespace);
}

function boundBy(binding: ApiObject): Template {
  const { apiVersion, kind, namespace, name } = (binding as unknown as Binding).spec.resource; // of either scope
  return namespace ? { apiVersion, kind, name, namespace } : { apiVersion, kind, name };
}

function carriedBy(work: ApiObject): Template {
  const manifest = (work as unknown as Work).spec.workload?.manifests?.[0]; // a work
  return templateOf(manifest as unknown as ApiObject); // one whole manifest each
}

function orderOf({ kind, namespace = "", name }: PlannedTemplate): string {
  return `${namespace}\n${kind}\n${name}`;
}

function totalsOf(templates: readonly PlannedTemplate[]): PlanTotals {
  const count = { creates: 0, changes: 0, deletes: 0, releases: 0 };
  let [restarts, down] = [0, 0];
  for (const { objects } of templates)
    for (const { does, restarts: isRestarted, replicasDown = 0 } of objects) {
      count[does]++;
      if (isRestarted) restarts++;
      down += replicasDown;
    }
  return {
    templates: templates.length,
    claims: templates.filter(({ policy }) => policy?.before !== policy?.after).length,
    moves: templates.filter((each) => each.moves).length,
    creates: count.creates,
    changes: count.changes + count.releases,
    deletes: count.deletes,
    restarts,
    replicasDown: down,
    pending: templates.filter(({ pending }) => pending.length > 0).length,
  };
}
