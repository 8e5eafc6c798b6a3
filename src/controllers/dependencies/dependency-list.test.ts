import { describe, expect, test } from "vitest";
import type { Dependency } from "#interpreter/dependencies.ts";
import { listDependencies, readDependencyList } from "./dependency-list.ts";

const template = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
const referrer = { namespace: "shop", template };
const named = (kind: string, name: string, namespace = "shop"): Dependency => ({
  apiVersion: "v1",
  kind,
  namespace,
  name,
});
const unread = (value: unknown) => value as Dependency; // what a script may return

describe("the list that a binding records", () => {
  test("is sorted, each dependency once, and the same whatever the order they were found in", () => {
    const found = [named("Secret", "a"), named("ConfigMap", "b"), named("ConfigMap", "a"), named("ConfigMap", "b")];
    const listed = listDependencies(found, referrer);
    const again = listDependencies(found.toReversed(), referrer);
    expect(listed).toEqual(again);
    expect(listed.ok && listed.value.text).toBe(
      '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"a"},' +
        '{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"b"},' +
        '{"apiVersion":"v1","kind":"Secret","namespace":"shop","name":"a"}]',
    );
    expect(listed.ok && readDependencyList(listed.value.text)).toEqual(listed.ok && listed.value.dependencies);
  });

  test("leaves out what must not follow, and says so", () => {
    const found = [named("Secret", "a", "b"), named("ServiceAccount", "default"), named("ConfigMap", "a")];
    const listed = listDependencies(found, referrer);
    expect(listed.ok && listed.value.dependencies).toEqual([named("ConfigMap", "a")]);
    expect(listed.ok && listed.value.leftOut).toEqual([
      "Secret b/a (it is not in the namespace of its referrer)",
      "ServiceAccount shop/default (every namespace has one of its own)",
    ]);
  });

  test("puts what names no namespace into that of its referrer", () => {
    const listed = listDependencies([{ apiVersion: "v1", kind: "ConfigMap", name: "a" }], referrer);
    expect(listed.ok && listed.value.dependencies).toEqual([named("ConfigMap", "a")]);
  });

  const selecting = (labelSelector: unknown) => unread({ apiVersion: "v1", kind: "Pod", labelSelector });
  test.each<[string, readonly Dependency[]]>([
    ["more than a thousand", Array.from({ length: 1_001 }, (_, n) => named("ConfigMap", `c${n}`))],
    ["more than fits", Array.from({ length: 1_000 }, (_, n) => named("ConfigMap", `${"x".repeat(240)}${n}`))],
    ["no apiVersion", [unread({ kind: "Pod", name: "a" })]],
    ["an apiVersion with blanks", [unread({ apiVersion: "v1 Secret", kind: "Pod", name: "a" })]],
    ["an apiVersion that is no text", [unread({ apiVersion: 1, kind: "Pod", name: "a" })]],
    ["no kind", [unread({ apiVersion: "v1", name: "a" })]],
    ["a kind with a path", [unread({ apiVersion: "v1", kind: "Secret shop/x", name: "a" })]],
    ["a kind that is a list", [unread({ apiVersion: "v1", kind: ["Secret"], name: "a" })]],
    ["an endless kind", [unread({ apiVersion: "v1", kind: "K".repeat(64), name: "a" })]],
    ["a name that is no text", [unread({ apiVersion: "v1", kind: "Pod", name: 7 })]],
    ["an empty name", [unread({ apiVersion: "v1", kind: "Pod", name: "" })]],
    ["an endless name", [named("Pod", "x".repeat(254))]],
    ["a namespace that is no text", [unread({ ...named("Pod", "a"), namespace: {} })]],
    ["an endless namespace", [named("Pod", "a", "x".repeat(300))]],
    ["neither name nor selector", [unread({ apiVersion: "v1", kind: "Pod" })]],
    ["a selector that is no object", [selecting("app=web")]],
    ["a selector that is a list", [selecting([])]],
    ["labels that are no map", [selecting({ matchLabels: "app" })]],
    ["labels that are a list", [selecting({ matchLabels: ["app"] })]],
    ["a label that is no text", [selecting({ matchLabels: { app: 1 } })]],
    ["a label that is an object", [selecting({ matchLabels: { app: {} } })]],
    ["a label key that is none", [selecting({ matchLabels: { "a b": "x" } })]],
    ["a label value that is none", [selecting({ matchLabels: { app: "a b" } })]],
    ["expressions that are no list", [selecting({ matchExpressions: {} })]],
    ["an expression that is a text", [selecting({ matchExpressions: ["app"] })]],
    ["an expression without a key", [selecting({ matchExpressions: [{ operator: "Exists" }] })]],
    ["an expression without an operator", [selecting({ matchExpressions: [{ key: "app" }] })]],
    ["an unheard-of operator", [selecting({ matchExpressions: [{ key: "app", operator: "Like" }] })]],
    ["an expression without values", [selecting({ matchExpressions: [{ key: "app", operator: "In" }] })]],
    ["values that are no texts", [selecting({ matchExpressions: [{ key: "app", operator: "In", values: [1] }] })]],
    ["one bad among good ones", [named("ConfigMap", "a"), unread({ apiVersion: "v1", kind: "Pod" })]],
  ])("is refused as a whole: %s", (_, found) => {
    expect(listDependencies(found, referrer)).toMatchObject({ ok: false, why: "faulty" });
  });
});

test.each([
  ["nothing", undefined],
  ["no JSON", "["],
  ["no list", '{"a":1}'],
  ["no objects", "[1,null,[]]"],
  ["things of no kind", '[{"apiVersion":"v1","name":"a"},{"apiVersion":"v1","kind":"Pod"}]'],
])("an annotation that says %s names no dependency", (_, text) => {
  expect(readDependencyList(text)).toEqual([]);
});
