import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Override } from "#api/policy/override-policy.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { jsonEquals } from "#base/json.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import type { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import type { Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { compilePolicy } from "#selection/policy-match.ts";

/** Templates whose content changed, by the keys of their bindings: works follow the template itself, no binding is written for it. */
export function watchBoundTemplates(templates: TemplateCatalog): Watch {
  return (enqueue) =>
    templates.subscribe(({ change: { before, after, initial } }) => {
      if (initial || before === undefined || after === undefined || sameContent(before, after)) return;
      const { namespace, name } = after.metadata;
      enqueue(`${namespace ?? ""}/${bindingNameOf({ kind: after.kind, name })}`, "user");
    });
}

function sameContent(before: ApiObject, after: ApiObject): boolean {
  const content = ({ metadata, status: _, ...rest }: ApiObject) => [rest, metadata.labels, metadata.annotations];
  return jsonEquals(content(before), content(after));
}

/** An override policy that changed concerns the bindings of the kinds it selects, or all where it selects everything. */
export function watchBindingOverrides(
  overrides: readonly Informer<ApiObject>[],
  bindings: readonly Informer<ApiObject>[],
): Watch {
  return (enqueue) => {
    const stops = overrides.map((informer) =>
      informer.subscribe(({ before, after, initial }) => {
        if (initial || before?.metadata.generation === after?.metadata.generation) return;
        const concerned = [before, after].filter((each) => each !== undefined) as unknown as Override[]; // the informers' kinds
        for (const binding of bindings.flatMap((each) => [...each.all()]) as unknown as Binding[]) {
          if (concerned.some((policy) => mayConcern(policy, binding))) enqueue(bindingKey(binding), "background");
        }
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  };
}

function mayConcern(policy: Override, { metadata, spec }: Binding): boolean {
  if (policy.metadata.namespace !== undefined && policy.metadata.namespace !== metadata.namespace) return false;
  const { selectors } = compilePolicy({ spec: { resourceSelectors: policy.spec.resourceSelectors ?? [] } });
  return (
    selectors.length === 0 ||
    selectors.some(({ apiVersion, kind }) => apiVersion === spec.resource.apiVersion && kind === spec.resource.kind)
  );
}
