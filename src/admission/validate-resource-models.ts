import type { Cluster } from "#api/cluster/cluster.ts";
import { type FieldError, invalid, notSupported } from "#base/field-error.ts";
import { RawNumber } from "#base/json.ts";
import { compareQuantities, parseQuantity, type Quantity } from "#base/quantity.ts";
import { unlimited } from "./resource-models.ts";

type ResourceModels = NonNullable<Cluster["spec"]["resourceModels"]>;
type Range = ResourceModels[number]["ranges"][number];

const resources = ["cpu", "ephemeral-storage", "memory", "storage"];
const zero = quantityOf("0");
const highest = quantityOf(unlimited);

/** What is wrong with grades of nodes: together they divide everything from nothing to no limit. The first finding counts. */
export function resourceModelErrors(models: ResourceModels, path: string): FieldError[] {
  for (const [index, model] of models.entries()) {
    const before = models[index - 1];
    const unknown = model.ranges.find(({ name }) => !resources.includes(name));
    if (unknown !== undefined) return [notSupported(`${path}.ranges.name`, unknown.name, resources)];
    const problem =
      (before && gradeProblem(model, before)) ??
      firstOf(model.ranges, (range, at) => rangeProblem(range, before?.ranges[at])) ??
      (index === models.length - 1 ? firstOf(model.ranges, endProblem) : undefined);
    if (problem !== undefined) return [invalid(path, models, problem)];
  }
  return [];
}

function gradeProblem(model: ResourceModels[number], before: ResourceModels[number]): string | undefined {
  if (model.grade === before.grade) return "The grade of each models should not be the same";
  if (model.ranges.length !== before.ranges.length) return "The number of resource types should be the same";
  return undefined;
}

function rangeProblem({ name, min, max }: Range, before: Range | undefined): string | undefined {
  if (compareQuantities(quantityOf(max), quantityOf(min)) <= 0) {
    return "The max value of each resource must be greater than the min value";
  }
  if (before === undefined) {
    return isEqual(quantityOf(min), zero) ? undefined : "The min value of each resource in the first model should be 0";
  }
  if (before.name !== name) return "The resource types of each models should be the same";
  return isEqual(quantityOf(before.max), quantityOf(min))
    ? undefined
    : "Model intervals for resources must be contiguous and non-overlapping";
}

function endProblem({ max }: Range): string | undefined {
  if (isEqual(quantityOf(max), highest)) return undefined;
  return "The max value of each resource in the last model should be MaxInt64";
}

function firstOf<T>(
  items: readonly T[],
  problemOf: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isEqual(a: Quantity, b: Quantity): boolean {
  return compareQuantities(a, b) === 0;
}

/** The schema has checked the form; what is left cannot be compared and counts as nothing. */
function quantityOf(amount: string | number | RawNumber): Quantity {
  const text = amount instanceof RawNumber ? amount.token : String(amount);
  return parseQuantity(text) ?? { nanos: 0n, format: "DecimalSI" };
}
