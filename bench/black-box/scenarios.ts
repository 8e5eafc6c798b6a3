import type { Client } from "#client/client.ts";
import type { FleetView } from "./fleet-view.ts";
import {
  createDeployments,
  createNamespaces,
  deleteDeployments,
  deletePolicies,
  type Load,
  putPolicies,
  updateDeployments,
} from "./load.ts";

/** One change of a fleet: what is asked for, and how to see that it has arrived everywhere. */
interface Change {
  readonly name: string;
  readonly ask: (client: Client, load: Load, members: readonly string[]) => Promise<void>;
  readonly arrived: (view: FleetView, load: Load) => boolean;
}

/** Changes that follow one another on one load; what comes before the first and after the last is not measured. */
export interface Scenario {
  readonly load: (templates: number) => Load;
  readonly prepare: (client: Client, load: Load, members: readonly string[]) => Promise<void>;
  /** The last one takes away what the others made. */
  readonly changes: readonly Change[];
}

const to = (clusterNames: readonly string[]) => ({ placement: { clusterAffinity: { clusterNames } } });
const everywhere = (view: FleetView, load: Load, image?: string) =>
  view.members.every((member) => view.copies(load, member, image) === totalOf(load));
const nowhere = (view: FleetView, load: Load) => view.members.every((member) => view.copies(load, member) === 0);

/** Goes with the load of every scenario. */
const removal: Change = {
  name: "delete all",
  ask: async (client, load) => {
    await deleteDeployments(client, load);
    await deletePolicies(client, load);
  },
  arrived: nowhere,
};

/** How many Deployments a load has. */
export function totalOf({ namespaces, deploymentsEach }: Load): number {
  return namespaces.length * deploymentsEach;
}

/** What is measured, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  claim: {
    load: (templates) => ({ namespaces: ["bench-claim"], deploymentsEach: templates, replicas: 2, configured: false }),
    prepare: async (client, load) => {
      await createNamespaces(client, load);
      await createDeployments(client, load);
    },
    changes: [
      {
        name: "claim all by one new policy",
        ask: (client, load, members) => putPolicies(client, load, to(members)),
        arrived: everywhere,
      },
      {
        name: "update all",
        ask: (client, load) => updateDeployments(client, load, "nginx:2"),
        arrived: (view, load) => everywhere(view, load, "nginx:2"),
      },
      {
        name: "flip the placement to one member",
        ask: (client, load, members) => putPolicies(client, load, to(members.slice(0, 1))),
        arrived: (view, load) =>
          view.members.every((member, index) => view.copies(load, member) === (index === 0 ? totalOf(load) : 0)),
      },
      removal,
    ],
  },
  load: {
    load: (templates) => ({
      namespaces: Array.from({ length: 10 }, (_, index) => `bench-load-${index}`),
      deploymentsEach: Math.ceil(templates / 10),
      replicas: 10,
      configured: true,
    }),
    prepare: async (client, load, members) => {
      const weights = members.map((name) => ({ targetCluster: { clusterNames: [name] }, weight: 1 }));
      await createNamespaces(client, load);
      await putPolicies(client, load, {
        propagateDeps: true,
        placement: {
          clusterAffinity: { clusterNames: members },
          replicaScheduling: {
            replicaSchedulingType: "Divided",
            replicaDivisionPreference: "Weighted",
            weightPreference: { staticWeightList: weights },
          },
        },
      });
    },
    changes: [
      {
        name: "Karmada's own load: create all, ten replicas each, divided, with a ConfigMap",
        ask: (client, load) => createDeployments(client, load),
        arrived: (view, load) => view.replicas(load) === 10 * totalOf(load),
      },
      removal,
    ],
  },
};
