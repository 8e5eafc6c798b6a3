import { dnsLabelErrors, pathSegmentErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { positiveAmount } from "../resource-amounts.ts";
import { containerResourceErrors } from "../resource-names.ts";
import { isMissing, oneOfGiven, textErrors } from "../value-rules.ts";

/** What is wrong with an autoscaler. */
export function autoscalerErrors({ spec }: Fields): FieldError[] {
  return [
    ...boundErrors(spec),
    ...targetReferenceErrors(spec.scaleTargetRef ?? {}, "spec.scaleTargetRef"),
    ...groupErrors(spec.scaleTargetRef ?? {}, "spec.scaleTargetRef.apiVersion"),
    ...(spec.metrics ?? []).flatMap((metric: Fields, index: number) => metricErrors(metric, `spec.metrics[${index}]`)),
    ...zeroErrors(spec),
    ...["scaleUp", "scaleDown"].flatMap((rules) =>
      spec.behavior?.[rules] == null ? [] : behaviorErrors(spec.behavior[rules], `spec.behavior.${rules}`),
    ),
  ];
}

function boundErrors({ minReplicas, maxReplicas = 0 }: Fields): FieldError[] {
  const errors: FieldError[] = [];
  if (minReplicas < 1) errors.push(invalid("spec.minReplicas", minReplicas, "must be greater than or equal to 1"));
  if (maxReplicas === 0) errors.push(required("spec.maxReplicas", "must be set and greater than 0"));
  if (maxReplicas < 0) errors.push(invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to 1"));
  if (maxReplicas < minReplicas) {
    errors.push(invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`"));
  }
  return errors;
}

function targetReferenceErrors(reference: Fields, path: string): FieldError[] {
  return ["kind", "name"].flatMap((field) =>
    isMissing(reference[field])
      ? [required(`${path}.${field}`)]
      : textErrors(`${path}.${field}`, reference[field], pathSegmentErrors),
  );
}

/** Only one kind of the core group can be scaled. */
function groupErrors({ apiVersion = "", kind }: Fields, path: string): FieldError[] {
  if (apiVersion.split("/").length > 2) {
    return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  }
  if (apiVersion.includes("/") || kind === "ReplicationController") return [];
  return [invalid(path, apiVersion, "apiVersion must specify API group")];
}

function zeroErrors({ minReplicas, metrics = [] }: Fields): FieldError[] {
  const outside = metrics.some(({ type }: Fields) => type === "Object" || type === "External");
  if (minReplicas !== 0 || outside) return [];
  const message = "must specify at least one Object or External metric to support scaling to zero replicas";
  return [forbidden("spec.metrics", message)];
}

const sources: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

function metricErrors(metric: Fields, path: string): FieldError[] {
  const expected = Object.hasOwn(sources, metric.type ?? "") ? sources[metric.type] : undefined;
  const present = Object.values(sources).filter((source) => metric[source] != null);
  const only = judgedFirst.find((source) => present.includes(source));
  const errors = expected === undefined ? metricTypeErrors(metric.type ?? "", `${path}.type`) : [];
  if (only !== undefined) errors.push(...sourceErrors(metric[only], `${path}.${only}`, only));
  if (expected !== undefined && metric[expected] == null) {
    errors.push(required(`${path}.${expected}`, "must populate information for the given metric source"));
  }
  if (present.length === 1) return errors;
  const others = present.filter((source) => source !== expected);
  return [
    ...errors,
    ...others.map((source) => forbidden(`${path}.${source}`, "must populate the given metric source only")),
  ];
}

/** The first of these that is there is looked at. */
const judgedFirst = ["object", "external", "pods", "resource", "containerResource"];

function metricTypeErrors(type: string, path: string): FieldError[] {
  return [
    ...(type === "" ? [required(path, "must specify a metric source type")] : []),
    notSupported(path, namedText(type), Object.keys(sources)),
  ];
}

function sourceErrors(source: Fields, path: string, sort: string): FieldError[] {
  const target: Fields = source.target ?? {};
  const errors: FieldError[] = [];
  if (sort === "resource" || sort === "containerResource") {
    if (isMissing(source.name)) errors.push(required(`${path}.name`, "must specify a resource name"));
    if (sort === "containerResource") errors.push(...containerReferenceErrors(source, path));
  } else if (isMissing(source.metric?.name)) errors.push(required(`${path}.metric.name`, "must specify a metric name"));
  else errors.push(...textErrors(`${path}.metric.name`, source.metric.name, pathSegmentErrors));
  if (sort === "object") errors.push(...targetReferenceErrors(source.describedObject ?? {}, `${path}.describedObject`));
  return [...errors, ...targetErrors(target, `${path}.target`), ...choiceErrors(target, `${path}.target`, sort)];
}

function containerReferenceErrors({ name, container }: Fields, path: string): FieldError[] {
  return [
    ...(isMissing(name) ? [] : containerResourceErrors(`${path}.name`, name)),
    ...(isMissing(container)
      ? [required(`${path}.container`, "must specify a container")]
      : textErrors(`${path}.container`, container, dnsLabelErrors)),
  ];
}

function targetErrors(target: Fields, path: string): FieldError[] {
  const errors = isMissing(target.type) ? [required(`${path}.type`, "must specify a metric target type")] : [];
  const known = ["Utilization", "Value", "AverageValue"].includes(target.type);
  if (!known)
    errors.push(
      invalid(`${path}.type`, namedText(target.type ?? ""), "must be either Utilization, Value, or AverageValue"),
    );
  for (const field of ["value", "averageValue"]) {
    if (target[field] != null && positiveAmount(path, target[field]).length > 0) {
      errors.push(invalid(`${path}.${field}`, target[field], "must be positive"));
    }
  }
  if (target.averageUtilization != null && target.averageUtilization < 1) {
    errors.push(invalid(`${path}.averageUtilization`, target.averageUtilization, "must be greater than 0"));
  }
  return errors;
}

function choiceErrors({ value, averageValue, averageUtilization }: Fields, path: string, sort: string): FieldError[] {
  if (sort === "resource" || sort === "containerResource") {
    if (averageUtilization == null && averageValue == null) {
      return [required(`${path}.averageUtilization`, "must set either a target raw value or a target utilization")];
    }
    if (averageUtilization == null || averageValue == null) return [];
    return [forbidden(`${path}.averageValue`, "may not set both a target raw value and a target utilization")];
  }
  if (sort === "pods") {
    return averageValue == null
      ? [required(`${path}.averageValue`, "must specify a positive target averageValue")]
      : [];
  }
  if (value == null && averageValue == null) {
    const words =
      sort === "object" ? "a target value or averageValue" : "a target value for metric or a per-pod target";
    return [required(`${path}.averageValue`, `must set either ${words}`)];
  }
  if (sort === "object" || value == null || averageValue == null) return [];
  return [forbidden(`${path}.value`, "may not set both a target value for metric and a per-pod target")];
}

function behaviorErrors(rules: Fields, path: string): FieldError[] {
  const window = rules.stabilizationWindowSeconds;
  const errors: FieldError[] = [];
  if (window < 0)
    errors.push(invalid(`${path}.stabilizationWindowSeconds`, window, "must be greater than or equal to zero"));
  if (window > 3600) {
    errors.push(invalid(`${path}.stabilizationWindowSeconds`, window, "must be less than or equal to 3600"));
  }
  errors.push(...oneOfGiven(`${path}.selectPolicy`, rules.selectPolicy, ["Disabled", "Max", "Min"]));
  const policies: readonly Fields[] = rules.policies ?? [];
  if (policies.length === 0) errors.push(required(`${path}.policies`, "must specify at least one Policy"));
  return [...errors, ...policies.flatMap((policy, index) => policyErrors(policy, `${path}.policies[${index}]`))];
}

function policyErrors({ type, value = 0, periodSeconds = 0 }: Fields, path: string): FieldError[] {
  const errors = oneOfGiven(`${path}.type`, type ?? "", ["Percent", "Pods"]);
  if (value <= 0) errors.push(invalid(`${path}.value`, value, "must be greater than zero"));
  if (periodSeconds <= 0) errors.push(invalid(`${path}.periodSeconds`, periodSeconds, "must be greater than zero"));
  if (periodSeconds > 1800) {
    errors.push(invalid(`${path}.periodSeconds`, periodSeconds, "must be less than or equal to 1800"));
  }
  return errors;
}
