import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { isMissing } from "../value-rules.ts";
import { containersOf } from "./containers-of-pod.ts";
import { descendingPathErrors } from "./path-rules.ts";

/** Annotations that had a meaning before there were fields. */
type Annotations = Readonly<Record<string, string>> | undefined;

const mirror = "kubernetes.io/config.mirror";
const deletionCost = "controller.kubernetes.io/pod-deletion-cost";
const seccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompOfContainer = "container.seccomp.security.alpha.kubernetes.io/";
const appArmorOfContainer = "container.apparmor.security.beta.kubernetes.io/";
const local = "localhost/";

/** What is wrong with annotations of a pod or a template that Kubernetes itself reads. */
export function podAnnotationErrors(annotations: Annotations, spec: Fields, path: string): FieldError[] {
  const names = new Set(containersOf(spec, path).map(({ container }) => container.name));
  return Object.entries(annotations ?? {}).flatMap(([key, value]) => {
    if (key === mirror && isMissing(spec.nodeName)) {
      return [invalid(`${path}[${key}]`, value, "must set spec.nodeName if mirror pod annotation is set")];
    }
    if (key === deletionCost)
      return isCost(value) ? [] : [invalid(`${path}[${key}]`, value, "must be a 32bit integer")];
    if (key === seccompOfPod || key.startsWith(seccompOfContainer)) return seccompErrors(`${path}.${key}`, value);
    if (!key.startsWith(appArmorOfContainer)) return [];
    const container = key.slice(appArmorOfContainer.length);
    return [
      ...(names.has(container) ? [] : [invalid(`${path}[${key}]`, container, "container not found")]),
      ...armorErrors(`${path}[${key}]`, value),
    ];
  });
}

/** What an update of a pod does to such annotations. */
export function annotationUpdateErrors(now: Annotations, before: Annotations): FieldError[] {
  const bound = (key: string) => key === mirror || key.startsWith(appArmorOfContainer);
  const called = (key: string) => (key === mirror ? "mirror pod annotation" : "AppArmor annotations");
  const refused = (key: string, what: string) =>
    forbidden(`metadata.annotations[${key}]`, `may not ${what} ${called(key)}`);
  const [next, old] = [now ?? {}, before ?? {}];
  return [
    ...Object.keys(old)
      .filter((key) => bound(key) && old[key] !== next[key])
      .map((key) => refused(key, "remove or update")),
    ...Object.keys(next)
      .filter((key) => bound(key) && !Object.hasOwn(old, key))
      .map((key) => refused(key, "add")),
  ];
}

function isCost(text: string): boolean {
  return /^(0|-?[0-9]+)$/.test(text) && !/^0./.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31;
}

function seccompErrors(path: string, profile: string): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(local)) return descendingPathErrors(path, profile.slice(local.length));
  return [invalid(path, profile, "must be a valid seccomp profile")];
}

function armorErrors(path: string, profile: string): FieldError[] {
  const known = ["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith(local);
  return known ? [] : [invalid(path, profile, `invalid AppArmor profile name: ${goQuote(profile)}`)];
}

/** What fields and such annotations say differently. */
export function profileAgreementErrors(annotations: Annotations, spec: Fields, path: string): FieldError[] {
  if (annotations === undefined) return [];
  const context = spec.securityContext ?? {};
  const armor = spec.os?.name !== "windows";
  return [
    ...differing("seccomp", annotations[seccompOfPod], {
      profile: context.seccompProfile,
      path: `${path}.securityContext.seccompProfile`,
    }),
    ...containersOf(spec, path).flatMap(({ container: { name, securityContext: own }, at }) => [
      ...differing("seccomp", annotations[`${seccompOfContainer}${name}`], {
        profile: own?.seccompProfile,
        path: `${at}.securityContext.seccompProfile`,
      }),
      ...differing("apparmor", armor ? annotations[`${appArmorOfContainer}${name}`] : undefined, {
        profile: own?.appArmorProfile ?? context.appArmorProfile,
        path: `${at}.securityContext.appArmorProfile`,
      }),
    ]),
  ];
}

function differing(
  sort: "seccomp" | "apparmor",
  annotation: string | undefined,
  { profile, path }: { readonly profile: Fields | undefined; readonly path: string },
): FieldError[] {
  if (annotation === undefined || profile == null) return [];
  const type = forbidden(`${path}.type`, `${sort} type in annotation and field must match`);
  const defaults = sort === "seccomp" ? ["runtime/default", "docker/default"] : ["runtime/default"];
  switch (profile.type) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : [type];
    case "RuntimeDefault":
      return defaults.includes(annotation) ? [] : [type];
    case "Localhost":
      if (!annotation.startsWith(local)) return [type];
      if (annotation.slice(local.length) === profile.localhostProfile) return [];
      return [forbidden(`${path}.localhostProfile`, `${sort} profile in annotation and field must match`)];
    default:
      return [];
  }
}
