import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, notSupported, required } from "#base/field-error.ts";
import { parseQuantity } from "#base/quantity.ts";
import { isMissing, textErrors } from "../value-rules.ts";

type Use = "env" | "volume";

const fieldPaths: Readonly<Record<Use, readonly string[]>> = {
  env: [
    ...["metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"],
    ...["status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"],
  ],
  volume: ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"],
};
const convertible: ReadonlySet<string> = new Set([
  ...fieldPaths.env,
  ...fieldPaths.volume,
  "spec.host",
  "spec.restartPolicy",
  "status.phase",
]);
const subscript = /^(metadata\.(?:annotations|labels))\['(.*)'\]$/;
const resources = [
  ...["limits.cpu", "limits.ephemeral-storage", "limits.memory"],
  ...["requests.cpu", "requests.ephemeral-storage", "requests.memory"],
];
const divisors: Readonly<Record<string, readonly string[]>> = {
  cpu: ["1m", "1"],
  memory: ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"],
};

/** What is wrong with a reference to a field of the pod. */
export function fieldReferenceErrors(reference: Fields, path: string, use: Use): FieldError[] {
  if (isMissing(reference.apiVersion)) return [required(`${path}.apiVersion`)];
  const fieldPath: string = reference.fieldPath ?? "";
  if (fieldPath === "") return [required(`${path}.fieldPath`)];
  const [, map, key = ""] = subscript.exec(fieldPath) ?? [];
  if (map !== undefined) {
    const name = map === "metadata.annotations" ? key.toLowerCase() : key;
    return textErrors(path, name, qualifiedNameErrors);
  }
  if (reference.apiVersion !== "v1") {
    return [
      invalid(
        `${path}.fieldPath`,
        fieldPath,
        `error converting fieldPath: unsupported pod version: ${reference.apiVersion}`,
      ),
    ];
  }
  if (!convertible.has(fieldPath)) {
    return [
      invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`),
    ];
  }
  return fieldPaths[use].includes(fieldPath) ? [] : [notSupported(`${path}.fieldPath`, fieldPath, fieldPaths[use])];
}

/** What is wrong with a reference to a container's limits or requests. */
export function resourceReferenceErrors(reference: Fields, path: string, use: Use): FieldError[] {
  const resource: string = reference.resource ?? "";
  if (use === "volume" && isMissing(reference.containerName)) return [required(`${path}.containerName`)];
  if (resource === "") return [required(`${path}.resource`)];
  const known = resources.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource);
  if (!known) return [notSupported(`${path}.resource`, resource, resources)];
  return divisorErrors(resource, reference.divisor, path);
}

function divisorErrors(resource: string, divisor: unknown, path: string): FieldError[] {
  if (divisor === undefined || parseQuantity(String(divisor))?.nanos === 0n) return [];
  const cpu = resource.endsWith(".cpu");
  const allowed = divisors[cpu ? "cpu" : "memory"] ?? [];
  if (allowed.includes(String(divisor))) return [];
  const sort = cpu ? "cpu" : (sorts.find(([part]) => resource.includes(part))?.[1] ?? "memory");
  const listed = cpu ? "1m and 1" : allowed.join(", ");
  const message = `only divisor's values ${listed} are supported with the ${sort} resource`;
  return [invalid(`${path}.divisor`, resource, message)];
}

const sorts = [
  ["hugepages-", "hugepages"],
  ["ephemeral-storage", "local ephemeral storage"],
] as const;
