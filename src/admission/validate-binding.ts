import { dependenciesAnnotation } from "#api/work/binding-keys.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "#base/field-error.ts";

/** What is wrong with a binding of either scope. */
export function bindingErrors(binding: Binding, { components }: { readonly components: boolean }): FieldError[] {
  return [...annotationErrors(binding), ...(components ? componentErrors(binding) : [])];
}

/** What is wrong with what a binding is of: it speaks of its own namespace alone, and a cluster-scoped one of none. */
export function boundNamespaceErrors({ metadata, spec }: Binding): FieldError[] {
  const { resource } = (spec as Partial<Binding["spec"]> | undefined) ?? {}; // the proposals print bindings without a spec
  const { namespace } = metadata;
  const path = "spec.resource.namespace";
  const bound = resource?.namespace ?? "";
  const namesNothing = bound === "" && !resource?.name;
  if (namesNothing || bound === (namespace ?? "")) return [];
  return namespace === undefined
    ? [forbidden(path, "a ClusterResourceBinding is of a cluster-scoped object")]
    : [invalid(path, bound, `must be the namespace of the binding, ${JSON.stringify(namespace)}`)];
}

function annotationErrors({ metadata }: Binding): FieldError[] {
  const text = metadata.annotations?.[dependenciesAnnotation];
  if (text === undefined || isJson(text)) return [];
  return [invalid(`metadata.annotations.${dependenciesAnnotation}`, text, "annotation value must be a valid JSON")];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function componentErrors({ spec }: Binding): FieldError[] {
  const seen = new Set<string>();
  return (spec.components ?? []).flatMap(({ name }, index) => {
    const path = `spec.components[${index}].name`;
    if (!name) return [required(path, "a component needs a name")];
    const isSecond = seen.has(name);
    seen.add(name);
    return isSecond ? [duplicate(path, name)] : [];
  });
}
