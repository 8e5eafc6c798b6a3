import { setMaxListeners } from "node:events";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Metrics } from "#base/metrics.ts";
import type { Random } from "#base/random.ts";
import { announcingWrites } from "#client/announced-writes.ts";
import { createClient } from "#client/client.ts";
import type { ServerAccess } from "#client/https-wire.ts";
import type { WriteFence } from "#client/write-fence.ts";
import { defaultRemoteMemberRules, type RemoteMemberRules } from "#members/cluster-access.ts";
import { clusterConnector } from "#members/cluster-connector.ts";
import { admittedWrites } from "./admitted-writes.ts";
import { briefWrites } from "./brief-writes.ts";
import { openControlPlane, wireUser } from "./control-plane-access.ts";
import { DiscoveredResources } from "./discovered-resources.ts";
import { memberManager } from "./embedded-connector.ts";
import { defaultPipelineOptions, type PipelineOptions, type RunningPipeline, startPipeline } from "./pipeline.ts";
import { publishSettings } from "./published-settings.ts";
import { requestFigures } from "./request-figures.ts";
import { untrackedWrites } from "./untracked-writes.ts";

export interface ControllersNeeds {
  /** Where the control plane's API server is and who we are there; asked again and again. */
  readonly readAccess: () => Promise<ServerAccess>;
  /** What is allowed for members, where it differs from the default. */
  readonly rules: Partial<RemoteMemberRules>;
  readonly options: Partial<PipelineOptions>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Closed once nothing may be written any more, to the control plane or to any member. */
  readonly fence?: WriteFence | undefined;
}

/**
 * Starts every controller against any conformant API server. Resolves when they run; their caches fill afterwards. Once it is disposed of
 * nothing is under way any more.
 */
export async function startControllers(needs: ControllersNeeds, signal: AbortSignal): Promise<RunningPipeline> {
  const { clock, random, log, metrics, fence } = needs;
  const rules = { ...defaultRemoteMemberRules, ...needs.rules };
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one for every stream
  const either = AbortSignal.any([stopping.signal, signal]);
  const observe = requestFigures(metrics);
  const transport = await openControlPlane({ ...needs, observe, withoutOwnersBut: memberManager }); // what is kept, and asked by nobody
  const writer = untrackedWrites(briefWrites(createClient({ transport, user: wireUser, manager: memberManager })));
  const client = announcingWrites(admittedWrites(writer, random));
  const served = new DiscoveredResources({ transport, client, clock, log });
  await served.start(either);
  const options = { ...defaultPipelineOptions, ...needs.options };
  await publishSettings(client, options).catch((error: unknown) =>
    log.error("cannot publish the settings: plans that are made elsewhere will not know them", { error }),
  );
  const pipeline = startPipeline({
    client,
    clock,
    random,
    log,
    metrics,
    served,
    connector: clusterConnector({ client, clock, rules, manager: memberManager, fence, observe }),
    memberManager,
    options,
  });
  return {
    ...pipeline,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await pipeline[Symbol.asyncDispose]();
      transport.close();
    },
  };
}
