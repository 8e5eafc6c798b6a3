import type { ApiObject } from "#api/meta/object-meta.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { jsonEquals } from "#base/json.ts";
import { compileOverride, isUnselective, type OverrideCatalog } from "#controllers/binding/override-catalog.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import type { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import type { Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";

/** Templates whose content changed, by the keys of their bindings: works follow the template itself, no binding is written for it. */
export function watchBoundTemplates(templates: TemplateCatalog): Watch {
  return (enqueue) =>
    templates.subscribe(({ change: { before, after, initial } }) => {
      if (before === undefined || after === undefined || sameContent(before, after)) return;
      enqueue(boundBy(after), initial ? "background" : "user");
    });
}

function sameContent(before: ApiObject, after: ApiObject): boolean {
  const content = ({ metadata, status: _, ...rest }: ApiObject) => [rest, metadata.labels, metadata.annotations];
  return jsonEquals(content(before), content(after));
}

interface Concerned {
  readonly templates: TemplateCatalog;
  readonly bindings: readonly Informer<ApiObject>[];
}

/** An override policy that changed concerns the bindings of the templates that it means, found by index; or all in its reach. */
export function watchBindingOverrides(overrides: OverrideCatalog, { templates, bindings }: Concerned): Watch {
  return (enqueue) =>
    overrides.subscribe((policy) => {
      if (isUnselective(policy)) {
        const { namespace } = policy.metadata;
        const inReach = bindings
          .flatMap((informer) => [...informer.all()])
          .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
        for (const binding of inReach) enqueue(bindingKey(binding), "background");
        return;
      }
      for (const key of templates.candidatesFor(compileOverride(policy))) {
        const found = templates.get(key);
        if (found !== undefined) enqueue(boundBy(found.template), "background");
      }
    });
}

/** The key of a template's binding. */
function boundBy({ kind, metadata }: ApiObject): string {
  return `${metadata.namespace ?? ""}/${bindingNameOf({ kind, name: metadata.name })}`;
}
