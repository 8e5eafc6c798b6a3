import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { oneOf } from "../value-rules.ts";

const maxId = 2 ** 31 - 1;

/** What is wrong with the security context of a container. */
export function securityContextErrors(context: Fields | undefined, path: string): FieldError[] {
  if (context == null) return [];
  const errors = [
    ...idErrors(`${path}.runAsUser`, context.runAsUser),
    ...idErrors(`${path}.runAsGroup`, context.runAsGroup),
    ...oneOf(`${path}.procMount`, context.procMount, ["Default", "Unmasked"]),
    ...profileErrors(context.seccompProfile, `${path}.seccompProfile`),
  ];
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged === true) {
      errors.push(invalid(path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"));
    }
    if ((context.capabilities?.add ?? []).includes("CAP_SYS_ADMIN")) {
      const message = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
      errors.push(invalid(path, context, message));
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
    ...oneOf(`${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ["Always", "OnRootMismatch"]),
    ...profileErrors(context.seccompProfile, `${path}.seccompProfile`),
  ];
}

function idErrors(path: string, id: unknown): FieldError[] {
  if (typeof id !== "number" || (id >= 0 && id <= maxId)) return [];
  return [invalid(path, id, `must be between 0 and ${maxId}, inclusive`)];
}

function profileErrors(profile: Fields | undefined, path: string): FieldError[] {
  if (profile == null) return [];
  if (profile.type === "Localhost") {
    return profile.localhostProfile == null
      ? [required(`${path}.localhostProfile`, "must be set when seccomp type is Localhost")]
      : [];
  }
  if (profile.localhostProfile != null) {
    return [
      invalid(`${path}.localhostProfile`, profile.localhostProfile, "can only be set when seccomp type is Localhost"),
    ];
  }
  return oneOf(`${path}.type`, profile.type, ["Localhost", "RuntimeDefault", "Unconfined"]);
}
