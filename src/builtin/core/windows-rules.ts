import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, invalid, namedText } from "#base/field-error.ts";
import { containersOf } from "./containers-of-pod.ts";

const maxSpecKiB = 64;
const maxDomain = 256;
const maxUser = 104;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const domainLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const domainName = new RegExp(`^${domainLabel}(?:\\.${domainLabel})*$`);

/** What is wrong with what a container or a pod wants of Windows. */
export function windowsErrors(options: Fields | undefined, path: string): FieldError[] {
  if (options == null) return [];
  const spec = options.gmsaCredentialSpec;
  const at = `${path}.gmsaCredentialSpec`;
  const errors = namedErrors(`${path}.gmsaCredentialSpecName`, options.gmsaCredentialSpecName, dnsSubdomainErrors);
  if (spec === "") errors.push(invalid(at, spec, "gmsaCredentialSpec cannot be an empty string"));
  else if (spec != null && byteLength(spec) > maxSpecKiB * 1024) {
    errors.push(invalid(at, namedText(spec), `gmsaCredentialSpec size must be under ${maxSpecKiB} KiB`));
  }
  return [...errors, ...namedErrors(`${path}.runAsUserName`, options.runAsUserName, userErrors)];
}

function namedErrors(path: string, name: string | null | undefined, rule: (name: string) => string[]): FieldError[] {
  return name == null ? [] : rule(name).map((problem) => invalid(path, namedText(name), problem));
}

function userErrors(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (hasControl(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const errors = parts.length === 2 ? domainErrors(parts[0] ?? "") : [];
  if (user === "") errors.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > maxUser) {
    errors.push(`runAsUserName's User length must not be longer than ${maxUser} characters`);
  }
  if (/^[. ]+$/.test(user)) errors.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    errors.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return errors;
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

function domainErrors(domain: string): string[] {
  const errors: string[] = [];
  if (byteLength(domain) >= maxDomain) {
    errors.push(`runAsUserName's Domain length must be under ${maxDomain} characters`);
  }
  if (!netBios.test(domain) && !domainName.test(domain)) {
    errors.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  return errors;
}

/** Either all containers of a pod are processes of the host, or none is. */
export function hostProcessErrors(spec: Fields, path: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess ?? undefined;
  const containers = containersOf(spec, path);
  const errors = containers.flatMap(({ container, at }) => {
    const own = container.securityContext?.windowsOptions?.hostProcess ?? undefined;
    if (ofPod === undefined || own === undefined || ofPod === own) return [];
    const message = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    return [invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, message)];
  });
  const hosts = containers.filter(
    ({ container }) => (container.securityContext?.windowsOptions?.hostProcess ?? ofPod) === true,
  );
  if (hosts.length === 0) return errors;
  if (hosts.length !== containers.length) {
    const message = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(invalid(path, "", message));
  }
  if (spec.hostNetwork !== true) {
    const message = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.push(invalid(`${path}.hostNetwork`, false, message));
  }
  return errors;
}

/** What a pod may not have on the system that it names. */
export function systemErrors(spec: Fields, path: string): FieldError[] {
  if (spec.os?.name === "linux") return linuxErrors(spec, path);
  return spec.os?.name === "windows" ? windowsPodErrors(spec, path) : [];
}

function linuxErrors(spec: Fields, path: string): FieldError[] {
  const message = "windows options cannot be set for a linux pod";
  const contexts = [{ container: spec, at: path }, ...containersOf(spec, path)];
  return contexts
    .filter(({ container }) => container.securityContext?.windowsOptions != null)
    .map(({ at }) => forbidden(`${at}.securityContext.windowsOptions`, message));
}

const linuxOfPods = [
  ...["appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls", "runAsUser"],
  ...["runAsGroup", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy"],
];
const linuxOfContainers = [
  ...["appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged"],
  ...["allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup"],
];

function windowsPodErrors(spec: Fields, path: string): FieldError[] {
  const notHere = (at: string) => forbidden(at, "cannot be set for a windows pod");
  const given = (holder: Fields | undefined, names: readonly string[], at: string) =>
    names.filter((name) => holder?.[name] != null).map((name) => notHere(`${at}.${name}`));
  const hosts = ["hostPID", "hostIPC"].filter((name) => spec[name] === true);
  return [
    ...given(spec.securityContext, linuxOfPods, `${path}.securityContext`),
    ...given(spec, ["hostUsers", "shareProcessNamespace"], path),
    ...hosts.map((name) => notHere(`${path}.${name}`)),
    ...containersOf(spec, path).flatMap(({ container, at }) =>
      given(container.securityContext, linuxOfContainers, `${at}.securityContext`),
    ),
  ];
}
