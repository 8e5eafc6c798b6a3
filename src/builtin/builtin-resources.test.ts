import { expect, test } from "vitest";
import { required } from "#base/field-error.ts";
import { builtinResources } from "./builtin-resources.ts";
import { findDataDirectory } from "./data-directory.ts";
import { loadBuiltinCatalog } from "./load-schemas.ts";

const catalog = loadBuiltinCatalog(findDataDirectory());
const types = builtinResources(catalog);
const typeOf = (group: string, kind: string) => types.find((type) => type.group === group && type.kind === kind)!;

test("events of both groups are kept in one place, in one shape", () => {
  const [core, events] = [typeOf("", "Event"), typeOf("events.k8s.io", "Event")];
  expect(events.storagePrefix).toBe(`${core.group}/${core.plural}`);
  expect([core.convert, events.convert]).toEqual([undefined, expect.anything()]);
});

test("what can be scaled says where its replicas are", () => {
  const scaled = types.filter(({ subresources }) => subresources.scale !== undefined).map(({ kind }) => kind);
  expect(scaled.toSorted()).toEqual(["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"]);
});

test("autoscalers are served in two versions and kept in one place", () => {
  const autoscalers = types.filter(({ group }) => group === "autoscaling");
  expect(autoscalers.map(({ version, convert }) => [version, convert !== undefined])).toEqual([
    ["v2", false],
    ["v1", true],
  ]);
  expect(new Set(autoscalers.map(({ storagePrefix }) => storagePrefix)).size).toBe(1);
});

test("the schemas inside a definition are judged by the check that is handed in", () => {
  const [definition] = builtinResources(catalog, { schemaErrors: (_, path) => [required(path)] }).filter(
    ({ kind }) => kind === "CustomResourceDefinition",
  );
  const draft = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "webs.example.com", uid: "u", resourceVersion: "1", creationTimestamp: "2026-11-15T08:00:00Z" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "webs", singular: "web", kind: "Web", listKind: "WebList" },
      conversion: { strategy: "None" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: {} } }],
    },
    status: { storedVersions: ["v1"] },
  };
  expect(definition?.strategy.validate?.(draft)).toEqual([required("spec.validation.openAPIV3Schema")]);
});

test("facts that differ from kind to kind", () => {
  const of = (group: string, kind: string) => typeOf(group, kind).strategy;
  const createdByPut = types.filter(({ strategy }) => strategy.createOnUpdate).map(({ kind }) => kind);
  expect([...new Set(createdByPut)].toSorted()).toEqual([
    ...["ClusterRole", "ClusterRoleBinding", "Endpoints", "Event", "Lease", "LimitRange"],
    ...["Role", "RoleBinding", "RuntimeClass", "Service"],
  ]);
  expect([of("batch", "Job").defaultPropagation, of("apps", "Deployment").defaultPropagation]).toEqual([
    "Orphan",
    undefined,
  ]);
  expect([of("", "Pod").gracefulDeletion, of("", "Secret").gracefulDeletion]).toEqual([true, undefined]);
  expect([of("coordination.k8s.io", "Lease").unconditionalUpdate, of("", "Secret").unconditionalUpdate]).toEqual([
    false,
    true,
  ]);
  expect([of("", "Namespace").nameRule, of("rbac.authorization.k8s.io", "Role").nameRule]).toEqual([
    "dns-label",
    "path-segment",
  ]);
});
