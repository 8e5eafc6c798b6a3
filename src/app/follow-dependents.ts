import type { Manifest } from "#api/meta/manifest.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import { isReferrer } from "#controllers/dependencies/referrers.ts";
import { podLabelsOf } from "#interpreter/dependents.ts";
import type { PipelineCaches } from "./pipeline-caches.ts";
import { templateOfBinding } from "./pipeline-controllers.ts";

/** Fills the index of what follows pods as the controllers would by working, for those who only look. */
export function followDependents(caches: PipelineCaches): void {
  const { templates, bindings, dependents } = caches;
  templates.subscribe(({ change }) => void dependents.accept(change));
  for (const object of bindings.flatMap((informer) => [...informer.all()])) {
    const binding = object as unknown as Binding; // the cache's kind
    const { namespace } = binding.metadata;
    const template = isReferrer(binding) ? templateOfBinding(caches, binding)?.template : undefined;
    const podLabels = template && podLabelsOf(template as unknown as Manifest); // an object with its identity
    if (podLabels !== undefined && namespace !== undefined)
      dependents.follow(bindingKey(object), { namespace, podLabels });
  }
}
