import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, notSupported, required } from "#base/field-error.ts";
import { defaultPodTemplate } from "../core/pod-defaults.ts";
import { goValue } from "../go-findings.ts";
import { atMostWhole, countOf, countOrPercent, nonNegativeMembers, sameValue } from "../value-rules.ts";
import { podWarnings } from "../warnings/pod-warnings.ts";
import { collisionErrors } from "./replica-status-rules.ts";
import { isEmpty, keptSelectorErrors, mismatchErrors, servingTemplateErrors } from "./selected-template.ts";

/** DaemonSets. */
export const daemonSetStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  warnings: ({ spec }: Fields, old: Fields | undefined) =>
    sameValue(spec.template, old?.["spec"].template) ? [] : podWarnings(spec.template ?? {}, "spec.template"),
  prefixJudgedOnce: true,
  settles: true,
  applyDefaults: defaultDaemonSet,
  prepareForCreate: (draft) => {
    draft.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    countTemplate(draft, 1);
  },
  prepareForUpdate: (draft, old: Fields) => {
    const before = Number(old.metadata.annotations?.[templateCounter] ?? 1);
    countTemplate(draft, sameValue(draft.spec.template, old.spec.template) ? before : before + 1);
  },
  prepareStatus: (draft, old: Fields) => {
    const count = old.metadata.annotations?.[templateCounter];
    if (count !== undefined && draft.metadata.annotations?.[templateCounter] !== count) countTemplate(draft, count);
  },
  validate: ({ spec }: Fields) => [
    ...labelSelectorErrors(spec.selector, "spec.selector"),
    ...mismatchErrors(spec.selector, spec.template),
    ...(spec.selector != null && isEmpty(spec.selector)
      ? [invalid("spec.selector", spec.selector, "empty selector is invalid for daemonset")]
      : []),
    ...servingTemplateErrors(spec.template ?? {}, "DaemonSet"),
    ...nonNegativeMembers("spec", spec, ["minReadySeconds"]),
    ...rolloutErrors(spec.updateStrategy ?? {}, "spec.updateStrategy"),
    ...nonNegativeMembers("spec", spec, ["revisionHistoryLimit"]),
  ],
  validateUpdate: keptSelectorErrors,
  validateStatus: (object: Fields, old: Fields) => [
    ...nonNegativeMembers("status", object.status ?? {}, counters),
    ...collisionErrors(object, old),
  ],
};

const counters = [
  ...["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady", "observedGeneration"],
  ...["updatedNumberScheduled", "numberAvailable", "numberUnavailable", "collisionCount"],
];

/** How often the template has changed, kept in an annotation that old clients know. */
const templateCounter = "deprecated.daemonset.template.generation";

function countTemplate({ metadata }: Draft, count: number | string): void {
  metadata.annotations = { ...metadata.annotations, [templateCounter]: String(count) };
}

function defaultDaemonSet(draft: Draft): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ||= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  spec.template ??= {};
  defaultPodTemplate(spec.template);
}

function rolloutErrors(strategy: Fields, path: string): FieldError[] {
  if (strategy.type === "OnDelete") return [];
  if (strategy.type !== "RollingUpdate")
    return [notSupported(path, goValue("apps.DaemonSetUpdateStrategy", strategy), ["RollingUpdate", "OnDelete"])];
  const at = `${path}.rollingUpdate`;
  if (strategy.rollingUpdate == null) return [required(at)];
  const { maxUnavailable, maxSurge } = strategy.rollingUpdate;
  const errors = [
    ...countOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...countOrPercent(`${at}.maxSurge`, maxSurge),
    ...atMostWhole(`${at}.maxUnavailable`, maxUnavailable),
    ...atMostWhole(`${at}.maxSurge`, maxSurge),
  ];
  const [gone, extra] = [countOf(maxUnavailable) !== 0, countOf(maxSurge) !== 0];
  if (gone && extra) errors.push(invalid(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero"));
  if (!gone && !extra) errors.push(required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
  return errors;
}
