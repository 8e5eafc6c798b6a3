import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { parseQuantity } from "#base/quantity.ts";
import { isMissing, requiredLabel, requiredMembers, requiredOneOf, requiredText } from "../value-rules.ts";
import { claimTemplateErrors } from "./claim-template-rules.ts";
import { podCsiErrors } from "./csi-source-rules.ts";
import { fieldReferenceErrors, resourceReferenceErrors } from "./downward-rules.ts";
import { podIscsiErrors, portalErrors } from "./iscsi-rules.ts";
import { descendingPathErrors, localPathErrors } from "./path-rules.ts";
import { chosenSourceErrors, type SourceRule, sourceRules } from "./volume-source-rules.ts";

/** What is wrong with the volumes of a pod; `named` are those that containers may mount. Templates have no `pod`. */
export function volumeErrors(
  volumes: readonly Fields[],
  path: string,
  pod: PodOfVolumes | undefined,
): { errors: FieldError[]; named: ReadonlyMap<string, Fields> } {
  const named = new Map<string, Fields>();
  const made = claimsMadeFor(volumes, pod);
  const errors: FieldError[] = [];
  volumes.forEach((volume, index) => {
    const at = `${path}[${index}]`;
    const own = [...sourceErrors(volume, at, pod), ...requiredLabel(`${at}.name`, volume.name)];
    if (named.has(volume.name)) own.push(duplicate(`${at}.name`, volume.name));
    if (own.length === 0) named.set(volume.name, volume);
    errors.push(...own);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim != null && made.has(claim)) {
      const message = "must not reference a PVC that gets created for an ephemeral volume";
      errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claim, message));
    }
  });
  return { errors, named };
}

/** What the volumes of a pod depend on. */
interface PodOfVolumes {
  /** Empty where it is not known. */
  readonly name: string;
}

function claimsMadeFor(volumes: readonly Fields[], pod: PodOfVolumes | undefined): ReadonlySet<string> {
  if (pod === undefined || pod.name === "") return new Set();
  const ephemeral = volumes.filter((volume) => volume.ephemeral != null);
  return new Set(ephemeral.map((volume) => `${pod.name}-${volume.name ?? ""}`));
}

const fileMode = "must be a number between 0 and 0777 (octal), both inclusive";

const podRules: Readonly<Record<string, SourceRule>> = {
  ...sourceRules,
  emptyDir: (source, path) =>
    (parseQuantity(String(source.sizeLimit ?? "0"))?.nanos ?? -1n) < 0n
      ? [forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
      : [],
  gitRepo: (source, path) => [
    ...requiredText(`${path}.repository`, source.repository),
    ...descendingPathErrors(`${path}.directory`, source.directory ?? ""),
  ],
  secret: (source, path) => [...requiredText(`${path}.secretName`, source.secretName), ...filesErrors(source, path)],
  configMap: (source, path) => [...requiredText(`${path}.name`, source.name), ...filesErrors(source, path)],
  persistentVolumeClaim: requiredMembers("claimName"),
  downwardAPI: (source, path) => [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...downwardItemErrors(source.items ?? [], path),
  ],
  projected: projectedErrors,
  csi: podCsiErrors,
  ephemeral: ({ volumeClaimTemplate: template }, path) =>
    template == null
      ? [required(`${path}.volumeClaimTemplate`)]
      : claimTemplateErrors(template, `${path}.volumeClaimTemplate`),
  iscsi: podIscsiErrors,
  image: (source, path) => requiredOneOf(`${path}.pullPolicy`, source.pullPolicy, ["Always", "IfNotPresent", "Never"]),
};

const podOrder = [
  ...["emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs", "iscsi"],
  ...["glusterfs", "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte", "downwardAPI", "fc"],
  ...["flexVolume", "configMap", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk"],
  ...["storageos", "projected", "scaleIO", "csi", "ephemeral", "image"],
];

function sourceErrors(volume: Fields, path: string, pod: PodOfVolumes | undefined): FieldError[] {
  const { iscsi, ephemeral, image, name = "" } = volume;
  const chosen = podOrder.find((source) => volume[source] != null);
  return [
    ...chosenSourceErrors(volume, path, { order: podOrder, rules: podRules }),
    ...(iscsi == null ? [] : portalErrors(iscsi, name, { path: `${path}.name`, value: name })),
    ...(ephemeral != null && chosen === "ephemeral" ? madeClaimErrors(`${path}.name`, name, pod?.name) : []),
    ...(image != null && chosen === "image" && pod !== undefined
      ? requiredText(`${path}.image.reference`, image.reference)
      : []),
  ];
}

function madeClaimErrors(path: string, volume: string, pod = ""): FieldError[] {
  if (pod === "" || volume === "") return [];
  const claim = `${pod}-${volume}`;
  return dnsSubdomainErrors(claim).map((problem) => invalid(path, volume, `PVC name ${goQuote(claim)}: ${problem}`));
}

function filesErrors(source: Fields, path: string): FieldError[] {
  return [...modeErrors(`${path}.defaultMode`, source.defaultMode), ...keyToPathErrors(source.items ?? [], path)];
}

function keyToPathErrors(items: readonly Fields[], path: string): FieldError[] {
  return items.flatMap((item, index) => [
    ...requiredText(`${path}.items[${index}].key`, item.key),
    ...requiredText(`${path}.items[${index}].path`, item.path),
    ...localPathErrors(`${path}.items[${index}].path`, item.path ?? ""),
    ...modeErrors(`${path}.items[${index}].mode`, item.mode),
  ]);
}

function downwardItemErrors(items: readonly Fields[], path: string): FieldError[] {
  return items.flatMap((item) => {
    const at = path; // Kubernetes does not say which item
    const errors = [...requiredText(`${at}.path`, item.path), ...localPathErrors(`${at}.path`, item.path ?? "")];
    if (item.fieldRef != null) {
      errors.push(...fieldReferenceErrors(item.fieldRef, `${at}.fieldRef`, "volume"));
      if (item.resourceFieldRef != null) {
        errors.push(invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
      }
    } else if (item.resourceFieldRef != null) {
      errors.push(...resourceReferenceErrors(item.resourceFieldRef, `${at}.resourceFieldRef`, "volume"));
    } else errors.push(required(at, "one of fieldRef and resourceFieldRef is required"));
    return [...errors, ...modeErrors(`${at}.mode`, item.mode)];
  });
}

function projectedErrors(source: Fields, path: string): FieldError[] {
  const errors = [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...samePathErrors(source.sources ?? [], path),
  ];
  for (const [index, projection] of (source.sources ?? []).entries()) {
    const at = `${path}.sources[${index}]`;
    for (const kind of ["secret", "configMap"]) {
      if (projection[kind] == null) continue;
      errors.push(...requiredText(`${at}.${kind}.name`, projection[kind].name));
      errors.push(...keyToPathErrors(projection[kind].items ?? [], `${at}.${kind}`));
    }
    if (projection.downwardAPI != null) {
      errors.push(...downwardItemErrors(projection.downwardAPI.items ?? [], `${at}.downwardAPI`));
    }
    if (projection.serviceAccountToken != null) errors.push(...tokenErrors(projection.serviceAccountToken, path, at));
    const kinds = Object.keys(projection).filter((kind) => projection[kind] != null);
    if (kinds.length > 1) errors.push(forbidden(at, "may not specify more than 1 volume type per source"));
  }
  return errors;
}

/** Two sources may not bring the same file. */
function samePathErrors(projections: readonly Fields[], path: string): FieldError[] {
  const taken = new Set<string>();
  return projections.flatMap((projection) =>
    ["secret", "configMap", "downwardAPI"].flatMap((kind) =>
      (projection[kind]?.items ?? []).flatMap((item: Fields) => {
        if (isMissing(item.path)) return [];
        const shown = kind === "downwardAPI" ? item.path : (projection[kind].name ?? "");
        if (taken.has(item.path)) return [invalid(path, shown, "conflicting duplicate paths")];
        taken.add(item.path);
        return [];
      }),
    ),
  );
}

function tokenErrors(token: Fields, path: string, at: string): FieldError[] {
  // upstream names the volume, not the projection, in the latter
  return [
    ...expirationErrors(`${at}.serviceAccountToken.expirationSeconds`, token.expirationSeconds ?? 3600),
    ...(isMissing(token.path) ? [required(`${path}.path`)] : localPathErrors(`${path}.path`, token.path)),
  ];
}

/** How long a token may be good. */
export function expirationErrors(path: string, seconds: number): FieldError[] {
  if (seconds < 600) return [invalid(path, seconds, "may not specify a duration less than 10 minutes")];
  return seconds > 2 ** 32 ? [invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")] : [];
}

function modeErrors(path: string, mode: unknown): FieldError[] {
  return typeof mode === "number" && (mode < 0 || mode > 0o777) ? [invalid(path, mode, fileMode)] : [];
}
