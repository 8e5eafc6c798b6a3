import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { sortedJson } from "#base/sorted-json.ts";
import { goValue, withDifference } from "../go-findings.ts";
import { forgetEmpty, rememberingAs } from "../sent-empty.ts";
import { sameValue } from "../value-rules.ts";
import { annotationUpdateErrors } from "./pod-annotation-rules.ts";

const updatable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/** What an update of a pod may not do. */
export function podUpdateErrors({ metadata, spec }: Fields, old: Fields): FieldError[] {
  return [...annotationUpdateErrors(metadata.annotations, old.metadata?.annotations), ...specUpdateErrors(spec, old)];
}

function specUpdateErrors(spec: Fields, old: Fields): FieldError[] {
  const found: FieldError[] = [];
  for (const list of ["containers", "initContainers"]) {
    const { errors, stop } = containerUpdateErrors(spec[list] ?? [], old.spec[list] ?? [], `spec.${list}`);
    found.push(...errors);
    if (stop) return found;
  }
  const deadline = deadlineErrors(spec, old.spec);
  if (deadline.length > 0 && spec.activeDeadlineSeconds != null) return [...found, ...deadline];
  const errors = [
    ...found,
    ...deadline,
    ...addedTolerationErrors(spec, old.spec),
    ...gateErrors(spec, old.spec),
    ...gatedErrors(spec, old.spec),
  ];
  const next = withUpdatableOf(spec, old.spec);
  if (!sameValue(next, old.spec)) {
    const error = forbidden("spec", `pod updates may not change fields other than ${updatable}`);
    errors.push(withDifference(error, { type: "core.PodSpec", old: old.spec, next }));
  }
  return errors;
}

function containerUpdateErrors(
  now: readonly Fields[],
  before: readonly Fields[],
  path: string,
): { errors: FieldError[]; stop: boolean } {
  if (now.length !== before.length) {
    return { errors: [forbidden(path, "pod updates may not add or remove containers")], stop: true };
  }
  const errors = now.flatMap(({ image }, index) => {
    const trimmed = String(image ?? "").trim() === (image ?? "");
    return trimmed ? [] : [invalid(`${path}[${index}].image`, image, "must not have leading or trailing whitespace")];
  });
  return { errors, stop: false };
}

function deadlineErrors(spec: Fields, old: Fields): FieldError[] {
  const path = "spec.activeDeadlineSeconds";
  const [now, before] = [spec.activeDeadlineSeconds, old.activeDeadlineSeconds];
  if (now === before) return [];
  if (now == null) {
    return before == null ? [] : [invalid(path, null, "must not update from a positive integer to nil value")];
  }
  if (now < 0 || now > 2 ** 31 - 1) return [invalid(path, now, "must be between 0 and 2147483647, inclusive")];
  return before != null && before < now ? [invalid(path, now, "must be less than or equal to previous value")] : [];
}

function addedTolerationErrors(spec: Fields, old: Fields): FieldError[] {
  const meaning = (toleration: Fields) => sortedJson({ ...toleration, tolerationSeconds: undefined });
  const now = new Set<string>((spec.tolerations ?? []).map(meaning));
  if ((old.tolerations ?? []).every((before: Fields) => now.has(meaning(before)))) return [];
  return [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function gateErrors(spec: Fields, old: Fields): FieldError[] {
  const before = new Set((old.schedulingGates ?? []).map((gate: Fields) => gate.name));
  const gates: readonly Fields[] = spec.schedulingGates ?? [];
  const last = new Map(gates.map(({ name }, index) => [name, index]));
  return gates.flatMap(({ name }, index) => {
    if (before.has(name) || last.get(name) !== index) return [];
    const message = `only deletion is allowed, but found new scheduling gate '${name ?? ""}'`;
    return [forbidden(`spec.schedulingGates[${index}].name`, message)];
  });
}

/** The new spec with everything that may change put back to what it was. */
function withUpdatableOf(spec: Fields, old: Fields): Fields {
  const restored: Fields = rememberingAs(spec, { ...spec });
  forgetEmpty(restored, ["containers", "initContainers"]); // upstream makes these lists anew
  for (const list of ["containers", "initContainers"]) {
    if (spec[list] == null) continue;
    restored[list] = spec[list].map((container: Fields, index: number) =>
      rememberingAs(container, { ...container, image: old[list]?.[index]?.image }),
    );
  }
  for (const field of ["activeDeadlineSeconds", "tolerations", "schedulingGates"]) restored[field] = old[field];
  if (old.terminationGracePeriodSeconds < 0 && spec.terminationGracePeriodSeconds === 1) {
    restored.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds;
  }
  return (old.schedulingGates ?? []).length > 0 ? withPlacementOf(restored, old) : restored;
}

/** What has been judged for a pod that waits at a gate. */
function withPlacementOf(spec: Fields, old: Fields): Fields {
  const placed: Fields = rememberingAs(spec, { ...spec, nodeSelector: old.nodeSelector });
  const before = old.affinity?.nodeAffinity;
  if (sameValue(spec.affinity?.nodeAffinity, before)) return placed;
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const isAlone = old.affinity == null && podAffinity == null && podAntiAffinity == null;
  placed.affinity = isAlone ? undefined : { ...spec.affinity, nodeAffinity: before };
  return placed;
}

/** A pod that waits at a gate may be sent to fewer nodes, never to others. */
function gatedErrors(spec: Fields, old: Fields): FieldError[] {
  if ((old.schedulingGates ?? []).length === 0) return [];
  const keeps = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => spec.nodeSelector?.[key] === value);
  const message = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [
    ...(keeps ? [] : [invalid("spec.nodeSelector", spec.nodeSelector ?? null, message)]),
    ...affinityUpdateErrors(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity),
  ];
}

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";

function affinityUpdateErrors(now: Fields | undefined, before: Fields | undefined): FieldError[] {
  if (before?.[requiredTerms] == null || sameValue(now, before)) return [];
  const path = `spec.affinity.nodeAffinity.${requiredTerms}.nodeSelectorTerms`;
  const [terms, old]: [readonly Fields[], readonly Fields[]] = [
    now?.[requiredTerms]?.nodeSelectorTerms ?? [],
    before[requiredTerms].nodeSelectorTerms ?? [],
  ];
  if (old.length > 0 && old.length !== terms.length) {
    const message = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [
      invalid(path, terms.length === 0 ? null : goValue("core.NodeSelector", { nodeSelectorTerms: terms }), message),
    ];
  }
  return old.flatMap((term, index) => {
    if (onlyAdds(terms[index] ?? {}, term)) return [];
    const shown = goValue("core.NodeSelectorTerm", terms[index]);
    return [invalid(`${path}[${index}]`, shown, "only additions are allowed (no mutations or deletions)")];
  });
}

function onlyAdds(now: Fields, before: Fields): boolean {
  const lists = ["matchExpressions", "matchFields"];
  const isEmpty = (term: Fields) => lists.every((list) => (term[list] ?? []).length === 0);
  if (isEmpty(before) && !isEmpty(now)) return false;
  return lists.every((list) => {
    const old: readonly Fields[] = before[list] ?? [];
    return sameValue((now[list] ?? []).slice(0, old.length), old);
  });
}
