import { expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { setAt, valueAt } from "./scale-form.ts";

const draft = () => ({ apiVersion: "v1", kind: "Thing", metadata: {}, spec: {} }) as unknown as Draft; // all that is looked at

test("SEC-34: a definition's path to replicas cannot reach a prototype", () => {
  for (const path of [".spec.__proto__.polluted", ".spec.constructor.prototype.polluted", ".__proto__.polluted"]) {
    const object = draft();
    setAt(object, path, 3);
    expect({}, path).not.toHaveProperty("polluted");
    expect(valueAt(object, path), "it is data like any other").toBe(3);
  }
});

test("objects on the way are made, others stay", () => {
  const object = draft();
  setAt(object, ".spec.pool.replicas", 2);
  expect(object["spec"]).toEqual({ pool: { replicas: 2 } });
});
