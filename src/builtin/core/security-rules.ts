import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, namedText, required, tooLong } from "#base/field-error.ts";
import { goValue } from "../go-findings.ts";
import { isMissing, oneOf, oneOfGiven } from "../value-rules.ts";
import { descendingPathErrors } from "./path-rules.ts";
import { windowsErrors } from "./windows-rules.ts";

const maxId = 2 ** 31 - 1;

/** What is wrong with the security context of a container. */
export function securityContextErrors(context: Fields | undefined, path: string, hostUsers: unknown): FieldError[] {
  if (context == null) return [];
  const errors = [
    ...(context.procMount === "Unmasked" && hostUsers !== false
      ? [invalid(`${path}.procMount`, namedText("Unmasked"), "`hostUsers` must be false to use `Unmasked`")]
      : []),
    ...idErrors(`${path}.runAsUser`, context.runAsUser),
    ...idErrors(`${path}.runAsGroup`, context.runAsGroup),
    ...oneOfGiven(`${path}.procMount`, context.procMount, ["Default", "Unmasked"]),
    ...profileErrors(context.seccompProfile, `${path}.seccompProfile`),
    ...windowsErrors(context.windowsOptions, `${path}.windowsOptions`),
    ...armorErrors(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
  if (context.allowPrivilegeEscalation === false) {
    const shown = goValue("core.SecurityContext", context);
    if (context.privileged === true) {
      errors.push(invalid(path, shown, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"));
    }
    if ((context.capabilities?.add ?? []).includes("CAP_SYS_ADMIN")) {
      const message = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
      errors.push(invalid(path, shown, message));
    }
  }
  return errors;
}

/** What is wrong with the security context of a whole pod. */
export function podSecurityErrors(context: Fields | undefined, path: string): FieldError[] {
  if (context == null) return [];
  return [
    ...idErrors(`${path}.fsGroup`, context.fsGroup),
    ...idErrors(`${path}.runAsUser`, context.runAsUser),
    ...idErrors(`${path}.runAsGroup`, context.runAsGroup),
    ...(context.supplementalGroups ?? []).flatMap((group: unknown, index: number) =>
      idErrors(`${path}.supplementalGroups[${index}]`, group),
    ),
    ...oneOfGiven(`${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ["Recursive"]),
    ...oneOfGiven(`${path}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ["Merge", "Strict"]),
    ...oneOfGiven(`${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ["Always", "OnRootMismatch"]),
    ...profileErrors(context.seccompProfile, `${path}.seccompProfile`),
    ...windowsErrors(context.windowsOptions, `${path}.windowsOptions`),
    ...armorErrors(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

/** The number of a user or a group. */
export function idErrors(path: string, id: unknown): FieldError[] {
  if (typeof id !== "number" || (id >= 0 && id <= maxId)) return [];
  return [invalid(path, id, `must be between 0 and ${maxId}, inclusive`)];
}

const maxProfile = 4095;
const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

function profileErrors(profile: Fields | undefined, path: string): FieldError[] {
  if (profile == null) return [];
  const { type, localhostProfile: local } = profile;
  const errors = isMissing(type)
    ? [required(`${path}.type`, "type is required when seccompProfile is set")]
    : oneOf(`${path}.type`, type, profileTypes);
  if (type !== "Localhost") {
    if (local == null) return errors;
    const shown = goValue("core.SeccompProfile", profile);
    return [...errors, invalid(`${path}.localhostProfile`, shown, "can only be set when seccomp type is Localhost")];
  }
  return local == null
    ? [...errors, required(`${path}.localhostProfile`, "must be set when seccomp type is Localhost")]
    : [...errors, ...descendingPathErrors(`${path}.localhostProfile`, local)];
}

function armorErrors(profile: Fields | undefined, path: string): FieldError[] {
  if (profile == null) return [];
  const at = `${path}.localhostProfile`;
  const { type, localhostProfile: local } = profile;
  if (isMissing(type)) return [required(`${path}.type`, "type is required when appArmorProfile is set")];
  if (!profileTypes.includes(type)) return oneOf(`${path}.type`, type, profileTypes);
  if (type !== "Localhost") {
    return local == null ? [] : [invalid(at, namedText(local), "can only be set when AppArmor type is Localhost")];
  }
  if (isMissing(local)) return [required(at, "must be set when AppArmor type is Localhost")];
  return [
    ...(local.trim() === local ? [] : [invalid(at, local, "must not be padded with whitespace")]),
    ...(byteLength(local) > maxProfile ? [tooLong(at, maxProfile)] : []),
  ];
}
