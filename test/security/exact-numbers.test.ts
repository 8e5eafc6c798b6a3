import { expect, test } from "vitest";
import { stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import type { NewObject } from "#client/client.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";

const spec = '{"big":9007199254740993,"float":1.0,"exponent":1e3,"zero":-0}';

test("SEC-38: numbers reach the member as the user wrote them, through template, work and copy", async () => {
  await using world = await World.start({ members: ["m1"], launch: (needs) => RoughFleet.launch(needs) });
  const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gauges.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: gauges, singular: gauge, kind: Gauge, listKind: GaugeList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
  await world.member("m1").apply(definition);
  await world.apply(definition);
  await world.timePasses(60);
  await world.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: all, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: example.com/v1, kind: Gauge }]
  placement: { clusterAffinity: { clusterNames: [m1] } }
`);
  // as JSON: YAML is read as Go reads it, where 1.0 is 1
  const text = `{"apiVersion":"example.com/v1","kind":"Gauge","metadata":{"name":"g","namespace":"shop"},"spec":${spec}}`;
  const gauges = { group: "example.com", version: "v1", resource: "gauges", kind: "Gauge", namespaced: true };
  await world.user().create(gauges, parseJson(text).value as unknown as NewObject); // a whole object
  await world.settle();
  await world.timePasses(60);
  const work = world.list("works").find(({ metadata }) => metadata.name.startsWith("g-"));
  expect(stringifyJson(work?.["spec"].workload.manifests[0].spec)).toBe(spec);
  expect(stringifyJson(world.member("m1").get("gauges/shop/g")?.["spec"])).toBe(spec);
});
