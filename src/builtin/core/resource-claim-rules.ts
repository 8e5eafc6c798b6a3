import { dnsLabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, notFound, required } from "#base/field-error.ts";
import { goValue } from "../go-findings.ts";
import { isMissing, textErrors } from "../value-rules.ts";

/** What is wrong with the resource claims of a pod. */
export function podClaimErrors(claims: readonly Fields[], path: string): FieldError[] {
  const names = new Set<string>();
  return claims.flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    const errors = isMissing(name) ? [required(`${at}.name`)] : [];
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else if (!isMissing(name)) errors.push(...textErrors(`${at}.name`, name, dnsLabelErrors));
    if (!isMissing(name)) names.add(name);
    const shown = goValue("core.PodResourceClaim", claim);
    if (resourceClaimName != null && resourceClaimTemplateName != null) {
      const message = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
      errors.push(invalid(at, shown, message));
    }
    if (resourceClaimName == null && resourceClaimTemplateName == null) {
      errors.push(invalid(at, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
    }
    for (const field of ["resourceClaimName", "resourceClaimTemplateName"]) {
      if (claim[field] != null) errors.push(...textErrors(`${at}.${field}`, claim[field], dnsSubdomainErrors));
    }
    return errors;
  });
}

/** What is wrong with the claims that resources refer to; `known` are those of the pod. */
export function claimReferenceErrors(
  claims: readonly Fields[],
  path: string,
  known: ReadonlySet<string>,
): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap(({ name = "", request = "" }, index) => {
    const at = `${path}[${index}]`;
    if (name === "") return [required(at)];
    return [...repeatErrors({ name, request, at }, seen), ...(known.has(name) ? [] : [missing(at, name, known)])];
  });
}

/** A whole claim and a request of it overlap. */
function repeatErrors(
  { name, request, at }: { readonly name: string; readonly request: string; readonly at: string },
  seen: Set<string>,
): FieldError[] {
  if (seen.has(name)) return [duplicate(at, name)];
  const errors = request === "" ? [] : textErrors(`${at}.request`, request, dnsLabelErrors);
  const key = request === "" ? name : `${name}/${request}`;
  if (seen.has(key)) errors.push(duplicate(at, key));
  else if (request === "") {
    for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name));
  }
  seen.add(key);
  return errors;
}

function missing(path: string, name: string, known: ReadonlySet<string>): FieldError {
  const names = known.size === 0 ? " which is empty" : `: ${[...known].toSorted().join(", ")}`;
  return { ...notFound(path, name), detail: `must be one of the names in pod.spec.resourceClaims${names}` };
}
