import { expect, test } from "vitest";
import { executionNamespaceOf, isReservedNamespace } from "./namespaces.ts";

test("the system's own namespaces are reserved, all others are not", () => {
  const names = ["karmada-system", "karmada-cluster", executionNamespaceOf("m1"), "karmada", "default", "karmada-es"];
  expect(names.filter(isReservedNamespace)).toEqual(["karmada-system", "karmada-cluster", "karmada-es-m1"]);
});
