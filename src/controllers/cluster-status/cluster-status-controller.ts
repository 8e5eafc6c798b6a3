import { type Cluster, type ClusterStatus, Clusters } from "#api/cluster/cluster.ts";
import { clusterIdMismatchCondition, readyCondition } from "#api/cluster/condition-reasons.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { isRefusal } from "#members/cluster-connector.ts";
import { mismatchText, readClusterId } from "#members/cluster-identity.ts";
import type { Member } from "#members/member.ts";
import type { MemberSet } from "#members/member-set.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import { type Informer, LiveInformer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { countedNode, countedPod } from "./counted-objects.ts";
import { decideClusterStatus, type ReadyThresholds } from "./decide-cluster-status.ts";
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
  readonly thresholds: ReadyThresholds;
}

interface Facts {
  readonly cluster: Cluster;
  /** The id that a cluster without one has shown. */
  readonly id: string | undefined;
  readonly status: ClusterStatus | undefined;
}

type Step =
  | { readonly do: "putId"; readonly id: string }
  | { readonly do: "putStatus"; readonly status: ClusterStatus };

const clusters = resourceOf(Clusters);
const nodes: ResourceId = { group: "", version: "v1", resource: "nodes", kind: "Node", namespaced: false };
const pods: ResourceId = { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true };

/** How long a member may take to list its nodes and pods until its report goes without them. */
const askMs = 10_000;

/** What Kubernetes says a cluster may have, and some more nodes: it says 5,000. */
const maxNodes = 10_000;
const maxPods = 150_000;

/** What is followed in one member for its summary. */
interface Followed {
  readonly nodes: Informer<ApiObject>;
  readonly pods: Informer<ApiObject>;
}

/** What is kept of a resource. */
interface Bounds {
  readonly maxObjects: number;
  readonly keep: (object: ApiObject) => ApiObject;
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
    const start = (resource: ResourceId, bounds: Bounds) => {
      const { maxObjects, keep } = bounds;
      const informer = new LiveInformer<ApiObject>({
        client: member.client,
        resource,
        clock,
        log: needs.log,
        maxObjects,
        ...(member.connection.sharesObjects !== true && { keep }),
      });
      informer.start(member.signal);
      return informer;
    };
    const both = {
      nodes: start(nodes, { maxObjects: maxNodes, keep: countedNode }),
      pods: start(pods, { maxObjects: maxPods, keep: countedPod }),
    };
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
      if (member === undefined && members.failureOf(name) === undefined) return undefined; // still connecting: how that ends brings the key
      const said = (await member?.connection.health(signal)) ?? "unreachable";
      const enough = pause(clock, askMs);
      const { id: expected } = cluster.spec;
      const [identity, answers] =
        said === "ok" && member !== undefined
          ? await Promise.all([
              Promise.race([identify(member, expected), enough]),
              ask(member, follow(member), { cluster, signal, enough }).catch(refusalOf),
            ])
          : [];
      const health = identity?.isRefused === true || answers === "refused" ? "refused" : said;
      const found = identity?.id;
      const ready = cluster.status?.conditions?.find(({ type }) => type === readyCondition.type)?.status;
      if ((ready === "True") === (health === "ok")) differentSince.delete(name);
      else if (!differentSince.has(name)) differentSince.set(name, clock.nowMs());
      const mismatch = found === undefined ? mismatchBefore(cluster) : mismatchOf({ expected, found });
      const asked = mismatch === undefined && answers !== "refused" ? answers : undefined; // what another cluster says of itself is not this one's
      const status = decideClusterStatus({
        cluster,
        health,
        failure: members.failureOf(name)?.message,
        mismatch,
        version: asked?.version,
        resources: asked?.resources,
        summary: asked?.summary,
        differentForMs: clock.nowMs() - (differentSince.get(name) ?? clock.nowMs()),
        thresholds: needs.thresholds,
        now: formatTime(clock.nowMs()),
      });
      return { cluster, status, id: expected === undefined ? found : undefined };
    },

    // the id first: its event brings the key again, with the status
    decide: ({ status, id }) => ({
      steps: id !== undefined ? [{ do: "putId", id }] : status === undefined ? [] : [{ do: "putStatus", status }],
      waitFor: { reason: "the next look at the member", retryAfterMs: needs.periodMs },
    }),

    async apply(step, { cluster }) {
      if (step.do === "putStatus") {
        await client.updateStatus(clusters, { ...cluster, status: step.status } as unknown as ApiObject); // a Cluster
        return;
      }
      const { name, resourceVersion } = cluster.metadata;
      const patch = { metadata: { resourceVersion }, spec: { id: step.id } };
      await client.patch(clusters, { name }, { type: "merge", patch });
    },
  };
}

interface Question {
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
  /** Resolves when the caches have been waited for long enough. */
  readonly enough: Promise<undefined>;
}

interface Identity {
  readonly id: string | undefined;
  /** It does not know us, or tells us no more what it told us once, although it says that it is well. */
  readonly isRefused: boolean;
}

async function identify(member: Member, expected: string | undefined): Promise<Identity> {
  try {
    return { id: await readClusterId(member.client), isRefused: false };
  } catch (error: unknown) {
    const hadRights = expected !== undefined;
    return {
      id: undefined,
      isRefused: isUnknown(error) || (hadRights && error instanceof StatusError && isRefusal(error.code)),
    };
  }
}

/** Whether a member says that it does not know who asks. */
function isUnknown(error: unknown): boolean {
  return error instanceof StatusError && error.code === 401;
}

function refusalOf(error: unknown): "refused" {
  if (isUnknown(error)) return "refused";
  throw error;
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

function pause(clock: Clock, ms: number): Promise<undefined> {
  return new Promise((resolve) => clock.after(ms, () => resolve(undefined)));
}

function mismatchOf({ expected, found }: { readonly expected: string | undefined; readonly found: string }) {
  return expected === undefined || found === expected ? undefined : mismatchText({ expected, found });
}

/** Who cannot be asked is still who it was found to be. */
function mismatchBefore({ status }: Cluster): string | undefined {
  return status?.conditions?.find(({ type }) => type === clusterIdMismatchCondition.type)?.message;
}

function watchMembers(members: MemberSet): Watch {
  return (enqueue) => {
    const wake = (name: string) => enqueue(name, "user");
    const stops = [members.subscribe(({ member }) => wake(member.name)), members.subscribeFailures(wake)];
    return () => {
      for (const stop of stops) stop();
    };
  };
}
