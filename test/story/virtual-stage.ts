import type { FeatureGates } from "#api/feature-gates.ts";
import { gatesWith } from "#api/feature-gates.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";
import type { Stage, StageCluster } from "./stage.ts";

/** A stage in this process under a virtual clock: the real servers and controllers, simulated members. */
export async function virtualStage(members: readonly string[], gates: Partial<FeatureGates>): Promise<Stage> {
  let fleet: RoughFleet | undefined;
  const world = await World.start({
    members,
    pipeline: { gates: gatesWith(gates) },
    async launch(needs) {
      fleet = await RoughFleet.launch(needs);
      return fleet;
    },
  });
  const member = (name: string) => memberOf(world, name);
  return {
    members,
    controlPlane: {
      get: async (path) => world.get(path),
      list: async (plural) => world.list(plural),
      apply: (yaml) => world.apply(yaml),
      patch: (path, patch, subresource) => world.patch(path, patch, subresource),
      delete: (path) => world.delete(path),
    },
    member,
    settle: () => world.settle(),
    stopControllers: async () => fleet?.stopControllers(),
    startControllers: async () => fleet?.restartControllers(),
    timePasses: (seconds) => world.timePasses(seconds),
    async reach(name, reachable) {
      if (reachable) fleet?.down.delete(name);
      else fleet?.down.add(name);
      fleet?.cut(name);
    },
    eventually: (check) => check(),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function memberOf(world: World, name: string): StageCluster {
  const member = world.member(name);
  return {
    get: async (path) => member.get(path),
    list: async (plural) => member.list(plural),
    apply: (yaml) => member.apply(yaml),
    patch: (path, patch, subresource) => member.patch(path, patch, subresource),
    delete: (path) => member.delete(path),
  };
}
