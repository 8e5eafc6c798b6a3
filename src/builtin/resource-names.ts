import { qualifiedNameErrors } from "#api/meta/names.ts";
import { type FieldError, invalid, namedText } from "#base/field-error.ts";

const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);
const counted: ReadonlySet<string> = new Set([
  ...["pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
]);
const quotaResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...counted,
  ...["requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage"],
  ...["limits.cpu", "limits.memory", "limits.ephemeral-storage"],
]);
const requestsPrefix = "requests.";

/** The name of any resource: standard, or with a domain. */
export function resourceNameErrors(path: string, name: string): FieldError[] {
  const problems = qualifiedNameErrors(name).map((message) => invalid(path, namedText(name), message));
  if (problems.length > 0 || name.includes("/")) return problems;
  const standard = name === "storage" || isStandardQuotaResource(name);
  return standard ? [] : [invalid(path, namedText(name), "must be a standard resource type or fully qualified")];
}

/** The name of a resource that a container may ask for. */
export function containerResourceErrors(path: string, name: string): FieldError[] {
  const errors = resourceNameErrors(path, name);
  if (!name.includes("/")) {
    const known = containerResources.has(name) || isHugePages(name);
    return known ? errors : [...errors, invalid(path, namedText(name), "must be a standard resource for containers")];
  }
  if (isNative(name) || isExtended(name)) return errors;
  return [...errors, invalid(path, namedText(name), "doesn't follow extended resource name standard")];
}

/** The name of a resource that a quota may bound. */
export function quotaResourceErrors(path: string, name: string): FieldError[] {
  const errors = resourceNameErrors(path, name);
  if (name.includes("/") || isStandardQuotaResource(name)) return errors;
  return [...errors, invalid(path, namedText(name), "must be a standard resource for quota")];
}

/** Whether quotas know the resource without a domain. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isHugePages(name.replace(requestsPrefix, ""));
}

/** Native resources may be promised more than once; devices and huge pages may not. */
export function overcommits(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** Whether there are only whole ones of a resource. */
export function isWhole(name: string): boolean {
  return counted.has(name) || isExtended(name);
}

/** Whether it is memory in pages of a size. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Whether it is one of Kubernetes' own, not of a device. */
export function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith(requestsPrefix)) return false;
  return qualifiedNameErrors(`${requestsPrefix}${name}`).length === 0;
}
