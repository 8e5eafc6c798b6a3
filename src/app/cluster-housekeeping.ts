import { setMaxListeners } from "node:events";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { startHousekeeping } from "#housekeeping/housekeeping.ts";
import type { HousekeepingDelays } from "#housekeeping/housekeeping-needs.ts";
import type { EmbeddedCluster } from "./embedded-cluster.ts";

export interface ClusterHousekeepingOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly delays?: Partial<HousekeepingDelays>;
}

export interface ClusterHousekeeping extends AsyncDisposable {
  whenIdle(): Promise<void>;
}

/** Runs the housekeeping of an embedded cluster until it is disposed of, which must be before the cluster is. */
export function runHousekeeping(cluster: EmbeddedCluster, options: ClusterHousekeepingOptions): ClusterHousekeeping {
  const { registry } = cluster.server.core;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // one for every controller and stream
  const running = startHousekeeping({
    ...options,
    signal: stop.signal,
    catalog: {
      resources: () => registry.all().filter(isKept).map(resourceIdOf),
      subscribe: (listener) => registry.subscribe(listener),
    },
    caCertificate: cluster.pki.ca.certificate,
    issueToken: (subject) => cluster.tokens.issue({ ...subject, audiences: [], nowMs: options.clock.nowMs() }),
  });
  return {
    whenIdle: () => running.whenIdle(),
    [Symbol.asyncDispose]() {
      stop.abort();
      return running.stopped;
    },
  };
}

/** Reviews and the like are answered and forgotten; what is kept under another resource's name is seen there. */
function isKept({ verbs, group, plural, storagePrefix }: ResourceType): boolean {
  const isOwn = storagePrefix === undefined || storagePrefix === `${group}/${plural}`;
  return isOwn && ["list", "watch", "delete"].every((verb) => verbs.includes(verb));
}

function resourceIdOf({ group, version, plural, kind, namespaced }: ResourceType): ResourceId {
  return { group, version, resource: plural, kind, namespaced };
}
