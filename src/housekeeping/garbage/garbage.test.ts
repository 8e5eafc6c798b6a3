import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject, OwnerReference } from "#api/meta/object-meta.ts";
import { clientOf } from "#test/world/cluster.ts";
import { FlakyTransport } from "#test/world/flaky-transport.ts";
import { type KeptCluster, openKeptCluster } from "#test/world/kept-cluster.ts";
import { configMaps } from "../resource-ids.ts";

type World = KeptCluster & { readonly network: FlakyTransport };

const name = fc.constantFrom("a", "b", "c", "d");
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      name,
      owners: fc.uniqueArray(name, { maxLength: 2 }),
      blocking: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("delete" as const),
      name,
      policy: fc.constantFrom("Background" as const, "Foreground" as const, "Orphan" as const),
      /** The housekeeping does not see it happen and cannot catch up: it must find out by listing again. */
      unseen: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("cut" as const, "restart" as const, "pass" as const) }) },
);

test("what remains has a living owner or never had one; what went was deleted or had none left", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      await using world = await open();
      /** Every object there ever was, with its owners' uids, and those that somebody deleted. */
      const everything = new Map<string, readonly string[]>();
      const deleted = new Set<string>();
      for (const each of actions) await act(world, each, { everything, deleted });
      await world.clock.advance(600_000);
      const left = new Map((await objects(world)).map((object) => [object.metadata.uid, object]));
      for (const { metadata } of left.values()) {
        expect(metadata.deletionTimestamp, metadata.name).toBeUndefined();
        for (const { uid } of metadata.ownerReferences ?? []) expect(left.has(uid), metadata.name).toBe(true);
      }
      for (const [uid, owners] of everything) {
        if (left.has(uid) || deleted.has(uid)) continue;
        expect(owners.length, "an object without owners that nobody deleted").toBeGreaterThan(0);
        expect(
          owners.some((owner) => left.has(owner)),
          "an object of a living owner",
        ).toBe(false);
      }
      const before = world.revision();
      await world.clock.advance(600_000);
      expect(world.revision()).toBe(before);
    }),
    { numRuns: 60 },
  );
});

async function open(): Promise<World> {
  let network: FlakyTransport | undefined;
  const world = await openKeptCluster({
    connect: (server) => {
      network ??= new FlakyTransport(server);
      return clientOf(network);
    },
  });
  return { ...world, network: network! };
}

async function act(
  world: World,
  each: typeof action extends fc.Arbitrary<infer Action> ? Action : never,
  { everything, deleted }: { everything: Map<string, readonly string[]>; deleted: Set<string> },
): Promise<void> {
  const { store } = world.cluster.server.core;
  switch (each.do) {
    case "create": {
      const present = await objects(world);
      if (present.some(({ metadata }) => metadata.name === each.name)) return;
      const owners = present.filter(({ metadata }) => each.owners.some((owner) => owner === metadata.name));
      const references = owners.map((owner) => ownedBy(owner, each.blocking));
      const metadata = { namespace: "default", name: each.name, ownerReferences: references };
      const created = await world.client.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
      everything.set(
        created.metadata.uid,
        references.map(({ uid }) => uid),
      );
      return;
    }
    case "delete": {
      const key = { namespace: "default", name: each.name };
      const object = await world.client.get(configMaps, key);
      if (object === undefined) return;
      deleted.add(object.metadata.uid);
      if (each.unseen) world.network.cut();
      await world.client.delete(configMaps, key, { propagationPolicy: each.policy });
      if (!each.unseen) return;
      await store.compact(store.revision);
      return world.clock.advance(500);
    }
    case "cut":
      return world.network.cut();
    case "restart":
      await world.rest();
      return world.resume();
    case "pass":
      return world.clock.advance(500);
  }
}

async function objects({ client }: World): Promise<readonly ApiObject[]> {
  const { items } = await client.list(configMaps, { namespace: "default" });
  return items.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
}

function ownedBy({ apiVersion, kind, metadata }: ApiObject, blockOwnerDeletion: boolean): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion };
}
