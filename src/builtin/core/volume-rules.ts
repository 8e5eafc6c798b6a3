import type { Fields } from "#api/meta/object-meta.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "#base/field-error.ts";
import { parseQuantity } from "#base/quantity.ts";
import { isMissing, oneOf, requiredLabel, requiredText } from "../value-rules.ts";
import { claimTemplateErrors } from "./claim-template-rules.ts";
import { fieldReferenceErrors, resourceReferenceErrors } from "./downward-rules.ts";
import { iscsiErrors } from "./iscsi-rules.ts";

/** What is wrong with the volumes of a pod; `named` are those that containers may mount. */
export function volumeErrors(
  volumes: readonly Fields[],
  path: string,
): { errors: FieldError[]; named: ReadonlyMap<string, Fields> } {
  const named = new Map<string, Fields>();
  const errors: FieldError[] = [];
  volumes.forEach((volume, index) => {
    const at = `${path}[${index}]`;
    const own = [...sourceErrors(volume, at), ...requiredLabel(`${at}.name`, volume.name)];
    if (named.has(volume.name)) own.push(duplicate(`${at}.name`, volume.name));
    if (own.length === 0) named.set(volume.name, volume);
    errors.push(...own);
  });
  return { errors, named };
}

const fileMode = "must be a number between 0 and 0777 (octal), both inclusive";

/** What is wrong with one source, by its name; sources not listed only count. */
const rules: Readonly<Record<string, (source: Fields, path: string) => FieldError[]>> = {
  emptyDir: (source, path) =>
    (parseQuantity(String(source.sizeLimit ?? "0"))?.nanos ?? -1n) < 0n
      ? [forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
      : [],
  hostPath: hostPathErrors,
  gitRepo: (source, path) => requiredText(`${path}.repository`, source.repository),
  secret: (source, path) => [...requiredText(`${path}.secretName`, source.secretName), ...filesErrors(source, path)],
  configMap: (source, path) => [...requiredText(`${path}.name`, source.name), ...filesErrors(source, path)],
  nfs: nfsErrors,
  persistentVolumeClaim: (source, path) => requiredText(`${path}.claimName`, source.claimName),
  downwardAPI: (source, path) => [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...downwardItemErrors(source.items ?? [], path),
  ],
  projected: projectedErrors,
  csi: (source, path) => requiredText(`${path}.driver`, source.driver),
  ephemeral: ({ volumeClaimTemplate: template }, path) =>
    template == null
      ? [required(`${path}.volumeClaimTemplate`)]
      : claimTemplateErrors(template, `${path}.volumeClaimTemplate`),
  iscsi: iscsiErrors,
  glusterfs: (source, path) => [
    ...requiredText(`${path}.endpoints`, source.endpoints),
    ...requiredText(`${path}.path`, source.path),
  ],
  image: (source, path) => oneOf(`${path}.pullPolicy`, source.pullPolicy, ["Always", "IfNotPresent", "Never"]),
  gcePersistentDisk: (source, path) =>
    requiredText(`${path.replace(/gcePersistentDisk$/, "persistentDisk")}.pdName`, source.pdName),
};

function sourceErrors(volume: Fields, path: string): FieldError[] {
  const kinds = Object.keys(volume).filter((key) => key !== "name" && volume[key] != null);
  if (kinds.length === 0) return [required(path, "must specify a volume type")];
  const [first = "", ...more] = kinds;
  const errors = rules[first]?.(volume[first], `${path}.${first}`) ?? [];
  return [
    ...errors,
    ...more.map((kind) => forbidden(`${path}.${printed[kind] ?? kind}`, "may not specify more than 1 volume type")),
  ];
}

/** Sources that messages call by another name. */
const printed: Readonly<Record<string, string>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };

/** A path on the node, shared with persistent volumes. */
export function hostPathErrors(source: Fields, path: string): FieldError[] {
  if (isMissing(source.path)) return [required(`${path}.path`)];
  const errors = backstepErrors(`${path}.path`, source.path);
  const { type } = source;
  return type == null || hostPathTypes.includes(type)
    ? errors
    : [...errors, notSupported(`${path}.type`, namedText(type), hostPathTypes)];
}

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** An NFS export, shared with persistent volumes. */
export function nfsErrors(source: Fields, path: string): FieldError[] {
  const errors = [...requiredText(`${path}.server`, source.server), ...requiredText(`${path}.path`, source.path)];
  if (!String(source.path ?? "").startsWith("/"))
    errors.push(invalid(`${path}.path`, source.path ?? "", "must be an absolute path"));
  return errors;
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

/** A path below the volume, where `..data` is the kubelet's own. */
function localPathErrors(path: string, value: string): FieldError[] {
  const errors = descendingPathErrors(path, value);
  if (value.startsWith("..") && !value.startsWith("../")) errors.push(invalid(path, value, "must not start with '..'"));
  return errors;
}

/** A relative path that stays below where it starts. */
export function descendingPathErrors(path: string, value: string): FieldError[] {
  const absolute = value.startsWith("/") ? [invalid(path, value, "must be a relative path")] : [];
  return [...absolute, ...backstepErrors(path, value)];
}

/** A path that never goes up. */
export function backstepErrors(path: string, value: string): FieldError[] {
  return value.split("/").includes("..") ? [invalid(path, value, "must not contain '..'")] : [];
}
