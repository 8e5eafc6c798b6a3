import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Failover } from "#api/policy/failover.ts";
import { type FieldError, invalid } from "#base/field-error.ts";

/** What is wrong with what a policy says of failures. */
export function failoverErrors({ application, cluster }: Failover, path: string): FieldError[] {
  return [
    ...(application === undefined ? [] : applicationErrors(application, `${path}.application`)),
    ...statePreservationErrors(application?.statePreservation, `${path}.application.statePreservation`),
    ...statePreservationErrors(cluster?.statePreservation, `${path}.cluster.statePreservation`),
  ];
}

function applicationErrors(application: NonNullable<Failover["application"]>, path: string): FieldError[] {
  const { decisionConditions, purgeMode, gracePeriodSeconds } = application;
  const tolerationSeconds = decisionConditions?.tolerationSeconds ?? 0;
  const errors: FieldError[] = [];
  if (tolerationSeconds < 0) {
    const place = `${path}.decisionConditions.tolerationSeconds`;
    errors.push(invalid(place, tolerationSeconds, "must be greater than or equal to 0"));
  }
  const place = `${path}.gracePeriodSeconds`;
  const graceful = purgeMode === "Gracefully";
  if (gracePeriodSeconds === undefined) {
    return graceful ? [...errors, invalid(place, null, "should not be empty when purgeMode is gracefully")] : errors;
  }
  if (!graceful) errors.push(invalid(place, gracePeriodSeconds, "only takes effect when purgeMode is gracefully"));
  if (gracePeriodSeconds <= 0) errors.push(invalid(place, gracePeriodSeconds, "must be greater than 0"));
  return errors;
}

type StatePreservation = NonNullable<NonNullable<Failover["application"]>["statePreservation"]>;

function statePreservationErrors(preservation: StatePreservation | undefined, path: string): FieldError[] {
  return (preservation?.rules ?? []).flatMap(({ aliasLabelName }, index) =>
    qualifiedNameErrors(aliasLabelName).map((detail) =>
      invalid(`${path}.rules[${index}].aliasLabelName`, aliasLabelName, detail),
    ),
  );
}
