import type { ResourceInterpreterCustomization } from "#api/config/resource-interpreter-customization.ts";
import { type FieldError, forbidden } from "#base/field-error.ts";

/** What several customizations may say of one kind: dependencies add up. */
const shareable: ReadonlySet<string> = new Set(["dependencyInterpretation"]);

/** What a customization says that another one says already of the same kind: nobody could tell which of the two counts. */
export function customizationErrors(
  { metadata, spec }: ResourceInterpreterCustomization,
  others: readonly ResourceInterpreterCustomization[],
): FieldError[] {
  const rivals = others.filter(
    (other) =>
      other.metadata.name !== metadata.name &&
      other.spec.target.apiVersion === spec.target.apiVersion &&
      other.spec.target.kind === spec.target.kind,
  );
  return scriptsOf(spec.customizations).flatMap((operation) => {
    const rival = rivals.find((other) => scriptsOf(other.spec.customizations).includes(operation));
    if (rival === undefined || shareable.has(operation)) return [];
    const detail = `conflicting with ResourceInterpreterCustomization(${rival.metadata.name}), which defines it for the same kind`;
    return [forbidden(`spec.customizations.${operation}`, detail)];
  });
}

function scriptsOf(customizations: ResourceInterpreterCustomization["spec"]["customizations"]): string[] {
  return Object.entries(customizations).flatMap(([operation, script]) => (script?.luaScript ? [operation] : []));
}
