import { type Cluster, type ClusterStatus, Clusters } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import type { Member } from "#members/member.ts";
import type { MemberSet } from "#members/member-set.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { decideClusterStatus } from "./decide-cluster-status.ts";
import { summarize } from "./resource-summary.ts";

export interface ClusterStatusNeeds {
  readonly client: Client;
  readonly clusters: Informer<ApiObject>;
  readonly members: MemberSet;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often a member is asked how it is. */
  readonly periodMs: number;
  /** How long a member must say otherwise before its Ready condition turns. */
  readonly thresholdMs: number;
}

type Facts = { readonly cluster: Cluster; readonly status: ClusterStatus | undefined };
type Step = { readonly do: "putStatus"; readonly status: ClusterStatus };

const clusters = resourceOf(Clusters);
const nodes: ResourceId = { group: "", version: "v1", resource: "nodes", kind: "Node", namespaced: false };
const pods: ResourceId = { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true };

/** How long a member may take to list its nodes and pods until its report goes without them. */
const askMs = 10_000;

/** What is followed in one member for its summary. */
interface Followed {
  readonly nodes: Informer<ApiObject>;
  readonly pods: Informer<ApiObject>;
}

/**
 * Asks every member at intervals how it is and what it serves, sums up its nodes and pods, and writes the Cluster's status when it
 * changed. Each member is a key of its own: one that does not answer holds up no other.
 */
export function clusterStatusController(needs: ClusterStatusNeeds): Controller<Facts, Step> {
  const { client, clock, members } = needs;
  const followed = new WeakMap<Member, Followed>();
  const differentSince = new Map<string, number>();

  const follow = (member: Member): Followed => {
    const known = followed.get(member);
    if (known !== undefined) return known;
    const start = (resource: ResourceId) => {
      const informer = new Informer<ApiObject>({ client: member.client, resource, clock, log: needs.log });
      informer.start(member.signal);
      return informer;
    };
    const both = { nodes: start(nodes), pods: start(pods) };
    followed.set(member, both);
    return both;
  };

  return {
    name: "cluster-status",
    watches: [
      watchInformer(needs.clusters, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
      watchMembers(members),
    ],

    async gather(name, signal) {
      const cluster = needs.clusters.get({ name }) as Cluster | undefined; // the informer's kind
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined)
        return void differentSince.delete(name);
      const member = members.get(name);
      if (member === undefined && members.failureOf(name) === undefined) return undefined; // still connecting: its arrival brings the key
      const health = (await member?.connection.health(signal)) ?? "unreachable";
      const ready = cluster.status?.conditions?.find(({ type }) => type === readyCondition.type)?.status;
      if ((ready === "True") === (health === "ok")) differentSince.delete(name);
      else if (!differentSince.has(name)) differentSince.set(name, clock.nowMs());
      const asked =
        health === "ok" && member !== undefined
          ? await ask(member, follow(member), { cluster, signal, enough: pause(clock, askMs) })
          : undefined;
      const status = decideClusterStatus({
        cluster,
        health,
        failure: members.failureOf(name)?.message,
        version: asked?.version,
        resources: asked?.resources,
        summary: asked?.summary,
        differentForMs: clock.nowMs() - (differentSince.get(name) ?? clock.nowMs()),
        thresholdMs: needs.thresholdMs,
        now: formatTime(clock.nowMs()),
      });
      return { cluster, status };
    },

    decide: ({ status }) => ({
      steps: status === undefined ? [] : [{ do: "putStatus", status }],
      waitFor: { reason: "the next look at the member", retryAfterMs: needs.periodMs },
    }),

    async apply({ status }, { cluster }) {
      await client.updateStatus(clusters, { ...cluster, status } as unknown as ApiObject); // a Cluster
    },
  };
}

interface Question {
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
  /** Resolves when the caches have been waited for long enough. */
  readonly enough: Promise<void>;
}

async function ask(
  member: Member,
  { nodes: nodeCache, pods: podCache }: Followed,
  { cluster, signal, enough }: Question,
) {
  const [version, resources] = await Promise.all([
    member.connection.kubernetesVersion(signal),
    member.connection.resources(signal),
    Promise.race([Promise.all([nodeCache.whenSynced(), podCache.whenSynced()]), enough]),
  ]);
  if (!nodeCache.synced || !podCache.synced) return { version, resources, summary: undefined };
  // objects of these kinds as they are on the wire
  const models = cluster.spec.resourceModels ?? [];
  const summary = summarize({
    nodes: nodeCache.all() as Iterable<Fields>,
    pods: podCache.all() as Iterable<Fields>,
    models,
  });
  return { version, resources, summary };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

function watchMembers(members: MemberSet): Watch {
  return (enqueue) => members.subscribe(({ member }) => enqueue(member.name, "user"));
}
