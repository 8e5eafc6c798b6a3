import { afterEach, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { createClient, type NewObject } from "#client/client.ts";
import { World } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: squads.example.io }
spec:
  group: example.io
  names: { kind: Squad, plural: squads, singular: squad }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const squad = `
apiVersion: example.io/v1
kind: Squad
metadata: { name: red, namespace: shop }
spec: { crew: { size: 6 } }
`;
const policy = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: squads, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: example.io/v1, kind: Squad }]
  placement: { replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted } }
`;
const customization = ({
  replicas = "return obj.spec.crew.size",
  health = "return observedObj.status ~= nil and observedObj.status.ready == observedObj.spec.crew.size",
}) => `
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: { name: squads }
spec:
  target: { apiVersion: example.io/v1, kind: Squad }
  customizations:
    replicaResource:
      luaScript: "function GetReplicas(obj) ${replicas} end"
    replicaRevision:
      luaScript: |
        function ReviseReplica(obj, desiredReplica)
          obj.spec.crew.size = desiredReplica
          return obj
        end
    retention:
      luaScript: |
        function Retain(desiredObj, observedObj)
          desiredObj.spec.seat = observedObj.spec.seat
          return desiredObj
        end
    statusReflection:
      luaScript: |
        function ReflectStatus(observedObj)
          if observedObj.status == nil then return nil end
          return { ready = observedObj.status.ready }
        end
    statusAggregation:
      luaScript: |
        function AggregateStatus(desiredObj, statusItems)
          local ready = 0
          for _, item in ipairs(statusItems) do
            if item.status ~= nil then ready = ready + item.status.ready end
          end
          desiredObj.status = { ready = ready }
          return desiredObj
        end
    healthInterpretation:
      luaScript: "function InterpretHealth(observedObj) ${health} end"
`;

const members = ["m1", "m2", "m3"];
const red = "squads/shop/red";

/** A fleet that knows squads and what they mean. */
async function squads(): Promise<World> {
  const fleet = await World.start();
  world = fleet;
  await fleet.apply(definition);
  const [there] = parseYamlDocuments(definition);
  for (const name of members) await fleet.member(name).create(there!.value as NewObject); // a manifest
  await fleet.timePasses(30); // the members report what they serve
  await fleet.apply(customization({}));
  await fleet.apply(policy);
  await fleet.apply(squad);
  return fleet;
}

const sizes = (fleet: World) => members.map((name) => fleet.member(name).get(red)?.["spec"].crew.size);
const health = (fleet: World) =>
  (fleet.get("resourcebindings/shop/red-squad")?.["status"]?.aggregatedStatus ?? []).map(
    (item: Fields) => item["health"],
  );
const reasons = (fleet: World) => fleet.list("events").map((event) => event["reason"]);

/** What a controller in a member would write. */
async function report(fleet: World, name: string, status: object): Promise<void> {
  const transport = fleet.fleet.members.find((member) => member.name === name)!.server;
  const client = createClient({ transport, user: { name: "captain", groups: ["system:masters"] }, manager: "captain" });
  const resource = { group: "example.io", version: "v1", resource: "squads", kind: "Squad", namespaced: true };
  const key = { namespace: "shop", name: "red" };
  await client.patch(resource, key, { type: "merge", subresource: "status", patch: { status } });
}

/** Scripts run in real time beside the virtual clock: the world is looked at until it is as expected. */
async function eventually(fleet: World, look: () => unknown, expected: unknown): Promise<void> {
  for (let rounds = 0; rounds < 200; rounds++) {
    await fleet.settle();
    if (JSON.stringify(look()) === JSON.stringify(expected)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(look()).toEqual(expected);
}

describe("a kind with replicas where nobody would look for them", () => {
  test("is divided, judged and summed up as its customization says, and follows it when it changes", async () => {
    const fleet = await squads();
    await eventually(fleet, () => sizes(fleet), [2, 2, 2]);

    await fleet.member("m1").patch(red, { spec: { seat: "window" } });
    await report(fleet, "m1", { ready: 2 });
    await report(fleet, "m2", { ready: 1 });
    await eventually(fleet, () => health(fleet), ["Healthy", "Unhealthy", "Unhealthy"]);
    await eventually(fleet, () => fleet.get(red)?.["status"], { ready: 3 });
    expect(fleet.member("m1").get(red)?.["spec"]).toEqual({ crew: { size: 2 }, seat: "window" });

    await fleet.apply(customization({ health: "return observedObj.status ~= nil" }));
    await eventually(fleet, () => health(fleet), ["Healthy", "Healthy", "Unhealthy"]);
    await fleet.apply(customization({ replicas: "return obj.spec.crew.size / 2" }));
    await eventually(fleet, () => sizes(fleet), [1, 1, 1]);
  });

  test("a script that is not Lua is refused where it stands", async () => {
    world = await World.start({ members: [] });
    await expect(world.apply(customization({ replicas: "return obj.spec." }))).rejects.toThrow(
      /spec\.customizations\.replicaResource\.luaScript: Invalid value: .*Lua script error: script:1: /,
    );
    await world.apply(customization({}));
  });

  test("keeps running as it is when its scripts fail, and says why", async () => {
    const fleet = await squads();
    await eventually(fleet, () => sizes(fleet), [2, 2, 2]);
    await fleet.apply(customization({ replicas: "return obj.spec.crew.size * 1e9", health: "error('no idea')" }));
    await eventually(fleet, () => reasons(fleet).includes("GetReplicasFailed"), true);
    await eventually(fleet, () => reasons(fleet).includes("InterpretHealthFailed"), true);
    await eventually(fleet, () => health(fleet), ["Unknown", "Unknown", "Unknown"]);
    expect(sizes(fleet)).toEqual([2, 2, 2]);
    expect(fleet.get("resourcebindings/shop/red-squad")?.["spec"]).toMatchObject({ replicas: 6 });
    await fleet.apply(customization({}));
    await eventually(fleet, () => health(fleet), ["Unhealthy", "Unhealthy", "Unhealthy"]);
  });
});
