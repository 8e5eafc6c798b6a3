import { expect, test } from "vitest";
import { bindingNameOf, dependedByLabelOf, workNameOf } from "./derived-names.ts";

test("a binding is called after its template, in lower case and without colons", () => {
  expect(bindingNameOf({ kind: "ClusterRole", name: "system:Foo" })).toBe("system.foo-clusterrole");
});

test.each([
  ["a namespaced object", { kind: "Deployment", name: "nginx", namespace: "default" }, "nginx-687f7fb96f"],
  [
    "an object with a dash in its name",
    { kind: "ConfigMap", name: "my-config", namespace: "default" },
    "my-config-76984bdf6f",
  ],
  ["a cluster-scoped object", { kind: "Namespace", name: "user1" }, "user1-66bd8854c9"],
  ["a name with a colon", { kind: "ClusterRole", name: "system:foo", namespace: "" }, "system.foo-5f7d88f69"],
])("the work of %s has the name that Karmada gives it", (_name, object, expected) => {
  expect(workNameOf(object)).toBe(expected);
});

test("letters are lowered one by one, as Go does", () => {
  expect(bindingNameOf({ kind: "Role", name: "ΟΔΟΣ İ" })).toBe("οδοσ i-role");
});

test("an attached binding names whom it follows by a hash", () => {
  expect(dependedByLabelOf({ namespace: "default", name: "myapp-deployment" })).toBe(
    "resourcebinding.karmada.io/depended-by-6df6d5d8c6",
  );
});
