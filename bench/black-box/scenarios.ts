import {
  createDeployments,
  createNamespaces,
  deleteDeployments,
  deletePolicies,
  putClusterPolicy,
  putPolicies,
  putStrongerPolicies,
  recolour,
  updateDeployments,
} from "./load.ts";
import {
  allReport,
  type Change,
  everywhere,
  onFirstOnly,
  type Scenario,
  type Stage,
  to,
  totalOf,
  untilArrived,
} from "./scenario.ts";
import { flap, idle, plan, restart } from "./standing-changes.ts";

const inOne = (namespace: string) => (templates: number) => ({
  namespaces: [namespace],
  deploymentsEach: templates,
  replicas: 2,
  configured: false,
});
const inTen = (prefix: string) => (templates: number) => ({
  namespaces: Array.from({ length: 10 }, (_, index) => `${prefix}-${index}`),
  deploymentsEach: Math.ceil(templates / 10),
  replicas: 2,
  configured: false,
});

/** Takes away what a load made. */
export const removal: Change = {
  title: "delete all",
  ask: async ({ client, load }) => {
    await deleteDeployments(client, load);
    await deletePolicies(client, load);
    return undefined;
  },
  arrived: ({ view, load }) => view.members.every((member) => view.copies(load, member) === 0),
};

const claimed = async (stage: Stage, spec: object): Promise<void> => {
  const { client, load } = stage;
  await createNamespaces(client, load);
  await putPolicies(client, load, spec);
  await createDeployments(client, load);
  await untilArrived(stage, () => everywhere(stage));
};

const propagation: Scenario = {
  load: inOne("bench-claim"),
  prepare: async ({ client, load }) => {
    await createNamespaces(client, load);
    await createDeployments(client, load);
  },
  changes: {
    claim: {
      title: "claim all by one new policy",
      ask: async ({ client, load, members }) => void (await putPolicies(client, load, to(members))),
      arrived: (stage) => everywhere(stage),
      reported: (stage) => allReport(stage, stage.members.length),
    },
    update: {
      title: "update all",
      ask: async ({ client, load }) => void (await updateDeployments(client, load, "nginx:2")),
      arrived: (stage) => everywhere(stage, "nginx:2"),
      reported: (stage) => allReport(stage, stage.members.length),
    },
    flip: {
      title: "flip the placement to one member",
      ask: async ({ client, load, members }) => void (await putPolicies(client, load, to(members.slice(0, 1)))),
      arrived: onFirstOnly,
      reported: (stage) => allReport(stage, 1),
    },
    delete: removal,
  },
};

const creation: Scenario = {
  load: inOne("bench-create"),
  prepare: async ({ client, load, members }) => {
    await createNamespaces(client, load);
    await putPolicies(client, load, to(members));
  },
  changes: {
    create: {
      title: "create all under a policy",
      ask: async ({ client, load }) => void (await createDeployments(client, load)),
      arrived: (stage) => everywhere(stage),
      reported: (stage) => allReport(stage, stage.members.length),
    },
    preempt: {
      title: "a policy of higher priority takes all to one member",
      ask: async ({ client, load, members }) => void (await putStrongerPolicies(client, load, to(members.slice(0, 1)))),
      arrived: onFirstOnly,
      reported: (stage) => allReport(stage, 1),
    },
  },
};

const exclusion: Scenario = {
  load: inTen("bench-exclude"),
  prepare: async (stage) => {
    const { client, load, members } = stage;
    await createNamespaces(client, load);
    await putClusterPolicy(client, { ...load, excluded: [], spec: to(members) });
    await createDeployments(client, load);
    await untilArrived(stage, () => everywhere(stage));
  },
  changes: {
    exclude: {
      title: "a cluster policy excludes one namespace of ten",
      ask: async ({ client, load, members }) =>
        void (await putClusterPolicy(client, { ...load, excluded: load.namespaces.slice(0, 1), spec: to(members) })),
      // let go, not taken away: copies stay where they are
      arrived: ({ view, load: { namespaces, deploymentsEach } }) =>
        view.held({ namespaces: namespaces.slice(0, 1) }) === 0 &&
        view.held({ namespaces }) === (namespaces.length - 1) * deploymentsEach,
      concerns: ({ deploymentsEach }) => deploymentsEach,
    },
  },
};

/** More of it is more namespaces: a hundred Deployments refer to one ConfigMap, whatever the size. */
const karmadasOwn: Scenario = {
  load: (templates) => ({
    namespaces: Array.from({ length: Math.ceil(templates / 100) }, (_, index) => `bench-load-${index}`),
    deploymentsEach: Math.min(templates, 100),
    replicas: 10,
    configured: true,
  }),
  prepare: async ({ client, load, members }) => {
    const weights = members.map((name) => ({ targetCluster: { clusterNames: [name] }, weight: 1 }));
    const replicaScheduling = {
      replicaSchedulingType: "Divided",
      replicaDivisionPreference: "Weighted",
      weightPreference: { staticWeightList: weights },
    };
    await createNamespaces(client, load);
    const { placement } = to(members);
    await putPolicies(client, load, { propagateDeps: true, placement: { ...placement, replicaScheduling } });
  },
  changes: {
    load: {
      title: "Karmada's own load: create all, ten replicas each, divided, with a ConfigMap",
      ask: async ({ client, load }) => void (await createDeployments(client, load)),
      arrived: ({ view, load }) => view.replicas(load) === load.replicas * totalOf(load),
      reported: (stage) => allReport(stage, 1),
    },
  },
};

/** A thousand refer to one thing: it stands in one object who they are, which cannot hold ten thousand. More of it is more namespaces. */
const fanOut: Scenario = {
  load: (templates) => ({
    namespaces: Array.from({ length: Math.ceil(templates / 1_000) }, (_, index) => `bench-fan-out-${index}`),
    deploymentsEach: Math.min(templates, 1_000),
    replicas: 2,
    configured: true,
  }),
  prepare: async ({ client, load, members }) => {
    await createNamespaces(client, load);
    await putPolicies(client, load, { propagateDeps: true, ...to(members) });
  },
  changes: {
    share: {
      title: "create all, a thousand of which refer to one ConfigMap",
      ask: async ({ client, load }) => void (await createDeployments(client, load)),
      arrived: (stage) => everywhere(stage) && settingsAre(stage, "blue"),
      reported: (stage) => allReport(stage, stage.members.length),
    },
    "fan-out": {
      title: "edit a ConfigMap that a thousand refer to",
      ask: async ({ client, load }) => void (await recolour(client, load, "red")),
      arrived: (stage) => settingsAre(stage, "red"),
      concerns: ({ namespaces }) => namespaces.length,
    },
  },
};

function settingsAre({ view, load }: Stage, colour: string): boolean {
  return view.members.every((member) => view.hasSettings(load, member, colour));
}

/** A fleet at rest, to which little is done. The members' outage comes last but one: everything was updated by then. */
const standing: Scenario = {
  load: inOne("bench-standing"),
  prepare: (stage) => claimed(stage, to(stage.members)),
  changes: { plan, idle, flap, restart },
};

/** What is measured, in this order. */
export const scenarios: readonly Scenario[] = [propagation, creation, exclusion, karmadasOwn, fanOut, standing];

/** The names under which changes are asked for. */
export const changeNames: readonly string[] = scenarios.flatMap(({ changes }) => Object.keys(changes));
