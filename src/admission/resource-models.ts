import type { Cluster } from "#api/cluster/cluster.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { isJsonObject } from "#base/json.ts";

type ResourceModel = NonNullable<Cluster["spec"]["resourceModels"]>[number];

/** The upper end of the last grade: the largest 64-bit integer stands for no limit. */
export const unlimited = "9223372036854775807";

const cpuBounds = ["0", "1", "2", "4", "8", "16", "32", "64", "128", unlimited];
const memoryBounds = ["0", "4Gi", "16Gi", "32Gi", "64Gi", "128Gi", "256Gi", "512Gi", "1Ti", unlimited];

/** The grades of nodes of a cluster that names none. */
export function defaultResourceModels(): ResourceModel[] {
  return cpuBounds.slice(1).map((cpuMax, grade) => ({
    grade,
    ranges: [
      { name: "cpu", min: cpuBounds[grade]!, max: cpuMax },
      { name: "memory", min: memoryBounds[grade]!, max: memoryBounds[grade + 1]! },
    ],
  }));
}

/** The grades in order; the first begins at nothing and the last has no end, whatever was written. */
export function standardizeResourceModels(models: readonly unknown[]): unknown[] {
  if (!models.every(isGrade)) return [...models]; // the schema will refuse it
  const sorted = models.toSorted((a, b) => Number(a["grade"]) - Number(b["grade"]));
  return sorted.map((model, index) => ({
    ...model,
    ranges: model["ranges"].map((range: Fields) => ({
      ...range,
      ...(index === 0 && { min: "0" }),
      ...(index === sorted.length - 1 && { max: unlimited }),
    })),
  }));
}

function isGrade(model: unknown): model is Fields {
  return isJsonObject(model) && Array.isArray(model["ranges"]) && model["ranges"].every(isJsonObject);
}
