import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { configMap, mounting, placesOf, policyFor, service } from "#test/world/dependency-manifests.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";

const workloads = ["api", "web"] as const;
const members = ["m1", "m2", "m3"];
const workload = fc.constantFrom(...workloads);
const map = fc.constantFrom("a", "b");
const clusters = fc.subarray(members, { minLength: 1 });

/** Something that a user does, or that befalls the controllers, and how long it is until the next. */
const step = fc.record({
  waitMs: fc.constantFrom(0, 0, 20, 300, 5_000),
  what: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("run" as const), workload, mounts: fc.subarray(["a", "b"]) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("stop" as const), workload }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("policy" as const),
        workload,
        clusters,
        deps: fc.constantFrom(true, true, true, false),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), map, value: fc.constantFrom("1", "2") }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("drop" as const), map }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("serve" as const),
        selector: fc.constantFrom({ app: "web" }, { app: "api" }, { tier: "web" }, { app: "none" }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("serve no more" as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("crash" as const), afterWrites: fc.integer({ max: 6, min: 0 }) }),
    },
  ),
});
type What = (typeof step extends fc.Arbitrary<infer S> ? S : never)["what"];

async function act(world: World, what: What): Promise<void> {
  const rough = world.fleet as RoughFleet; // as launched
  const drop = async (path: string) => (world.get(path) === undefined ? undefined : world.delete(path));
  switch (what.do) {
    case "run":
      return world.apply(mounting(what.workload, { configMaps: what.mounts }));
    case "stop":
      return drop(`deployments/shop/${what.workload}`);
    case "policy":
      return world.apply(
        policyFor("PropagationPolicy", { of: what.workload, clusters: what.clusters, deps: what.deps }),
      );
    case "write":
      return world.apply(configMap(what.map, what.value));
    case "drop":
      return drop(`configmaps/shop/${what.map}`);
    case "serve":
      return world.apply(service("front", what.selector));
    case "serve no more":
      return drop("services/shop/front");
    case "crash": {
      let left = what.afterWrites;
      rough.weather = ({ isWrite, call }) =>
        isWrite && call.path.resource !== "events" && left-- === 0 ? { kind: "crash after" } : undefined;
    }
  }
}

/** The workloads that need something, and whose policies let it follow, by what users have written. */
function needing(world: World, needs: (deployment: Fields) => boolean): readonly string[] {
  return workloads.filter((name) => {
    const deployment = world.get(`deployments/shop/${name}`);
    const { spec } = world.get(`propagationpolicies/shop/${name}`) ?? {};
    return deployment !== undefined && needs(deployment) && spec?.propagateDeps === true;
  });
}

/** Where something is and whom it follows, as it is and as it should be. */
function compare(world: World, path: string, needs: (deployment: Fields) => boolean) {
  const [plural, , name] = path.split("/") as [string, string, string];
  const referrers = world.get(path) === undefined ? [] : needing(world, needs);
  const policies = referrers.map((each) => world.get(`propagationpolicies/shop/${each}`)!);
  const wanted = new Set(policies.flatMap(({ spec }) => spec.placement.clusterAffinity.clusterNames as string[]));
  const binding = world.get(`resourcebindings/shop/${name}-${plural.slice(0, -1)}`);
  const followed = (binding?.["spec"].requiredBy ?? []).map((each: Fields) => each["name"]);
  return {
    is: { places: placesOf(world, path), followed },
    shouldBe: { places: [...wanted].toSorted(), followed: referrers.map((each) => `${each}-deployment`) },
  };
}

function mounts(map: string) {
  return ({ spec }: Fields) => (spec.template.spec.volumes ?? []).some(({ name }: Fields) => name === map);
}

function isSelectedBy(selector: Readonly<Record<string, string>>) {
  return ({ spec }: Fields) =>
    Object.entries(selector).every(([key, value]) => spec.template.metadata.labels[key] === value);
}

test("whatever happens in whatever order, what is needed ends where it is needed and nowhere else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await using world = await World.start({ members, launch: (needs) => RoughFleet.launch(needs) });
      await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
      for (const name of workloads) {
        await world.apply(policyFor("PropagationPolicy", { of: name, clusters: ["m1"] }));
        await world.apply(mounting(name, { configMaps: ["a"] }));
      }
      for (const name of ["a", "b"]) await world.apply(configMap(name));
      for (const { what, waitMs } of steps) {
        await act(world, what);
        if (waitMs > 0) await world.clock.advance(waitMs);
      }
      await world.rest();
      for (const name of ["a", "b"]) {
        const { is, shouldBe } = compare(world, `configmaps/shop/${name}`, mounts(name));
        expect(is, `ConfigMap ${name}`).toEqual(shouldBe);
        const copy = world.member(shouldBe.places[0] ?? "m1").get(`configmaps/shop/${name}`);
        if (shouldBe.places.length > 0) expect(copy?.["data"]).toEqual(world.get(`configmaps/shop/${name}`)?.["data"]);
      }
      const { selector = { app: "nothing" } } = world.get("services/shop/front")?.["spec"] ?? {};
      const { is, shouldBe } = compare(world, "services/shop/front", isSelectedBy(selector));
      expect(is, "Service front").toEqual(shouldBe);
      const leaving = ["resourcebindings", "works", "deployments"].flatMap((plural) =>
        world.list(plural).filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
      );
      expect(leaving).toEqual([]);
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 120_000);
