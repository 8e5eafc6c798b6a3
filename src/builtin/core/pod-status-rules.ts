import { dnsLabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, forbidden, invalid, namedText, required } from "#base/field-error.ts";
import { immutableName, isMissing, textErrors } from "../value-rules.ts";
import { containerStateErrors, containerStatusErrors } from "./container-status-rules.ts";
import { hostIpErrors, podIpErrors } from "./pod-ip-rules.ts";

/** What is wrong with the status of a pod. */
export function podStatusErrors({ spec, status: sent }: Fields, old: Fields): FieldError[] {
  const status: Fields = sent ?? {};
  const before: Fields = old.status ?? {};
  return [
    ...conditionErrors(status.conditions ?? []),
    ...nominationErrors(status.nominatedNodeName, old),
    ...generationErrors("status.observedGeneration", status.observedGeneration),
    ...immutableName("status.qosClass", status.qosClass, before.qosClass),
    ...containerStateErrors(status, before, spec),
    ...claimErrors(status.resourceClaimStatuses ?? [], spec.resourceClaims ?? []),
    ...extendedClaimErrors(status.extendedResourceClaimStatus, spec),
    ...podIpErrors(status, before),
    ...hostIpErrors(status, before),
    ...containerStatusErrors(status, spec),
  ];
}

const systemConditions = ["PodScheduled", "Ready", "Initialized"];

/** Upstream names the type in capitals. */
function conditionErrors(conditions: readonly Fields[]): FieldError[] {
  return conditions.flatMap(({ type = "", observedGeneration }, index) => {
    const at = `status.conditions[${index}]`;
    return [
      ...generationErrors(`${at}.observedGeneration`, observedGeneration),
      ...(systemConditions.includes(type) ? [] : textErrors(`${at}.Type`, type, qualifiedNameErrors)),
    ];
  });
}

function generationErrors(path: string, generation: unknown): FieldError[] {
  return Number(generation ?? 0) < 0 ? [invalid(path, generation, "must be a non-negative integer")] : [];
}

function nominationErrors(name: string | undefined, old: Fields): FieldError[] {
  const path = "status.nominatedNodeName";
  if (name === undefined || isMissing(name) || name === old.status?.nominatedNodeName) return [];
  const bound = !isMissing(old.spec?.nodeName);
  return [
    ...textErrors(path, name, dnsSubdomainErrors),
    ...(bound ? [forbidden(path, "may not be set on pods that are already bound to a node")] : []),
  ];
}

function claimErrors(statuses: readonly Fields[], claims: readonly Fields[]): FieldError[] {
  const seen = new Set<string>();
  return statuses.flatMap(({ name = "", resourceClaimName }, index) => {
    const at = `status.resourceClaimStatuses[${index}]`;
    const errors = claims.some((claim) => claim.name === name)
      ? []
      : [invalid(`${at}.name`, name, "must match the name of an entry in `spec.resourceClaims`")];
    if (seen.has(name)) errors.push(duplicate(`${at}.name`, name));
    seen.add(name);
    for (const message of resourceClaimName == null ? [] : dnsSubdomainErrors(resourceClaimName)) {
      errors.push(invalid(`${at}.resourceClaimName`, namedText(resourceClaimName), message));
    }
    return errors;
  });
}

function extendedClaimErrors(status: Fields | undefined | null, spec: Fields): FieldError[] {
  if (status == null) return [];
  const path = "status.extendedResourceClaimStatus";
  const mappings: readonly Fields[] = status.requestMappings ?? [];
  const { resourceClaimName: name } = status;
  return [
    ...(mappings.length === 0 ? [required(`${path}.requestMappings`, "at least one request mapping is required")] : []),
    ...mappingErrors(mappings, path, spec),
    ...(isMissing(name)
      ? [required(`${path}.resourceClaimName`)]
      : textErrors(`${path}.resourceClaimName`, name, dnsSubdomainErrors)),
  ];
}

/** Upstream names a wrong request at the path of the whole. */
function mappingErrors(mappings: readonly Fields[], path: string, spec: Fields): FieldError[] {
  const containers: readonly Fields[] = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const seen = new Set<string>();
  return mappings.flatMap(({ containerName = "", resourceName = "", requestName = "" }, index) => {
    const at = `${path}.requestMappings[${index}]`;
    const errors = mappedErrors(
      at,
      containers.findLast(({ name }) => name === containerName),
      { containerName, resourceName },
    );
    errors.push(...textErrors(`${path}.requestName`, requestName, dnsLabelErrors));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      errors.push(duplicate(`${at}.containerName`, containerName), duplicate(`${at}.resourceName`, resourceName));
      errors.push(duplicate(`${at}.requestName`, requestName));
    }
    seen.add(key);
    return errors;
  });
}

function mappedErrors(
  at: string,
  container: Fields | undefined,
  { containerName, resourceName }: { readonly containerName: string; readonly resourceName: string },
): FieldError[] {
  if (container === undefined) {
    const message = "must match the name of an entry in spec.initContainers.name or spec.containers.name";
    return [invalid(`${at}.containerName`, containerName, message)];
  }
  if (Object.hasOwn(container.resources?.requests ?? {}, resourceName)) return [];
  const message =
    "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests";
  return [invalid(`${at}.resourceName`, resourceName, message)];
}
