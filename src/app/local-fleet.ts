import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";

import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Work } from "#api/work/work.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import type { Clock } from "#base/clock.ts";
import { possibleFailure } from "#base/failure.ts";
import { isJsonObject } from "#base/json.ts";
import { silentLogger } from "#base/logger.ts";
import type { HttpTransport } from "#client/http-transport.ts";
import { listingClient } from "#client/listing-client.ts";
import { connectionOver } from "#members/cluster-connector.ts";
import { Member } from "#members/member.ts";
import type { MemberConnection } from "#members/member-connection.ts";
import { memberManager } from "./embedded-connector.ts";
import { defaultPipelineOptions } from "./pipeline.ts";
import type { PipelineCaches } from "./pipeline-caches.ts";
import { recordedMember } from "./recorded-member.ts";

export interface LocalFleetNeeds {
  readonly caches: PipelineCaches;
  /** What the control plane serves. */
  readonly served: readonly ResourceId[];
  /** A way to a member; throws when there is none. */
  readonly reach: (cluster: Cluster) => Promise<HttpTransport>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told why a member is known by its works alone. */
  readonly note: (text: string) => void;
}

/** A member that was looked at, and whether it goes on answering. */
export interface SeenMember {
  readonly member: Member;
  readonly failure: Promise<never>;
}

/** The members as they are now: asked where they can be, else as their works say that they are. */
export function lookAtMembers(needs: LocalFleetNeeds): Promise<readonly SeenMember[]> {
  const clusters = [...needs.caches.clusters.all()] as unknown as readonly Cluster[]; // the cache's kind
  return Promise.all(clusters.map((cluster) => lookAt(cluster, needs)));
}

async function lookAt(cluster: Cluster, needs: LocalFleetNeeds): Promise<SeenMember> {
  const { name } = cluster.metadata;
  const works = needs.caches.works.byIndex("namespace", executionNamespaceOf(name)) as unknown as readonly Work[]; // as above
  const look = { cluster, works, ...needs };
  if (!isReady(cluster)) return recorded(look); // nothing is sent there before it is well
  try {
    return await asked(look);
  } catch (error: unknown) {
    const why = error instanceof Error ? error.message : String(error);
    needs.note(`member ${name} was not asked (${why}): its copies are taken to be as their works say`);
    return recorded(look);
  }
}

interface Look extends LocalFleetNeeds {
  readonly cluster: Cluster;
  readonly works: readonly Work[];
}

function recorded(look: Look): Promise<SeenMember> {
  const connection = recordedMember({ ...look, manager: memberManager });
  return seen(look, connection, possibleFailure().promise);
}

async function asked(look: Look): Promise<SeenMember> {
  const transport = await look.reach(look.cluster);
  const connection = connectionOver(transport, { clock: look.clock, manager: memberManager });
  const { promise: failure, fail } = possibleFailure();
  let isSeen = false;
  const client = listingClient(connection.client, {
    refused: ({ resource }) => isSeen || fail(new Error(`you may not list ${resource} there`)),
    failed: fail,
  });
  const found = await seen(look, { ...connection, client }, failure);
  isSeen = true; // what of other kinds may not be listed is not ours
  return found;
}

/** A member whose caches of what we sent there are full: a fork of an empty one would stay empty. */
async function seen(
  { cluster, works, clock, signal }: Look,
  connection: MemberConnection,
  failure: Promise<never>,
): Promise<SeenMember> {
  const { maxManaged } = defaultPipelineOptions;
  const member = new Member({ name: cluster.metadata.name, connection, clock, log: silentLogger, maxManaged });
  try {
    const sent = new Set(works.flatMap(typesIn));
    const served = await connection.resources(signal);
    const ours = served.filter((each) => sent.has(`${apiVersionOf(each)} ${each.kind}`));
    await Promise.race([Promise.all(ours.map((resource) => member.managed(resource).whenSynced())), failure]);
    return { member, failure };
  } catch (error: unknown) {
    member.close();
    throw error;
  }
}

function typesIn({ spec }: Work): readonly string[] {
  return (spec.workload?.manifests ?? []).filter(isJsonObject).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
}

function isReady({ status }: Cluster): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === readyCondition.type && is === "True") ?? false;
}
