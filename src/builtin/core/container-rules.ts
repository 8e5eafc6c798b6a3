import { dnsSubdomainErrors, namePrefixErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  namedText,
  notFound,
  notSupported,
  required,
} from "#base/field-error.ts";
import { requirementErrors } from "../resource-amounts.ts";
import {
  configKeyErrors,
  isMissing,
  oneOfGiven,
  portNameErrors,
  portNumber,
  requiredLabel,
  requiredOneOf,
  requiredText,
  textErrors,
} from "../value-rules.ts";
import { fieldReferenceErrors, resourceReferenceErrors } from "./downward-rules.ts";
import { backstepErrors, descendingPathErrors } from "./path-rules.ts";
import { claimReferenceErrors } from "./resource-claim-rules.ts";
import { resizeErrors } from "./restart-rules.ts";
import { securityContextErrors } from "./security-rules.ts";

/** What a container may refer to in its pod. */
export interface Surroundings {
  /** The volumes that it may mount, with their sources. */
  readonly volumes: ReadonlyMap<string, Fields>;
  /** The names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
  readonly restartPolicy: unknown;
  readonly hostUsers: unknown;
}

/** What is wrong with a container of any sort. */
export function containerErrors(container: Fields, path: string, pod: Surroundings): FieldError[] {
  return [
    ...requiredLabel(`${path}.name`, container.name),
    ...requiredText(`${path}.image`, container.image),
    ...requiredOneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
      "File",
      "FallbackToLogsOnError",
    ]),
    ...portErrors(container.ports ?? [], `${path}.ports`),
    ...(container.env ?? []).flatMap((variable: Fields, index: number) => envErrors(variable, `${path}.env[${index}]`)),
    ...envFromErrors(container.envFrom ?? [], `${path}.envFrom`),
    ...mountErrors(container, path, pod),
    ...deviceErrors(container, path, pod),
    ...requiredOneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, ["Always", "IfNotPresent", "Never"]),
    ...requirementErrors(`${path}.resources`, container.resources),
    ...claimReferenceErrors(container.resources?.claims ?? [], `${path}.resources.claims`, pod.claims),
    ...resizeErrors(container, path, pod.restartPolicy),
    ...securityContextErrors(container.securityContext, `${path}.securityContext`, pod.hostUsers),
  ];
}

/** A host port that two containers of one list want. */
export function hostPortConflicts(containers: readonly Fields[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    (container.ports ?? []).flatMap((port: Fields, portIndex: number) => {
      if (!port.hostPort) return [];
      const wanted = `${port.protocol}/${port.hostIP ?? ""}/${port.hostPort}`;
      if (taken.has(wanted)) return [duplicate(`${path}[${index}].ports[${portIndex}].hostPort`, wanted)];
      taken.add(wanted);
      return [];
    }),
  );
}

function portErrors(ports: readonly Fields[], path: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (!isMissing(port.name)) {
      const problems = textErrors(`${at}.name`, port.name, portNameErrors);
      errors.push(...problems);
      if (problems.length === 0 && names.has(port.name)) errors.push(duplicate(`${at}.name`, port.name));
      names.add(port.name);
    }
    if (!port.containerPort) errors.push(required(`${at}.containerPort`));
    else errors.push(...portNumber(`${at}.containerPort`, port.containerPort));
    if (port.hostPort) errors.push(...portNumber(`${at}.hostPort`, port.hostPort));
    return [...errors, ...requiredOneOf(`${at}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"])];
  });
}

function envErrors(variable: Fields, path: string): FieldError[] {
  const errors = isMissing(variable.name)
    ? [required(`${path}.name`)]
    : textErrors(`${path}.name`, variable.name, envNameErrors);
  if (variable.valueFrom == null) return errors;
  return [...errors, ...valueFromErrors(variable, `${path}.valueFrom`)];
}

/** Any printable ASCII character but the equals sign. */
function envNameErrors(name: string): string[] {
  if (/^[\x20-\x3c\x3e-\x7e]+$/.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const sources: Readonly<Record<string, (source: Fields, path: string) => FieldError[]>> = {
  fieldRef: (source, path) => fieldReferenceErrors(source, path, "env"),
  resourceFieldRef: (source, path) => resourceReferenceErrors(source, path, "env"),
  configMapKeyRef: keyReferenceErrors,
  secretKeyRef: keyReferenceErrors,
  fileKeyRef: fileReferenceErrors,
};

function valueFromErrors(variable: Fields, path: string): FieldError[] {
  const named = Object.keys(sources).filter((source) => variable.valueFrom[source] != null);
  const errors = named.flatMap((source) => sources[source]?.(variable.valueFrom[source], `${path}.${source}`) ?? []);
  if (named.length === 0) {
    const wanted =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    errors.push(invalid(path, "", wanted));
  } else if (!isMissing(variable.value)) {
    errors.push(invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (named.length > 1) {
    errors.push(invalid(path, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

function keyReferenceErrors(reference: Fields, path: string): FieldError[] {
  const name = textErrors(`${path}.name`, reference.name ?? "", dnsSubdomainErrors);
  if (isMissing(reference.key)) return [...name, required(`${path}.key`)];
  return [...name, ...textErrors(`${path}.key`, reference.key, configKeyErrors)];
}

function fileReferenceErrors(reference: Fields, path: string): FieldError[] {
  return [
    ...requiredText(`${path}.key`, reference.key),
    ...(isMissing(reference.key) ? [] : textErrors(`${path}.key`, reference.key, envNameErrors)),
    ...requiredLabel(`${path}.volumeName`, reference.volumeName),
    ...requiredText(`${path}.path`, reference.path),
    ...backstepErrors(`${path}.path`, reference.path ?? ""),
  ];
}

/** Files are read from where other containers of the pod write. */
export function fileVolumeErrors(container: Fields, path: string, volumes: readonly Fields[]): FieldError[] {
  return (container.env ?? []).flatMap(({ valueFrom }: Fields, index: number) => {
    if (valueFrom?.fileKeyRef == null) return [];
    const name: string = valueFrom.fileKeyRef.volumeName ?? "";
    const at = `${path}.env[${index}].valueFrom.fileKeyRef.volumeName`;
    const volume = volumes.findLast((each) => (each.name ?? "") === name);
    if (volume === undefined) return [notFound(at, name)];
    return volume.emptyDir == null ? [invalid(at, name, "referenced volume must be of type emptyDir")] : [];
  });
}

function envFromErrors(list: readonly Fields[], path: string): FieldError[] {
  return list.flatMap((source, index) => {
    const at = `${path}[${index}]`;
    const errors = isMissing(source.prefix) ? [] : textErrors(`${at}.prefix`, source.prefix, envNameErrors);
    const named = ["configMapRef", "secretRef"].filter((name) => source[name] != null);
    for (const name of named) {
      const { name: target } = source[name];
      if (isMissing(target)) errors.push(required(`${at}.${name}.name`));
      else errors.push(...textErrors(`${at}.${name}.name`, target, (value) => namePrefixErrors(value)));
    }
    if (named.length === 0) errors.push(invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    if (named.length > 1) errors.push(invalid(path, "", "may not have more than one field specified at a time"));
    return errors;
  });
}

function mountErrors(container: Fields, path: string, { volumes }: Surroundings): FieldError[] {
  const mounted = new Set<string>();
  const devices: readonly Fields[] = container.volumeDevices ?? [];
  return (container.volumeMounts ?? []).flatMap((mount: Fields, index: number) => {
    const at = `${path}.volumeMounts[${index}]`;
    const errors = requiredText(`${at}.name`, mount.name);
    if (!volumes.has(mount.name)) errors.push(notFound(`${at}.name`, mount.name ?? ""));
    errors.push(...requiredText(`${at}.mountPath`, mount.mountPath));
    if (mounted.has(mount.mountPath)) errors.push(invalid(`${at}.mountPath`, mount.mountPath, "must be unique"));
    mounted.add(mount.mountPath);
    if (devices.some((device) => device.name === mount.name)) {
      errors.push(invalid(`${at}.name`, mount.name, "must not already exist in volumeDevices"));
    }
    if (devices.some((device) => device.devicePath === mount.mountPath)) {
      errors.push(invalid(`${at}.mountPath`, mount.mountPath, "must not already exist as a path in volumeDevices"));
    }
    return [
      ...errors,
      ...mountDetailErrors(mount, `${path}.volumeMounts`, at),
      ...propagationErrors(mount, container, path),
      ...recursionErrors(mount, `${path}.volumeMounts.recursiveReadOnly`),
    ];
  });
}

/** Upstream names the list, not the mount, in the errors of sub paths. */
function mountDetailErrors(mount: Fields, list: string, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!isMissing(mount.subPath)) errors.push(...descendingPathErrors(`${list}.subPath`, mount.subPath));
  if (isMissing(mount.subPathExpr)) return errors;
  if (!isMissing(mount.subPath)) {
    errors.push(invalid(`${at}.subPathExpr`, mount.subPathExpr, "subPathExpr and subPath are mutually exclusive"));
  }
  return [...errors, ...descendingPathErrors(`${list}.subPathExpr`, mount.subPathExpr)];
}

function propagationErrors(mount: Fields, container: Fields, path: string): FieldError[] {
  const at = `${path}.volumeMounts.mountPropagation`;
  const errors = oneOfGiven(at, mount.mountPropagation, ["Bidirectional", "HostToContainer", "None"]);
  if (mount.mountPropagation === "Bidirectional" && container.securityContext?.privileged !== true) {
    errors.push(forbidden(at, "Bidirectional mount propagation is available only to privileged containers"));
  }
  return errors;
}

function recursionErrors({ recursiveReadOnly, readOnly, mountPropagation }: Fields, path: string): FieldError[] {
  if (recursiveReadOnly == null || recursiveReadOnly === "Disabled") return [];
  const known = ["Disabled", "Enabled", "IfPossible"];
  if (!known.includes(recursiveReadOnly)) return [notSupported(path, namedText(recursiveReadOnly), known)];
  const errors = readOnly === true ? [] : [forbidden(path, "may only be specified when readOnly is true")];
  if (mountPropagation == null || mountPropagation === "None") return errors;
  return [...errors, forbidden(path, "may only be specified when mountPropagation is None or not specified")];
}

function deviceErrors(container: Fields, path: string, { volumes }: Surroundings): FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts: readonly Fields[] = container.volumeMounts ?? [];
  return (container.volumeDevices ?? []).flatMap((device: Fields, index: number) => {
    const at = `${path}.volumeDevices[${index}]`;
    const { name = "", devicePath = "" } = device;
    const errors = requiredText(`${at}.name`, name);
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, "must be unique"));
    if (name !== "") names.add(name);
    errors.push(...deviceSourceErrors(`${at}.name`, name, volumes));
    errors.push(...requiredText(`${at}.devicePath`, devicePath));
    if (paths.has(devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, "must be unique"));
    if (devicePath.split("/").includes("..")) {
      errors.push(invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else paths.add(devicePath);
    if (mounts.some((mount) => (mount.name ?? "") === name)) {
      errors.push(invalid(`${at}.name`, name, "must not already exist in volumeMounts"));
    }
    if (mounts.some((mount) => (mount.mountPath ?? "") === devicePath)) {
      errors.push(invalid(`${at}.devicePath`, devicePath, "must not already exist as a path in volumeMounts"));
    }
    return errors;
  });
}

function deviceSourceErrors(path: string, name: string, volumes: Surroundings["volumes"]): FieldError[] {
  const volume = volumes.get(name);
  if (volume === undefined) return [notFound(path, name)];
  if (volume.persistentVolumeClaim != null || volume.ephemeral != null) return [];
  const message = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
  return [invalid(path, name, message)];
}
