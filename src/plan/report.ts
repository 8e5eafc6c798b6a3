import type { ApiObject } from "#api/meta/object-meta.ts";
import type { PlannedTemplate, PlanReport, PlanTotals } from "#api/plan/plan-report.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Work, Works } from "#api/work/work.ts";
import { compareBytes } from "#base/byte-order.ts";
import { isPropagatable, isSkippedNamespace } from "#controllers/detector/propagatable.ts";
import { templateKey, templateOf } from "#selection/template.ts";
import { describeTemplate, type TemplateEffects } from "./describe-template.ts";
import type { ObjectDifference } from "./forked-caches.ts";
import type { Outcome } from "./outcome.ts";

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
function effectsOf({ objects, members }: Outcome): ReadonlyMap<string, TemplateEffects> {
  const effects = new Map<string, TemplateEffects>();
  const of = (key: string): TemplateEffects => {
    const known = effects.get(key);
    if (known !== undefined) return known;
    const fresh = { key, works: [], copies: [] };
    effects.set(key, fresh);
    return fresh;
  };
  for (const difference of objects) {
    const object = (difference.after ?? difference.before)!;
    if (bindingKinds.has(object.kind)) of(boundKey(object)).binding = difference;
    else if (object.kind === Works.kind) of(carriedKey(object)).works.push(difference);
    else if (isTemplate(difference, object)) of(templateKey(templateOf(object))).template = difference;
  }
  for (const difference of members)
    of(templateKey(templateOf((difference.after ?? difference.before)!))).copies.push(difference);
  return effects;
}

function isTemplate({ resource }: ObjectDifference, { kind, metadata }: ApiObject): boolean {
  return isPropagatable(resource) && !isSkippedNamespace(kind === "Namespace" ? metadata.name : metadata.namespace);
}

function boundKey(binding: ApiObject): string {
  const { apiVersion, kind, namespace, name } = (binding as unknown as Binding).spec.resource; // of either scope
  return templateKey({ apiVersion, kind, name, ...(namespace ? { namespace } : {}) });
}

function carriedKey(work: ApiObject): string {
  const [manifest] = (work as unknown as Work).spec.workload?.manifests ?? []; // a work
  return templateKey(templateOf(manifest as unknown as ApiObject)); // one whole manifest each
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
