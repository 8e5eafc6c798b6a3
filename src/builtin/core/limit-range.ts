import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError, forbidden, invalid, namedText, required } from "#base/field-error.ts";
import { setMember } from "#base/json.ts";
import { compareQuantities, parseQuantity } from "#base/quantity.ts";
import { containerResourceErrors, resourceNameErrors } from "../resource-names.ts";
import { canonicalResourceList } from "./canonical-quantities.ts";

const lists = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

/** LimitRanges. */
export const limitRangeStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  createOnUpdate: true,
  applyDefaults: (draft: Draft) => {
    for (const limit of draft.spec?.limits ?? []) defaultLimit(limit);
  },
  prepareForCreate: (draft) => {
    if (!draft.metadata.name) draft.metadata.name = draft.metadata.uid ?? "";
  },
  validate: ({ spec }: Fields) => {
    const types = new Set<string>();
    return (spec?.limits ?? []).flatMap((limit: Fields, index: number) => {
      const path = `spec.limits[${index}]`;
      const errors = limitTypeErrors(`${path}.type`, limit.type ?? "");
      if (types.has(limit.type)) errors.push(duplicate(`${path}.type`, namedText(limit.type)));
      types.add(limit.type);
      return [
        ...errors,
        ...listNameErrors(limit, path),
        ...podLimitErrors(limit, path),
        ...claimLimitErrors(limit, path),
        ...orderErrors(limit, path),
        ...ratioErrors(limit, path),
      ];
    });
  },
};

function defaultLimit(limit: Fields): void {
  for (const list of lists) canonicalResourceList(limit[list]);
  if (limit.type !== "Container") return;
  limit.default = withMissing(limit.default, limit.max);
  limit.defaultRequest = withMissing(withMissing(limit.defaultRequest, limit.default), limit.min);
}

function withMissing(list: Fields | undefined, more: Fields | undefined): Fields {
  const result: Fields = { ...list };
  for (const [name, amount] of Object.entries(more ?? {})) {
    if (!Object.hasOwn(result, name)) setMember(result, name, amount);
  }
  return result;
}

function limitTypeErrors(path: string, type: string): FieldError[] {
  const problems = qualifiedNameErrors(type).map((message) => invalid(path, namedText(type), message));
  const standard = type.includes("/") || ["Pod", "Container", "PersistentVolumeClaim"].includes(type);
  if (problems.length > 0 || standard) return problems;
  return [invalid(path, namedText(type), "must be a standard limit type or fully qualified")];
}

function listNameErrors(limit: Fields, path: string): FieldError[] {
  const ofContainers = limit.type === "Pod" || limit.type === "Container";
  const rule = ofContainers ? containerResourceErrors : resourceNameErrors;
  return judgedLists(limit).flatMap((list) =>
    Object.keys(limit[list] ?? {}).flatMap((name) => rule(`${path}.${list}[${name}]`, name)),
  );
}

/** What pods may not have is refused as a whole. */
function judgedLists(limit: Fields): readonly string[] {
  return limit.type === "Pod" ? lists.filter((list) => !list.startsWith("default")) : lists;
}

function claimLimitErrors(limit: Fields, path: string): FieldError[] {
  if (limit.type !== "PersistentVolumeClaim" || limit.min?.storage != null || limit.max?.storage != null) return [];
  const message = "either minimum or maximum storage value is required, but neither was provided";
  return [required(`${path}.limits`, message)];
}

function ratioErrors(limit: Fields, path: string): FieldError[] {
  return Object.entries(limit.maxLimitRequestRatio ?? {}).flatMap(([name, text]) => {
    const [ratio, low, high] = [text, limit.min?.[name], limit.max?.[name]].map((each) => parseQuantity(String(each)));
    if (ratio === undefined) return [];
    const at = `${path}.maxLimitRequestRatio[${name}]`;
    const errors = ratio.nanos < one ? [invalid(at, text, `ratio ${text} is less than 1`)] : [];
    if (low === undefined || high === undefined) return errors;
    const bound = Number(high.nanos) / Number(low.nanos);
    if (Number(ratio.nanos) / Number(one) <= bound) return errors;
    return [...errors, invalid(at, text, `ratio ${text} is greater than max/min = ${bound.toFixed(6)}`)];
  });
}

const one = 1_000_000_000n;

function podLimitErrors(limit: Fields, path: string): FieldError[] {
  if (limit.type !== "Pod") return [];
  return ["default", "defaultRequest"]
    .filter((list) => Object.keys(limit[list] ?? {}).length > 0)
    .map((list) => forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'"));
}

interface Order {
  readonly low: string;
  readonly high: string;
  /** The list that is blamed, and the list whose amount is shown. */
  readonly at: string;
  readonly shown: string;
  readonly words: readonly [string, string];
}

const orders: readonly Order[] = [
  { low: "min", high: "max", at: "min", shown: "min", words: ["min value", "max value"] },
  {
    low: "min",
    high: "defaultRequest",
    at: "defaultRequest",
    shown: "defaultRequest",
    words: ["min value", "default request value"],
  },
  {
    low: "defaultRequest",
    high: "max",
    at: "defaultRequest",
    shown: "defaultRequest",
    words: ["default request value", "max value"],
  },
  {
    low: "defaultRequest",
    high: "default",
    at: "defaultRequest",
    shown: "defaultRequest",
    words: ["default request value", "default limit value"],
  },
  { low: "min", high: "default", at: "default", shown: "min", words: ["min value", "default value"] },
  { low: "default", high: "max", at: "default", shown: "max", words: ["default value", "max value"] },
];

function orderErrors(limit: Fields, path: string): FieldError[] {
  const judged = judgedLists(limit);
  const names = new Set(judged.flatMap((list) => Object.keys(limit[list] ?? {})));
  return [...names].flatMap((name) =>
    orders.flatMap(({ low, high, at, shown, words }) => {
      if (!judged.includes(low) || !judged.includes(high)) return [];
      const [lower, upper] = [limit[low]?.[name], limit[high]?.[name]];
      const [a, b] = [parseQuantity(String(lower)), parseQuantity(String(upper))];
      if (a === undefined || b === undefined || compareQuantities(a, b) <= 0) return [];
      const message = `${words[0]} ${lower} is greater than ${words[1]} ${upper}`;
      return [invalid(`${path}.${at}[${name}]`, limit[shown][name], message)];
    }),
  );
}
