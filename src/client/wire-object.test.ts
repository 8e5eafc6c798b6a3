import { expect, test } from "vitest";
import { listOf, objectOf } from "./wire-object.ts";

const sent = () => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    annotations: { note: "x" },
    managedFields: [{ manager: "kubectl", operation: "Update", fieldsV1: { "f:data": {} } }],
    name: "a",
    resourceVersion: "7",
  },
  data: { managedFields: "a key of the user's" },
});

test("who owns which field is left out where nobody asks for it, and nothing else is", () => {
  const { managedFields: _, ...metadata } = sent().metadata;
  expect(objectOf(sent(), { withoutOwnersBut: "kubectl" })).toEqual({ ...sent(), metadata });
  const list = { apiVersion: "v1", kind: "ConfigMapList", metadata: { resourceVersion: "9" }, items: [sent()] };
  expect(listOf(list, { withoutOwnersBut: "kubectl" }).items).toEqual([{ ...sent(), metadata }]);
});

test("elsewhere objects are as they were sent", () => {
  expect(objectOf(sent())).toEqual(sent());
});

test("where others own something, that is all that is left of it", () => {
  expect(objectOf(sent(), { withoutOwnersBut: "flotilla" }).metadata.managedFields).toEqual([]);
});

test("of a manager that knows what it wrote, and of reports, only that they own something is left", () => {
  const entries = [
    { manager: "flotilla", operation: "Update", fieldsV1: { "f:spec": {} } },
    { manager: "kubelet", operation: "Update", subresource: "status", fieldsV1: { "f:status": {} } },
    { manager: "kubectl", operation: "Update", fieldsV1: { "f:data": {} } },
  ];
  const given = { ...sent(), metadata: { ...sent().metadata, managedFields: entries } };
  expect(objectOf(given, { contentOwnersBut: "flotilla" }).metadata.managedFields).toEqual([
    { manager: "flotilla", operation: "Update" },
    { manager: "kubelet", operation: "Update", subresource: "status" },
    entries[2],
  ]);
});
