import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { jsonEquals } from "#base/json.ts";
import { bindingAt } from "#controllers/binding-informers.ts";
import { referrersOf } from "#controllers/dependencies/attached-binding-controller.ts";
import { isAttached } from "#controllers/dependencies/decide-attached-binding.ts";
import type { DependentsIndex } from "#controllers/dependencies/dependents-index.ts";
import type { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import type { Dependency } from "#interpreter/dependencies.ts";
import type { Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { compilePolicy } from "#selection/policy-match.ts";
import { watchBoundTemplates } from "./pipeline-watches.ts";

interface Known {
  readonly templates: TemplateCatalog;
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
}

/** Templates whose content changed, by the keys of those of their bindings whose dependencies follow. */
export function watchReferrerTemplates({ templates, bindings }: Known): Watch {
  return (enqueue) =>
    watchBoundTemplates(templates)((key, lane) => {
      if (bindingAt(bindings, key)?.spec.propagateDeps === true) enqueue(key, lane);
    });
}

/** Services and Ingresses that changed, by the keys of the bindings whose pods they concern. */
export function watchDependents(index: DependentsIndex, templates: TemplateCatalog): Watch {
  return (enqueue) =>
    templates.subscribe(({ change }) => {
      for (const key of index.accept(change)) enqueue(key, change.initial ? "background" : "user");
    });
}

/** Objects that appeared or changed their labels, by their keys, where somebody needs them or did. */
export function watchDependencies({ templates, bindings }: Known): Watch {
  return (enqueue) =>
    templates.subscribe(({ key, change: { before, after, initial } }) => {
      if (after === undefined) return; // its binding is its own and goes with it
      if (before !== undefined && jsonEquals(before.metadata.labels, after.metadata.labels)) return;
      const { namespace, name } = after.metadata;
      const binding = bindingAt(bindings, `${namespace ?? ""}/${bindingNameOf({ kind: after.kind, name })}`);
      const isKnown = binding !== undefined && isAttached(binding);
      if (isKnown || referrersOf(bindings, after).length > 0) enqueue(key, initial ? "background" : "user");
    });
}

/** Keys of the objects that a dependency on labels may mean, found by a label that it asks for, else in its namespace. */
export function objectsSelectedBy(
  templates: TemplateCatalog,
  { apiVersion, kind, namespace, labelSelector = {} }: Dependency,
): readonly string[] {
  const isTelling = Object.keys(labelSelector.matchLabels ?? {}).length > 0;
  const selector = { apiVersion, kind, labelSelector, ...(isTelling || namespace === undefined ? {} : { namespace }) };
  const asPolicy = { metadata: {}, spec: { resourceSelectors: [selector] } } as unknown as Policy; // all that the index reads
  return templates.candidatesFor(compilePolicy(asPolicy));
}
