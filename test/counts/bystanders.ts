import { clusterPolicy, deployment, policy } from "#test/world/shop-manifests.ts";
import type { World } from "#test/world/world.ts";

/** Deployments of other namespaces with policies of their own, and a policy that selects nothing: no action concerns them. */
export async function addBystanders(world: World, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const elsewhere = (yaml: string) => yaml.replaceAll("shop", `other-${index}`);
    await world.apply(elsewhere(policy("own")));
    await world.apply(elsewhere(deployment("web")));
  }
  await world.apply(clusterPolicy("rest", "{}", { selector: "labelSelector: { matchLabels: { tier: none } }" }));
  await world.settle();
}
