import type { Cluster } from "#api/cluster/cluster.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Override } from "#api/policy/override-policy.ts";
import { workNameOf } from "#api/work/derived-names.ts";
import type { Work } from "#api/work/work.ts";
import type { Plan } from "#base/plan.ts";
import type { Client } from "#client/client.ts";
import { putWork, worksAtOnce } from "#controllers/put-work.ts";
import { prepareOverride } from "#overrides/prepared-override.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { isFollowing, renderNamespaceWork } from "./namespace-works.ts";

export interface NamespaceControllerNeeds {
  readonly client: Client;
  readonly namespaces: Informer<ApiObject>;
  readonly clusters: Informer<ApiObject>;
  readonly works: Informer<ApiObject>;
  readonly clusterOverrides: Informer<ApiObject>;
}

interface Facts {
  /** The work each cluster should have, and the one it has. */
  readonly works: readonly { readonly wanted: Work; readonly present: Work | undefined }[];
}

type Step = { readonly do: "putWork"; readonly wanted: Work; readonly present: Work | undefined };

/** Namespaces follow to every member, so that what is sent there has a place. */
export function namespaceController(needs: NamespaceControllerNeeds): Controller<Facts, Step> {
  const { namespaces, clusters, works } = needs;
  return {
    name: "namespace",
    watches: [
      watchInformer(namespaces, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
      watchClusters(needs),
      watchOverrides(needs),
      watchWorks(needs),
    ],

    stepsAtOnce: worksAtOnce,
    async gather(name) {
      await Promise.all([namespaces, clusters, works, needs.clusterOverrides].map((informer) => informer.whenSynced()));
      const namespace = namespaces.get({ name });
      if (namespace === undefined || !isFollowing(namespace)) return undefined;
      const policies = [...needs.clusterOverrides.all()] as unknown as Override[]; // the informer's kind
      const overrides = policies.map(prepareOverride);
      const pairs = [...clusters.all()].flatMap((each) => {
        const home = executionNamespaceOf(each.metadata.name);
        // without its execution namespace a cluster has no place for works yet; its creation brings the key again
        if (
          each.metadata.deletionTimestamp !== undefined ||
          namespaces.get({ name: home })?.metadata.deletionTimestamp !== undefined ||
          namespaces.get({ name: home }) === undefined
        )
          return [];
        const wanted = renderNamespaceWork({
          namespace,
          cluster: each as unknown as Cluster,
          overrides,
        }); // as above
        const present = works.get({ namespace: home, name: workNameOf({ kind: namespace.kind, name }) }) as unknown as
          | Work
          | undefined;
        const isGoing = present?.metadata.deletionTimestamp !== undefined; // what has gone brings the key again
        return wanted === undefined || isGoing ? [] : [{ wanted, present }];
      });
      return { works: pairs };
    },

    decide: ({ works: pairs }): Plan<Step> => ({
      steps: pairs.map(({ wanted, present }) => ({ do: "putWork", wanted, present })),
    }),

    apply: ({ wanted, present }) => putWork(needs.client, wanted, present),
  };
}

/** A cluster that joined gets all namespaces, once it has a place for works. */
function watchClusters({ namespaces }: NamespaceControllerNeeds): Watch {
  return (enqueue) =>
    namespaces.subscribe(({ before, after }) => {
      if (before !== undefined || after?.metadata.name.startsWith(executionNamespaceOf("")) !== true) return;
      for (const { metadata } of namespaces.all()) enqueue(metadata.name, "background");
    });
}

/** A namespace's work that went, or that somebody changed, is made anew: what was deleted may have been its former namespace's. */
function watchWorks({ works }: NamespaceControllerNeeds): Watch {
  return (enqueue) =>
    works.subscribe(({ before, after, initial }) => {
      if (initial || before === undefined || before.metadata.generation === after?.metadata.generation) return;
      const owner = before.metadata.ownerReferences?.find(({ controller }) => controller === true);
      if (owner?.kind === "Namespace") enqueue(owner.name, "background");
    });
}

function watchOverrides({ clusterOverrides, namespaces }: NamespaceControllerNeeds): Watch {
  return (enqueue) =>
    clusterOverrides.subscribe(({ before, after, initial }) => {
      if (initial || before?.metadata.generation === after?.metadata.generation) return;
      for (const { metadata } of namespaces.all()) enqueue(metadata.name, "background");
    });
}
