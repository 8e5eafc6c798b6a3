import { expect, test } from "vitest";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { namespaceStrategy } from "./namespace.ts";

const created = (): Draft => {
  const draft: Draft = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  namespaceStrategy.applyDefaults?.(draft);
  namespaceStrategy.prepareForCreate?.(draft);
  return draft;
};

test("a namespace that is deleted turns Terminating and stays while its spec has finalizers", () => {
  const draft = created();
  namespaceStrategy.prepareForDelete?.(draft);
  expect(draft.status).toEqual({ phase: "Terminating" });
  expect(namespaceStrategy.isDeletable?.(draft as unknown as ApiObject)).toBe(false);
  draft.spec.finalizers = [];
  expect(namespaceStrategy.isDeletable?.(draft as unknown as ApiObject)).toBe(true);
});

test("an update neither adds nor removes the finalizers of the spec", () => {
  const stored = created();
  const draft = created();
  draft.spec.finalizers = [];
  namespaceStrategy.prepareForUpdate?.(draft, stored as unknown as ApiObject);
  expect(draft.spec.finalizers).toEqual(["kubernetes"]);
});
