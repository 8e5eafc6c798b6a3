import type { Fields } from "#api/meta/object-meta.ts";
import { goQuote } from "#base/go-text.ts";
import { containersOf } from "../core/containers-of-pod.ts";
import { ipWarnings } from "./address-warnings.ts";
import { fractionWarnings } from "./amount-warnings.ts";
import { nodeExpressionWarnings, nodeLabelProblem, nodeSelectorWarnings } from "./node-label-warnings.ts";
import { portWarnings } from "./port-warnings.ts";
import { volumeWarnings } from "./volume-warnings.ts";

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};
const bytes = ["memory", "ephemeral-storage"];

/** What is to be said of a pod, or of a template that stands at `path`. */
export function podWarnings({ metadata, spec = {} }: Fields, path = ""): string[] {
  const at = path === "" ? "spec" : `${path}.spec`;
  return [
    ...placementWarnings(spec, at),
    ...annotationWarnings(metadata?.annotations ?? {}, spec, path === "" ? "metadata" : `${path}.metadata`),
    ...volumeWarnings(spec.volumes ?? [], `${at}.volumes`),
    ...repeatedWarnings(spec.hostAliases ?? [], "ip", `${at}.hostAliases`),
    ...repeatedWarnings(spec.imagePullSecrets ?? [], "name", `${at}.imagePullSecrets`),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name }: Fields, index: number) =>
      name ? [] : [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`],
    ),
    ...fractionWarnings(spec.overhead, `${at}.overhead`, bytes),
    ...containersOf(spec, at).flatMap(({ container, at: place }) => containerWarnings(container, place)),
    ...portWarnings(spec, at),
    ...(spec.terminationGracePeriodSeconds < 0
      ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((ip: string, index: number) =>
      ipWarnings(`${at}.dnsConfig.nameservers[${index}]`, ip),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }: Fields, index: number) =>
      ipWarnings(`${at}.hostAliases[${index}].ip`, ip),
    ),
  ];
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const noPods = "a null labelSelector results in matching no pod";

function placementWarnings({ nodeSelector, affinity, topologySpreadConstraints = [] }: Fields, path: string): string[] {
  const node = affinity?.nodeAffinity;
  const at = `${path}.affinity`;
  return [
    ...nodeSelectorWarnings(nodeSelector, (label) => `${path}.nodeSelector[${label}]`),
    ...(node?.[required]?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions }: Fields, index: number) =>
      nodeExpressionWarnings(
        matchExpressions,
        `${at}.nodeAffinity.${required}.nodeSelectorTerms[${index}].matchExpressions`,
      ),
    ),
    ...(node?.[preferred] ?? []).flatMap(({ preference }: Fields, index: number) =>
      nodeExpressionWarnings(
        preference?.matchExpressions,
        `${at}.nodeAffinity.${preferred}[${index}].preference.matchExpressions`,
        { values: true },
      ),
    ),
    ...topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }: Fields, index: number) => {
      const place = `${path}.topologySpreadConstraints[${index}]`;
      const problem = nodeLabelProblem(topologyKey);
      const named = problem === undefined ? [] : [`${place}.topologyKey: ${topologyKey} is ${problem}`];
      return labelSelector == null ? [...named, `${place}.labelSelector: ${noPods}`] : named;
    }),
    ...["podAffinity", "podAntiAffinity"].flatMap((sort) => termWarnings(affinity?.[sort], `${at}.${sort}`)),
  ];
}

function termWarnings(affinity: Fields | undefined, path: string): string[] {
  return [
    ...(affinity?.[required] ?? []).flatMap(({ labelSelector }: Fields, index: number) =>
      labelSelector == null ? [`${path}.${required}[${index}].labelSelector: ${noPods}`] : [],
    ),
    ...(affinity?.[preferred] ?? []).flatMap(({ podAffinityTerm }: Fields, index: number) =>
      podAffinityTerm?.labelSelector == null
        ? [`${path}.${preferred}[${index}].podAffinityTerm.labelSelector: ${noPods}`]
        : [],
    ),
  ];
}

const seccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompOfContainer = "container.seccomp.security.alpha.kubernetes.io/";
const useSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function annotationWarnings(annotations: Fields, spec: Fields, path: string): string[] {
  const unused = [
    ...(spec.securityContext?.seccompProfile == null ? [seccompOfPod] : []),
    ...containersOf(spec, path)
      .filter(({ container }) => container.securityContext?.seccompProfile == null)
      .map(({ container }) => `${seccompOfContainer}${container.name}`),
  ];
  const said = { ...deprecatedAnnotations, ...Object.fromEntries(unused.map((key) => [key, useSeccomp])) };
  return Object.entries(said)
    .filter(([key]) => Object.hasOwn(annotations, key))
    .map(([key, message]) => `${path}.annotations[${key}]: ${message}`);
}

function repeatedWarnings(list: readonly Fields[], field: string, path: string): string[] {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const value: string = item[field] ?? "";
    const again = seen.has(value);
    seen.add(value);
    return again ? [`${path}[${index}].${field}: duplicate ${field} ${goQuote(value)}`] : [];
  });
}

function containerWarnings({ resources, env = [] }: Fields, path: string): string[] {
  const amounts = bytes.flatMap((name) =>
    ["limits", "requests"].flatMap((list) => fractionWarnings(resources?.[list], `${path}.resources.${list}`, [name])),
  );
  const seen = new Set<string>();
  const hidden = (env as readonly Fields[]).flatMap(({ name = "", value = "", valueFrom }, index) => {
    const again = seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const builds = valueFrom == null && value !== reference && value.includes(reference);
    if (!again || builds) return [];
    return [
      `${path}.env[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
    ];
  });
  return [...amounts, ...hidden];
}
