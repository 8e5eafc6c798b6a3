import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { setMember } from "#base/json.ts";
import { compareQuantities, parseQuantity } from "#base/quantity.ts";
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
  validate: ({ spec }: Fields) => {
    const types = new Set<string>();
    return (spec?.limits ?? []).flatMap((limit: Fields, index: number) => {
      const path = `spec.limits[${index}]`;
      const errors = types.has(limit.type) ? [duplicate(`${path}.type`, limit.type)] : [];
      types.add(limit.type);
      return [...errors, ...podLimitErrors(limit, path), ...orderErrors(limit, path)];
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
  const names = new Set(lists.flatMap((list) => Object.keys(limit[list] ?? {})));
  return [...names].flatMap((name) =>
    orders.flatMap(({ low, high, at, shown, words }) => {
      const [lower, upper] = [limit[low]?.[name], limit[high]?.[name]];
      const [a, b] = [parseQuantity(String(lower)), parseQuantity(String(upper))];
      if (a === undefined || b === undefined || compareQuantities(a, b) <= 0) return [];
      const message = `${words[0]} ${lower} is greater than ${words[1]} ${upper}`;
      return [invalid(`${path}.${at}[${name}]`, limit[shown][name], message)];
    }),
  );
}
