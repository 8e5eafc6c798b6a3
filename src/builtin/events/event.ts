import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { canonicalMicroTimes } from "../micro-time.ts";
import { immutable, immutableIn, isMissing, qualifiedName, sameValue } from "../value-rules.ts";

const referenceFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/**
 * Events, by the shape they are stored in: that of core/v1. Those of events.k8s.io/v1 are converted before and after,
 * and judged more strictly.
 */
export const eventStrategy: Strategy = strategyOf("core");
/** The same through the door of events.k8s.io/v1. */
export const newEventStrategy: Strategy = strategyOf("events");

type Door = "core" | "events";

function strategyOf(door: Door): Strategy {
  return {
    generation: "none",
    unconditionalUpdate: true,
    createOnUpdate: true,
    ...(door === "core" ? { leavesMetadata: true } : { prefixJudgedOnce: true }),
    fieldSelectors: selectorsOf(door),
    applyDefaults: (draft: Draft) => {
      canonicalMicroTimes(draft, "eventTime");
      canonicalMicroTimes(draft.series, "lastObservedTime");
      // Go structs and unset times that are always printed
      draft[names[door].object] ??= {};
      draft[names[door].source] ??= {};
      for (const time of [...names[door].times, "eventTime"]) draft[time] ??= null;
      if (door === "core") for (const text of ["reportingComponent", "reportingInstance"]) draft[text] ??= "";
    },
    validate: (object: Fields) => validateEvent(object, door),
    ...(door === "core" ? {} : { validateNew: strictErrors }),
    validateUpdate: (object: Fields, old: Fields) => (door === "core" ? [] : updateErrors(object, old)),
  };
}

function selectorsOf(door: Door): Record<string, (object: Fields) => string> {
  const holder = door === "core" ? "involvedObject" : "regarding";
  const readers = referenceFields.map((field) => [
    `${holder}.${field}`,
    (object: Fields): string => object[holder]?.[field] ?? "",
  ]);
  const reporter = door === "core" ? "reportingComponent" : "reportingController";
  return {
    ...Object.fromEntries(readers),
    reason: (object) => object.reason ?? "",
    [reporter]: (object) => object[reporter] ?? "",
    type: (object) => object.type ?? "",
    ...(door === "core" && { source: (object) => object.source?.component || object.reportingComponent || "" }),
  };
}

/** The names of one thing in both shapes. */
const names = {
  core: {
    object: "involvedObject",
    reporter: "reportingComponent",
    message: "message",
    source: "source",
    times: ["firstTimestamp", "lastTimestamp"],
  },
  events: {
    object: "regarding",
    reporter: "reportingController",
    message: "note",
    source: "deprecatedSource",
    times: ["deprecatedFirstTimestamp", "deprecatedLastTimestamp"],
  },
} as const;

function validateEvent(event: Fields, door: Door): FieldError[] {
  const namespace = event.metadata.namespace ?? "";
  const about = event[names[door].object]?.namespace ?? "";
  const mismatch = [invalid("involvedObject.namespace", about, "does not match event.namespace")];
  if (isMissing(event.eventTime)) {
    const agrees = about === "" ? namespace === "" || namespace === "default" : about === namespace;
    return agrees ? [] : mismatch;
  }
  const homeless = about === "" && namespace !== "default" && namespace !== "kube-system";
  return [...(homeless ? mismatch : []), ...newEventErrors(event, door)];
}

const lengthLimits: readonly (readonly [string, number])[] = [
  ["reportingInstance", 128],
  ["action", 128],
  ["reason", 128],
];

function newEventErrors(event: Fields, door: Door): FieldError[] {
  const { reporter, message } = names[door];
  const errors = isMissing(event[reporter]) ? [required(reporter)] : [];
  errors.push(...qualifiedName(reporter, event[reporter]));
  for (const [field, limit] of lengthLimits) {
    if (isMissing(event[field])) errors.push(required(field));
    else if (byteLength(event[field]) > limit) errors.push(invalid(field, "", `can have at most ${limit} characters`));
  }
  if (byteLength(event[message] ?? "") > 1024) errors.push(invalid("message", "", "can have at most 1024 characters"));
  return errors;
}

function strictErrors(event: Fields): FieldError[] {
  const errors = isMissing(event.eventTime) ? [required("eventTime")] : [];
  if (event.type !== "Normal" && event.type !== "Warning") {
    errors.push(invalid("type", "", `has invalid value: ${event.type ?? ""}`));
  }
  for (const field of ["deprecatedFirstTimestamp", "deprecatedLastTimestamp"]) {
    const name = field === "deprecatedFirstTimestamp" ? "firstTimestamp" : "lastTimestamp";
    if (event[field] != null) errors.push(invalid(name, "", "needs to be unset"));
  }
  if (event.deprecatedCount) errors.push(invalid("count", "", "needs to be unset"));
  if (event.deprecatedSource?.component || event.deprecatedSource?.host) {
    errors.push(invalid("source", "", "needs to be unset"));
  }
  return [...errors, ...seriesErrors(event)];
}

function seriesErrors({ series }: Fields): FieldError[] {
  if (series == null) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(isMissing(series.lastObservedTime) ? [required("series.lastObservedTime")] : []),
  ];
}

/** What a message shows, the field, and what Go has where nothing is. */
const fixed: readonly (readonly [string, string, unknown])[] = [
  ["reason", "reason", ""],
  ["message", "note", ""],
  ["firstTimestamp", "deprecatedFirstTimestamp", null],
  ["lastTimestamp", "deprecatedLastTimestamp", null],
  ["count", "deprecatedCount", 0],
  ["type", "type", ""],
  ["eventTime", "eventTime", null],
  ["action", "action", ""],
  ["reportingController", "reportingController", ""],
  ["reportingInstance", "reportingInstance", ""],
];

const fixedStructs: readonly (readonly [string, string, string])[] = [
  ["involvedObject", "regarding", "core.ObjectReference"],
  ["source", "deprecatedSource", "core.EventSource"],
  ["related", "related", "core.ObjectReference"],
];

function updateErrors(event: Fields, old: Fields): FieldError[] {
  return [
    ...(sameValue(event.series, old.series) ? [] : seriesErrors(event)),
    ...fixed.flatMap(([path, field, none]) => immutable(path, event[field] ?? none, old[field] ?? none)),
    ...fixedStructs.flatMap(([path, field, type]) => immutableIn(type, path, { value: event[field], old: old[field] })),
  ];
}
