import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, namedText, notSupported } from "#base/field-error.ts";
import { compareQuantities, parseQuantity, printQuantity } from "#base/quantity.ts";
import { requirementErrors } from "../resource-amounts.ts";
import { isHugePages, resourceNameErrors } from "../resource-names.ts";
import { asSent } from "../sent-empty.ts";
import { containerRequests } from "./pod-level-requests.ts";
import { claimReferenceErrors } from "./resource-claim-rules.ts";

/** What is wrong with the resources of a pod as a whole, and with what its containers ask for beside them. */
export function podResourceErrors(spec: Fields, path: string, claims: ReadonlySet<string>): FieldError[] {
  const { resources } = spec;
  if (resources == null) return [];
  const at = `${path}.resources`;
  if (spec.os?.name === "windows") return [forbidden(at, "may not be set for a windows pod")];
  const own: readonly Fields[] = resources.claims ?? [];
  return [
    ...(asSent(resources, "claims") == null
      ? []
      : [forbidden(`${at}.claims`, "claims may not be set for Resources at pod-level")]),
    ...requirementErrors(at, resources, podResourceName),
    ...claimReferenceErrors(own, `${at}.claims`, claims),
    ...sumErrors(spec, at),
    ...containerLimitErrors(spec, at),
  ];
}

function podResourceName(path: string, name: string): FieldError[] {
  const errors = resourceNameErrors(path, name);
  if (errors.length > 0 || name === "cpu" || name === "memory" || isHugePages(name)) return errors;
  return [notSupported(path, namedText(name), ["cpu", "memory"])];
}

function sumErrors({ resources, ...spec }: Fields, path: string): FieldError[] {
  return [...containerRequests(spec)].flatMap(([name, sum]) => {
    const text = resources.requests?.[name];
    const asked = parseQuantity(String(text));
    if (text === undefined || asked === undefined || compareQuantities(sum, asked) <= 0) return [];
    const message = `must be greater than or equal to aggregate container requests of ${printQuantity(sum)}`;
    return [invalid(`${path}.requests[${name}]`, text, message)];
  });
}

function containerLimitErrors({ containers = [], resources }: Fields, path: string): FieldError[] {
  return containers.flatMap((container: Fields, index: number) =>
    Object.entries(container.resources?.limits ?? {}).flatMap(([name, text]) => {
      const bound = resources.limits?.[name];
      const [own, most] = [parseQuantity(String(text)), parseQuantity(String(bound))];
      if (own === undefined || most === undefined || compareQuantities(own, most) <= 0) return [];
      const message = `must be less than or equal to pod limits of ${bound}`;
      return [invalid(`${path}.containers[${index}][${name}].limits`, text, message)];
    }),
  );
}
