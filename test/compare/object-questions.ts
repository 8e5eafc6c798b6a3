import type { Fields } from "#api/meta/object-meta.ts";
import type { Dice } from "#test/world/dice.ts";
import { Mutator } from "./mutate-object.ts";
import type { QuestionMaker, RequestQuestion } from "./request-question.ts";
import type { Sample } from "./sample-objects.ts";

/** A new object with faults. */
export function createQuestion({ collection, object, type }: Sample, dice: Dice): RequestQuestion {
  const named = { ...object, metadata: { ...object["metadata"], name: "new" } };
  return {
    method: "POST",
    path: `${collection}?${dryRun(dice)}`,
    body: JSON.stringify(new Mutator(dice).mutated(named, type.schema)),
  };
}

/** A new object or the object itself with values at places that people seldom use. */
export function deepQuestion({ collection, object, type }: Sample, dice: Dice): RequestQuestion {
  const isNew = dice.happens(0.7);
  const named = isNew ? { ...object, metadata: { ...object["metadata"], name: "new" } } : object;
  return {
    method: isNew ? "POST" : "PUT",
    path: `${collection}${isNew ? "" : `/${object["metadata"].name}`}?${dryRun(dice)}`,
    body: JSON.stringify(new Mutator(dice).reached(named, type.schema)),
  };
}

/** The object itself with faults. */
export function updateQuestion({ collection, object, type }: Sample, dice: Dice): RequestQuestion {
  return {
    method: "PUT",
    path: `${collection}/${object["metadata"].name}?${dryRun(dice)}`,
    body: JSON.stringify(new Mutator(dice).mutated(object, type.schema)),
  };
}

/** Operations that put faults into the object. */
export function jsonPatchQuestion({ collection, object, type }: Sample, dice: Dice): RequestQuestion {
  return {
    method: "PATCH",
    path: `${collection}/${object["metadata"].name}?${dryRun(dice)}`,
    contentType: "application/json-patch+json",
    body: JSON.stringify(jsonPatch(object, new Mutator(dice).mutated(object, type.schema), dice)),
  };
}

/** A configuration with faults. */
export function applyQuestion({ collection, object, type }: Sample, dice: Dice): RequestQuestion {
  return {
    method: "PATCH",
    path: `${collection}/${object["metadata"].name}?${dryRun(dice)}${dice.happens(0.9) ? "&fieldManager=m" : ""}${dice.happens(0.5) ? "&force=true" : ""}`,
    contentType: "application/apply-patch+yaml",
    body: JSON.stringify(new Mutator(dice).mutated(object, type.schema)),
  };
}

/** A query under which nothing is kept. */
export function dryRun(dice: Dice): string {
  return `dryRun=All${dice.happens(0.3) ? `&fieldValidation=${dice.of(["Strict", "Ignore", "Warn"])}` : ""}`;
}

/** A merge patch of either sort with faults. */
export function patchQuestion(contentType: string): QuestionMaker {
  return ({ collection, object, type }, dice) => {
    const changed = new Mutator(dice).mutated(object, type.schema);
    const kept = Object.entries(changed).filter(([name]) => name !== "apiVersion" && name !== "kind");
    const path = `${collection}/${object["metadata"].name}?${dryRun(dice)}`;
    const body: Fields = Object.fromEntries(kept.filter(() => dice.happens(0.8)));
    if (dice.happens(0.15)) {
      const values: readonly unknown[] = ["replace", "delete", "odd", [], 1];
      body[dice.of(["$patch", "$retainKeys", "$setElementOrder/x"])] = dice.of(values);
    }
    const text = dice.happens(0.03) ? dice.of(["[]", "1", "null", '"a"', "{", ""]) : JSON.stringify(body);
    return { method: "PATCH", path, contentType, body: text };
  };
}

function jsonPatch(from: Fields, to: Fields, dice: Dice): unknown {
  if (dice.happens(0.04))
    return dice.of<unknown>([{}, 1, null, [1], [{}], [{ op: "odd", path: "/a" }], [{ op: "add" }]]);
  const operations: Fields[] = [];
  for (const part of ["metadata", "spec", "data", "status", "rules"]) {
    if (JSON.stringify(from[part]) === JSON.stringify(to[part])) continue;
    operations.push(
      to[part] === undefined
        ? { op: "remove", path: `/${part}` }
        : { op: dice.of(["replace", "add"]), path: `/${part}`, value: to[part] },
    );
  }
  if (dice.happens(0.3)) {
    const path = dice.of([
      "/spec/none",
      "/metadata/labels/a",
      "/metadata/name",
      "/kind",
      "",
      "a",
      "/spec/containers/7",
      "/spec/-",
      "/metadata/labels/a~1b",
    ]);
    operations.push({
      op: dice.of(["test", "remove", "replace", "add", "move", "copy"]),
      path,
      from: "/spec/none",
      value: dice.of<unknown>(["x", 1, null, {}]),
    });
  }
  return operations;
}
