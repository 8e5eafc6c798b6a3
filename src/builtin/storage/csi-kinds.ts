import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import { dnsSubdomainErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { byteLength } from "#base/byte-length.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { canonicalMembers } from "../core/canonical-quantities.ts";
import { driverNameErrors } from "../core/csi-source-rules.ts";
import { expirationErrors } from "../core/volume-rules.ts";
import { amountErrors } from "../resource-amounts.ts";
import { immutable, immutableIn, nonNegative, oneOfGiven, sameValue, textErrors } from "../value-rules.ts";
import { nodeExpressionWarnings, nodeSelectorWarnings } from "../warnings/node-label-warnings.ts";
import { parameterErrors, provisionerErrors } from "./class-rules.ts";

/** CSIDrivers. */
export const csiDriverStrategy: Strategy = {
  // upstream starts to count only with the first change; nobody waits for it
  generation: "none",
  prefixJudgedOnce: true,
  unconditionalUpdate: false,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    const { spec } = draft;
    spec.attachRequired ??= true;
    for (const flag of ["podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"]) spec[flag] ??= false;
    spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ["Persistent"];
  },
  validate: ({ spec }: Fields) => driverErrors(spec),
  warnings: ({ spec }: Fields, old: Fields | undefined) => {
    const requests = spec.tokenRequests ?? [];
    if (requests.length === 0 || spec.serviceAccountTokenInSecrets != null) return [];
    return sameValue(requests, old?.["spec"].tokenRequests) ? [] : [tokensInSecrets];
  },
  validateUpdate: ({ spec }: Fields, old: Fields) => [
    ...immutable("spec.attachedRequired", spec.attachRequired, old.spec.attachRequired),
    ...immutable("spec.volumeLifecycleModes", spec.volumeLifecycleModes, old.spec.volumeLifecycleModes),
  ],
};

const tokensInSecrets =
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";

function driverErrors(spec: Fields): FieldError[] {
  const requests: readonly Fields[] = spec.tokenRequests ?? [];
  const modes: readonly string[] = spec.volumeLifecycleModes ?? [];
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  const inSecrets = spec.serviceAccountTokenInSecrets;
  return [
    ...oneOfGiven("spec.fsGroupPolicy", spec.fsGroupPolicy, ["File", "None", "ReadWriteOnceWithFSType"]),
    ...tokenRequestErrors(requests),
    ...modes.flatMap((mode) => oneOfGiven("spec.volumeLifecycleModes", mode ?? "", ["Persistent", "Ephemeral"])),
    ...(period != null && period < 10
      ? [invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds")]
      : []),
    ...(inSecrets != null && requests.length === 0
      ? [
          invalid(
            "spec.serviceAccountTokenInSecrets",
            inSecrets,
            "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
          ),
        ]
      : []),
  ];
}

function tokenRequestErrors(requests: readonly Fields[]): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience = "", expirationSeconds }, index) => {
    const path = `spec.tokenRequests[${index}]`;
    if (audiences.has(audience)) return [duplicate(`${path}.audience`, audience)];
    audiences.add(audience);
    return expirationErrors(`${path}.expirationSeconds`, expirationSeconds ?? 3600);
  });
}

/** CSINodes. */
export const csiNodeStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  validate: ({ spec }: Fields) => nodeDriverErrors(spec?.drivers ?? [], "spec.drivers"),
  validateUpdate: driverUpdateErrors,
};

/** Each driver that stays is the same, but for how many volumes it can take. */
function driverUpdateErrors({ spec }: Fields, old: Fields): FieldError[] {
  const [now, before]: (readonly Fields[])[] = [spec?.drivers ?? [], old.spec?.drivers ?? []];
  if (sameValue(now, before)) return [];
  const withoutCount = (driver: Fields): Fields => ({ ...driver, allocatable: undefined });
  return (before ?? []).flatMap((driver) =>
    (now ?? [])
      .filter(({ name }) => name === driver.name)
      .flatMap((next) =>
        immutableIn("storage.CSINodeDriver", "spec.drivers", { value: withoutCount(next), old: withoutCount(driver) }),
      ),
  );
}

const maxNodeId = 256;

function nodeDriverErrors(drivers: readonly Fields[], path: string): FieldError[] {
  const names = new Set<string>();
  return drivers.flatMap(({ name = "", nodeID = "", allocatable, topologyKeys = [] }, index) => {
    const at = `${path}[${index}]`;
    const errors = driverNameErrors(`${at}.name`, name);
    if (nodeID === "") errors.push(required(`${at}.nodeID`));
    if (byteLength(nodeID) > maxNodeId) {
      errors.push(invalid(`${at}.nodeID`, nodeID, `must be ${maxNodeId} characters or less`));
    }
    errors.push(...nonNegative(`${at}.allocatable.count`, allocatable?.count));
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    return [...errors, ...topologyKeyErrors(topologyKeys, at)];
  });
}

/** Upstream names the driver, not the key. */
function topologyKeyErrors(keys: readonly string[], path: string): FieldError[] {
  const first = new Map(keys.map((key, index) => [key, index] as const).toReversed());
  return keys.flatMap((key, index) => [
    ...(key === "" ? [required(path)] : []),
    ...(first.get(key) === index ? [] : [duplicate(path, key)]),
    ...textErrors(path, key, qualifiedNameErrors),
  ]);
}

/** CSIStorageCapacities. */
export const csiStorageCapacityStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: false,
  applyDefaults: (draft) => canonicalMembers(draft, "capacity", "maximumVolumeSize"),
  warnings: ({ nodeTopology }: Fields) => [
    ...nodeExpressionWarnings(nodeTopology?.matchExpressions, "nodeTopology.matchExpressions"),
    ...nodeSelectorWarnings(nodeTopology?.matchLabels, (label) => `nodeTopology.matchLabels.${label}`),
  ],
  validate: (object: Fields) => [
    ...labelSelectorErrors(object.nodeTopology, "nodeTopology"),
    ...textErrors("storageClassName", object.storageClassName ?? "", dnsSubdomainErrors),
    ...(object.capacity == null ? [] : amountErrors("capacity", "storage", object.capacity)),
  ],
  validateUpdate: (object: Fields, old: Fields) => [
    ...immutable("nodeTopology", object.nodeTopology, old.nodeTopology),
    ...immutable("storageClassName", object.storageClassName, old.storageClassName),
  ],
};

/** VolumeAttributesClasses. */
export const volumeAttributesClassStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  validate: ({ driverName, parameters }: Fields) => [
    ...provisionerErrors("driverName", driverName),
    ...parameterErrors("parameters", parameters),
    ...(Object.keys(parameters ?? {}).length === 0
      ? [required("parameters", "must contain at least one key/value pair")]
      : []),
  ],
  validateUpdate: (object: Fields, old: Fields) =>
    ["driverName", "parameters"]
      .filter((field) => !sameValue(object[field], old[field]))
      .map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
};
