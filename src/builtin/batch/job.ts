import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import { dnsLabelErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { isBroken, keptSelectorErrors, mismatchErrors } from "../apps/selected-template.ts";
import { defaultPodTemplate } from "../core/pod-defaults.ts";
import { goValue } from "../go-findings.ts";
import { immutable, immutableIn, immutableName, sameValue } from "../value-rules.ts";
import { nameWarnings } from "../warnings/name-warnings.ts";
import { podWarnings } from "../warnings/pod-warnings.ts";
import { isNewSpec } from "../warnings/template-warnings.ts";
import { jobSpecErrors } from "./job-spec-rules.ts";
import { jobStatusErrors } from "./job-status-rules.ts";

const nameLabels = ["job-name", "batch.kubernetes.io/job-name"];
const uidLabels = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const uidLabel = "batch.kubernetes.io/controller-uid";

/** Jobs: their selector is made from their uid unless the user insists on an own one. */
export const jobStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  defaultPropagation: "Orphan",
  deletionRemark:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  fieldSelectors: { "status.successful": ({ status }: Fields) => String(status?.succeeded ?? 0) },
  unknownField: (field) => `field label "${field}" not supported for Job`,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    defaultJobSpec(draft.spec);
    defaultRunMembers(draft.spec);
    const labels = draft.spec.template?.metadata?.labels;
    if (labels != null && Object.keys(draft.metadata.labels ?? {}).length === 0) draft.metadata.labels = labels;
  },
  prepareForCreate: (draft) => {
    draft.status = {};
    if (draft.spec.manualSelector !== true) generateSelector(draft);
    separateLabels(draft);
  },
  prepareForUpdate: separateLabels,
  validate: validateJob,
  validateNew: (object: Fields) => generatedSelectorErrors(object),
  validateUpdate: updateErrors,
  validateStatus: jobStatusErrors,
  warnings: (object: Fields, old) => [
    ...(old === undefined ? nameWarnings(object["metadata"].name) : []),
    ...(isNewSpec(object, old) ? jobWarnings(object["spec"], "spec") : []),
  ],
};

const manyCompletions = 100_000;
const manyAtOnce = 10_000;

/** What is to be said of the spec of a Job, or of that in a CronJob. */
export function jobWarnings(spec: Fields, path: string): string[] {
  const large =
    spec.completionMode === "Indexed" && spec.completions > manyCompletions && spec.parallelism > manyAtOnce;
  const message =
    "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  return [...(large ? [`${path}: ${message}`] : []), ...podWarnings(spec.template ?? {}, `${path}.template`)];
}

/** Defaults of what a Job and the template in a CronJob have in common. */
export function defaultJobSpec(spec: Fields): void {
  spec.template ??= {};
  defaultPodTemplate(spec.template);
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= "True";
  }
}

function defaultRunMembers(spec: Fields): void {
  if (spec.completions == null && spec.parallelism == null) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex == null ? 6 : 2 ** 31 - 1;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy == null ? "TerminatingOrFailed" : "Failed";
  spec.manualSelector ??= false;
}

/** A Job that has no labels shares those of its pods, and what is added to them; from here on they are its own. */
function separateLabels(draft: Draft): void {
  if (draft.metadata.labels !== undefined) draft.metadata.labels = { ...draft.metadata.labels };
}

/** Labels the user has set stay; validation refuses them where they conflict. */
function generateSelector(draft: Draft): void {
  draft.spec.template.metadata ??= {};
  const { metadata } = draft.spec.template;
  metadata.labels ??= {};
  for (const label of nameLabels) metadata.labels[label] ??= draft.metadata.name ?? "";
  for (const label of uidLabels) metadata.labels[label] ??= draft.metadata.uid;
  draft.spec.selector ??= {};
  draft.spec.selector.matchLabels ??= {};
  draft.spec.selector.matchLabels[uidLabel] ??= draft.metadata.uid;
}

function validateJob(object: Fields): FieldError[] {
  const { spec } = object;
  const name: string = object.metadata.name ?? "";
  const errors = jobSpecErrors(spec, "spec");
  if (spec.selector == null) errors.push(required("spec.selector"));
  else errors.push(...labelSelectorErrors(spec.selector, "spec.selector"));
  errors.push(...mismatchErrors(spec.selector, spec.template));
  if (spec.completionMode === "Indexed" && spec.completions > 0) {
    const hostname = `${name}-${spec.completions - 1}`;
    if (dnsLabelErrors(hostname).length > 0) {
      const message = `will not able to create pod with invalid DNS label: ${hostname}`;
      errors.push(invalid("metadata.name", name, message));
    }
  }
  return errors;
}

/** Jobs that are older than the prefixed labels need not have them. */
function generatedSelectorErrors({ metadata, spec }: Fields, old?: Fields): FieldError[] {
  const name = metadata.name ?? "";
  if (spec.manualSelector === true || spec.selector == null) return [];
  const labels: Fields = spec.template?.metadata?.labels ?? {};
  const path = "spec.template.metadata.labels";
  const expected: readonly (readonly [string, string])[] = [
    ["controller-uid", metadata.uid],
    ["job-name", name],
    ...(old === undefined || hasPrefixedLabels(old)
      ? ([
          ["batch.kubernetes.io/controller-uid", metadata.uid],
          ["batch.kubernetes.io/job-name", name],
        ] as const)
      : []),
  ];
  const errors = expected.flatMap(([key, value]) => {
    if (labels[key] === undefined) return [required(`${path}[${key}]`, `must be '${value}'`)];
    return labels[key] === value
      ? []
      : [invalid(`${path}[${key}]`, goValue("map string", labels), `must be '${value}'`)];
  });
  const own = new Map(expected);
  const generated = Object.entries(spec.selector.matchLabels ?? {}).every(([key, value]) => own.get(key) === value);
  if (!isBroken(spec.selector) && !generated)
    errors.push(invalid("spec.selector", goValue("v1.LabelSelector", spec.selector), "`selector` not auto-generated"));
  return errors;
}

function hasPrefixedLabels({ spec }: Fields): boolean {
  const labels: Fields = spec.template?.metadata?.labels ?? {};
  return [uidLabel, "batch.kubernetes.io/job-name"].every((label) => Object.hasOwn(labels, label));
}

/** An indexed job may be stretched together with its parallelism. */
function completionErrors(spec: Fields, before: Fields): FieldError[] {
  const path = "spec.completions";
  const { completions, parallelism } = spec;
  if (spec.completionMode !== "Indexed") return immutable(path, completions, before.completions);
  if (completions == null || completions === before.completions || completions === parallelism) return [];
  return [invalid(path, completions, "can only be modified in tandem with spec.parallelism")];
}

const goTypes: Readonly<Record<string, string>> = {
  podFailurePolicy: "batch.PodFailurePolicy",
  successPolicy: "batch.SuccessPolicy",
};

const frozen = ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"];

function updateErrors(object: Fields, old: Fields): FieldError[] {
  const { spec } = object;
  return [
    ...(sameValue(spec, old.spec) && object.metadata.uid === old.metadata.uid
      ? []
      : generatedSelectorErrors(object, old)),
    ...completionErrors(spec, old.spec),
    ...keptSelectorErrors({ spec }, old),
    ...immutableIn("core.PodTemplateSpec", "spec.template", {
      value: spec.template,
      old: templateThatMayStay(spec, old),
    }),
    ...frozen.flatMap((field) =>
      goTypes[field] === undefined
        ? immutableName(`spec.${field}`, spec[field], old.spec[field])
        : immutableIn(goTypes[field], `spec.${field}`, { value: spec[field], old: old.spec[field] }),
    ),
  ];
}

/** Where a suspended job's pods go may change until it runs. */
function templateThatMayStay(spec: Fields, { spec: before, status }: Fields): Fields {
  const suspended = (status?.conditions ?? []).some(
    ({ type, status: is }: Fields) => type === "Suspended" && is === "True",
  );
  if (before.suspend !== true || !suspended || (status?.active ?? 0) > 0) return before.template;
  const template = { ...before.template, metadata: spec.template.metadata, spec: { ...before.template.spec } };
  for (const field of ["nodeSelector", "tolerations", "schedulingGates", "affinity"]) {
    template.spec[field] = spec.template.spec[field];
  }
  return template;
}
