import { gatesWith } from "#api/feature-gates.ts";
import type { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, divided, policy, to } from "#test/world/shop-manifests.ts";
import type { World } from "#test/world/world.ts";

const web = "deployments/shop/web";
const image = (name: string) => ({
  spec: { template: { spec: { containers: [{ name: "web", image: name }] } } },
});

/** What they need. */
export const gates = gatesWith({ PropagationPolicyPreemption: true });

/** The one that looks at everything there is. */
export const restart = "the controllers restart";

/** What users do, one after the other, in one namespace with one Deployment; every row is counted from rest to rest. */
export const actions: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "a policy that matches nothing yet": (world) => world.apply(policy("all")),
  "a Deployment to three clusters": (world) => world.apply(deployment("web")),
  "a new image": (world) => world.patch(web, image("nginx:2")),
  "scaled, every cluster runs all replicas": (world) => world.patch(web, { spec: { replicas: 4 } }),
  "a label that nobody selects by": (world) => world.patch(web, { metadata: { labels: { note: "x" } } }),
  "its replicas divided": (world) => world.apply(policy("all", divided)),
  "scaled, its replicas divided": (world) => world.patch(web, { spec: { replicas: 9 } }),
  "one cluster fewer": (world) => world.apply(policy("all", to("m1", "m2"))),
  "a second policy of higher priority takes it": (world) =>
    world.apply(policy("mine", to("m1"), { spec: "priority: 5\n  preemption: Always" })),
  "that policy is deleted": (world) => world.delete("propagationpolicies/shop/mine"),
  "the copy in a member is changed by hand": (world) => world.member("m1").patch(web, { spec: { replicas: 1 } }),
  "dispatching suspended": (world) =>
    world.patch("propagationpolicies/shop/all", { spec: { suspension: { dispatching: true } } }),
  "a new image while suspended": (world) => world.patch(web, image("nginx:3")),
  "dispatching resumed": (world) => world.patch("propagationpolicies/shop/all", { spec: { suspension: null } }),
  [restart]: async (world) => (world.fleet as RoughFleet).restartControllers(), // as launched
  "the Deployment is deleted": (world) => world.delete(web),
};
