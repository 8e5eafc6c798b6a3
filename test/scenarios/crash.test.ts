import { afterEach, describe, expect, test } from "vitest";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import { configMap, mounting, policyFor, secret } from "#test/world/dependency-manifests.ts";
import { differences, maskedState } from "#test/world/masked-state.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import type { Mishap, Written } from "#test/world/rough-road.ts";
import { deployment, divided, policy, registryOverride, to } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const modes = ["crash before", "crash after", "answer lost"] as const;
type Mode = (typeof modes)[number];

interface Story {
  readonly members: readonly string[];
  readonly phases: Readonly<Record<string, (world: World) => Promise<void>>>;
  readonly gates?: Partial<FeatureGates>;
  /** Whether it leaves the world as it found it, so that it can be told there again. */
  readonly endsClean: boolean;
  /** Every how many writes something happens. */
  readonly every: number;
}

const web = "deployments/shop/web";
const oneCluster = "{ spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] }";
const taint = (world: World, cluster: string) =>
  world.patch(`clusters/${cluster}`, {
    spec: { taints: [{ key: "broken", effect: "NoExecute", timeAdded: "2026-11-15T00:00:00Z" }] },
  });
const mend = (world: World, cluster: string) => world.patch(`clusters/${cluster}`, { spec: { taints: null } });

const stories: Readonly<Record<string, Story>> = {
  "create, update, move, delete": {
    members: ["m1", "m2"],
    endsClean: true,
    every: 1,
    phases: {
      async create(world) {
        await world.apply(policy("some", to("m1")));
        await world.apply(deployment("web"));
      },
      update: (world) => world.apply(deployment("web", 5, "nginx:2")),
      move: (world) => world.apply(policy("some", to("m2"))),
      async delete(world) {
        await world.delete(web);
        await world.delete("propagationpolicies/shop/some");
      },
    },
  },
  "divide, scale, override, change of policies": {
    members: ["m1", "m2", "m3"],
    endsClean: false,
    every: 9,
    phases: {
      async divide(world) {
        await world.apply(registryOverride("reg", { of: "web", cluster: "m2", registry: "a.example.com" }));
        await world.apply(policy("split", divided, { selector: "name: web" }));
        await world.apply(deployment("web", 6));
      },
      scale: (world) => world.patch(web, { spec: { replicas: 9 } }),
      override: (world) =>
        world.apply(registryOverride("reg", { of: "web", cluster: "m3", registry: "b.example.com" })),
      async "other policy"(world) {
        await world.apply(policy("other", to("m1", "m3")));
        await world.delete("propagationpolicies/shop/split");
      },
      async "no policy"(world) {
        await world.delete("propagationpolicies/shop/other");
        await world.delete("overridepolicies/shop/reg");
      },
    },
  },
  "two dependencies follow a workload, move and go": {
    members: ["m1", "m2"],
    endsClean: true,
    every: 1,
    phases: {
      async create(world) {
        await world.apply(configMap("settings"));
        await world.apply(policyFor("PropagationPolicy", { of: "web", clusters: ["m1"] }));
        await world.apply(mounting("web", { configMaps: ["settings"], secrets: ["token"] }));
        await world.apply(secret("token"));
      },
      move: (world) => world.apply(policyFor("PropagationPolicy", { of: "web", clusters: ["m2"] })),
      "let go of one": (world) => world.apply(mounting("web", { configMaps: ["settings"] })),
      async delete(world) {
        for (const path of [web, "propagationpolicies/shop/web"]) await world.delete(path);
        await world.settle();
        for (const path of ["configmaps/shop/settings", "secrets/shop/token"]) await world.delete(path);
      },
    },
  },
  "driven out, gracefully and directly, and back": {
    members: ["m1", "m2"],
    endsClean: true,
    every: 1,
    gates: { Failover: true },
    phases: {
      async create(world) {
        await world.apply(policy("some", oneCluster));
        await world.apply(deployment("web"));
      },
      gracefully: (world) => taint(world, "m1"),
      async "other way"(world) {
        await mend(world, "m1");
        await world.apply(policy("some", oneCluster, { spec: "failover: { cluster: { purgeMode: Directly } }" }));
        await world.settle();
        await taint(world, "m2");
      },
      async delete(world) {
        await mend(world, "m2");
        await world.delete(web);
        await world.delete("propagationpolicies/shop/some");
      },
    },
  },
  "preserve, delete and make anew, unjoin": {
    members: ["m1", "m2"],
    endsClean: false,
    every: 8,
    phases: {
      async create(world) {
        await world.apply(policy("all", "{}", { selector: "name: web" }));
        await world.apply(deployment("web"));
      },
      async "make anew"(world) {
        await world.delete(web);
        await world.apply(deployment("web", 2));
      },
      async unjoin(world) {
        await world.delete("clusters/m2");
        await world.timePasses(30);
      },
      async preserve(world) {
        await world.apply(policy("all", "{}", { selector: "name: web", spec: "preserveResourcesOnDeletion: true" }));
        await world.settle();
        await world.delete(web);
      },
    },
  },
};

interface Telling {
  readonly states: Readonly<Record<string, unknown>>;
  readonly written: readonly Written[];
  readonly writes: number;
}

/** A world with nothing but an empty namespace. */
async function begin({ members, gates = {} }: Story): Promise<World> {
  const pipeline = { gates: gatesWith(gates) };
  const world = await World.start({ members, pipeline, launch: (needs) => RoughFleet.launch(needs) });
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  await world.settle();
  return world;
}

/** Tells a story, with a mishap at the n-th write of the controllers. */
async function tell(world: World, { phases }: Story, mishap?: { readonly mode: Mode; readonly at: number }) {
  const fleet = world.fleet as RoughFleet; // as launched
  fleet.written.splice(0);
  let writes = 0;
  fleet.weather = ({ call, isWrite }): Mishap | undefined => {
    if (!isWrite || call.path.resource === "events") return undefined;
    if (++writes !== mishap?.at) return undefined;
    return mishap.mode === "answer lost"
      ? { kind: "answer lost", error: new Error("the connection was reset") }
      : { kind: mishap.mode };
  };
  const states: Record<string, unknown> = {};
  for (const [name, phase] of Object.entries(phases)) {
    await phase(world);
    await world.settle();
    states[name] = maskedState(world);
  }
  await world.timePasses(30); // the clusters' next report of what is taken
  const before = fleet.written.length;
  await world.timePasses(60);
  if (fleet.written.length > before)
    throw new Error(`not at rest: ${JSON.stringify(fleet.written.slice(before, before + 5))}`);
  return { states, written: [...fleet.written], writes } satisfies Telling;
}

/** How often each object was made and deleted: nothing may be taken away and put back. */
function lives(written: readonly Written[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { cluster, verb, resource, namespace = "", name } of written) {
    if (verb !== "create" && verb !== "delete") continue;
    const key = `${verb} ${cluster} ${resource} ${namespace}/${name}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const only = process.env["FLOTILLA_CRASH"]; // "mode:n", as a failure prints it

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

describe.each(Object.entries(stories))("the controllers, at every step of: %s", (name, story) => {
  test.each(modes)("%s: it ends as if nothing had happened", { timeout: 300_000 }, async (mode) => {
    const { every, endsClean } = story;
    const again = async () => {
      await world?.[Symbol.asyncDispose]();
      world = await begin(story);
      return world;
    };
    let stage = await again();
    const reference = await tell(stage, story);
    const failures: string[] = [];
    for (let at = 1; at <= reference.writes; at += every) {
      if (only !== undefined && only !== `${mode}:${at}`) continue;
      if (!endsClean || failures.length > 0) stage = await again();
      try {
        compare(reference, await tell(stage, story, { mode, at }));
      } catch (error: unknown) {
        failures.push(
          `FLOTILLA_CRASH='${mode}:${at}' npx vitest run test/scenarios/crash.test.ts -t '${name}'\n${String(error)}`,
        );
      }
    }
    expect(failures.join("\n\n")).toBe("");
  });
});

function compare(expected: Telling, told: Telling): void {
  const found = [
    ...differences(expected.states, told.states),
    ...differences(lives(expected.written), lives(told.written)),
  ];
  if (found.length > 0) throw new Error(`expected | got\n${found.slice(0, 20).join("\n")}`);
}
