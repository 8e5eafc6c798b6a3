import { dnsLabelErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { isMissing, oneOfGiven, optionalText, requiredLabel, requiredMembers, requiredText } from "../value-rules.ts";
import { backstepErrors } from "./path-rules.ts";

/** What is wrong with one source of a volume. */
export type SourceRule = (source: Fields, path: string) => FieldError[];

/** The sources that pods and persistent volumes have in common, with what is wrong with one of each. */
export const sourceRules: Readonly<Record<string, SourceRule>> = {
  hostPath: hostPathErrors,
  // upstream calls it by another name here
  gcePersistentDisk: (source, path) =>
    partitionedErrors(source, path.replace(/gcePersistentDisk$/, "persistentDisk"), "pdName"),
  awsElasticBlockStore: (source, path) => partitionedErrors(source, path, "volumeID"),
  glusterfs: requiredMembers("endpoints", "path"),
  flocker: flockerErrors,
  nfs: nfsErrors,
  rbd: requiredMembers("monitors", "image"),
  quobyte: quobyteErrors,
  cephfs: requiredMembers("monitors"),
  cinder: (source, path) => [
    ...requiredText(`${path}.volumeID`, source.volumeID),
    ...(source.secretRef == null ? [] : requiredText(`${path}.secretRef.name`, source.secretRef.name)),
  ],
  fc: fibreChannelErrors,
  flexVolume: flexErrors,
  azureFile: requiredMembers("secretName", "shareName"),
  vsphereVolume: requiredMembers("volumePath"),
  photonPersistentDisk: requiredMembers("pdID"),
  portworxVolume: requiredMembers("volumeID"),
  azureDisk: azureDiskErrors,
  scaleIO: requiredMembers("gateway", "system", "volumeName"),
  storageos: (source, path) => [
    ...requiredLabel(`${path}.volumeName`, source.volumeName),
    ...optionalText(`${path}.volumeNamespace`, source.volumeNamespace, dnsLabelErrors),
    ...(source.secretRef == null ? [] : requiredText(`${path}.secretRef.name`, source.secretRef.name)),
  ],
};

/** What is wrong with the sources of a volume: it has one, and the first that `order` names is looked at. */
export function chosenSourceErrors(
  holder: Fields,
  path: string,
  { order, rules }: { readonly order: readonly string[]; readonly rules: Readonly<Record<string, SourceRule>> },
): FieldError[] {
  const [first, ...more] = order.filter((source) => holder[source] != null);
  if (first === undefined) return [required(path, "must specify a volume type")];
  return [
    ...(rules[first]?.(holder[first], `${path}.${first}`) ?? []),
    ...more.map((source) =>
      forbidden(`${path}.${printed[source] ?? source}`, "may not specify more than 1 volume type"),
    ),
  ];
}

/** Sources that messages call by another name. */
const printed: Readonly<Record<string, string>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };

function hostPathErrors(source: Fields, path: string): FieldError[] {
  if (isMissing(source.path)) return [required(`${path}.path`)];
  const { type } = source;
  return [
    ...backstepErrors(`${path}.path`, source.path),
    ...(type == null || hostPathTypes.includes(type)
      ? []
      : [notSupported(`${path}.type`, namedText(type), hostPathTypes)]),
  ];
}

const hostPathTypes = [
  ...["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"],
];

function partitionedErrors(source: Fields, path: string, id: string): FieldError[] {
  const partition = source.partition ?? 0;
  return [
    ...requiredText(`${path}.${id}`, source[id]),
    ...(partition < 0 || partition > 255
      ? [invalid(`${path}.partition`, partition, "must be between 1 and 255, inclusive")]
      : []),
  ];
}

function flockerErrors({ datasetName = "", datasetUUID }: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (isMissing(datasetName) && isMissing(datasetUUID)) {
    errors.push(required(path, "one of datasetName and datasetUUID is required"));
  }
  if (!isMissing(datasetName) && !isMissing(datasetUUID)) {
    errors.push(invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
  }
  if (datasetName.includes("/")) errors.push(invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

function nfsErrors(source: Fields, path: string): FieldError[] {
  const errors = [...requiredText(`${path}.server`, source.server), ...requiredText(`${path}.path`, source.path)];
  if (!String(source.path ?? "").startsWith("/"))
    errors.push(invalid(`${path}.path`, source.path ?? "", "must be an absolute path"));
  return errors;
}

const pairs = "must be a host:port pair or multiple pairs separated by commas";

function quobyteErrors({ registry = "", tenant = "", volume }: Fields, path: string): FieldError[] {
  return [...registryErrors(registry, tenant, path), ...requiredText(`${path}.volume`, volume)];
}

function registryErrors(registry: string, tenant: string, path: string): FieldError[] {
  if (registry === "") return [required(`${path}.registry`, pairs)];
  if (byteLength(tenant) >= 65) {
    return [required(`${path}.tenant`, "must be a UUID and may not exceed a length of 64 characters")];
  }
  return registry
    .split(",")
    .filter((pair) => !isHostAndPort(pair))
    .map(() => invalid(`${path}.registry`, registry, pairs));
}

/** As Go takes a host and its port apart. */
function isHostAndPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

function fibreChannelErrors({ targetWWNs = [], wwids = [], lun }: Fields, path: string): FieldError[] {
  const at = `${path}.targetWWNs`;
  if (targetWWNs.length === 0) {
    return wwids.length > 0 ? [] : [required(at, "must specify either targetWWNs or wwids, but not both")];
  }
  const both = "targetWWNs and wwids can not be specified simultaneously";
  const errors = wwids.length > 0 ? [invalid(at, targetWWNs, both)] : [];
  if (lun == null) errors.push(required(`${path}.lun`, "lun is required if targetWWNs is specified"));
  else if (lun < 0 || lun > 255) errors.push(invalid(`${path}.lun`, lun, "must be between 0 and 255, inclusive"));
  return errors;
}

function flexErrors({ driver, options }: Fields, path: string): FieldError[] {
  const taken = Object.keys(options ?? {}).filter((key) => {
    const domain = `.${(key.split("/")[0] ?? "").toLowerCase()}`;
    return domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io");
  });
  const message = "kubernetes.io and k8s.io namespaces are reserved";
  return [
    ...requiredText(`${path}.driver`, driver),
    ...taken.map((key) => invalid(`${path}.options[${key}]`, key, message)),
  ];
}

const managedDisk = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobDisk = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

function azureDiskErrors({ diskName, diskURI = "", cachingMode, kind }: Fields, path: string): FieldError[] {
  const [start, form] = kind === "Managed" ? ["/subscriptions/", managedDisk] : ["https://", blobDisk];
  return [
    ...requiredText(`${path}.diskName`, diskName),
    ...requiredText(`${path}.diskURI`, diskURI),
    ...oneOfGiven(`${path}.cachingMode`, cachingMode, ["None", "ReadOnly", "ReadWrite"]),
    ...oneOfGiven(`${path}.kind`, kind, ["Dedicated", "Managed", "Shared"]),
    ...(kind == null || diskURI.startsWith(start) ? [] : [notSupported(`${path}.diskURI`, diskURI, [form])]),
  ];
}
