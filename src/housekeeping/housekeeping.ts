import type { CallOptions } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Controller } from "#runtime/controller.ts";
import { type IndexFunction, LiveInformer } from "#runtime/informer.ts";
import { type RunningController, runController } from "#runtime/run-controller.ts";
import { type TokenSecret, tokenSecretType } from "./accounts/decide-token-secret.ts";
import { defaultAccountController, rootCaName } from "./accounts/default-account-controller.ts";
import { accountsOf, tokenSecretController } from "./accounts/token-secret-controller.ts";
import type { Definition } from "./definitions/decide-definition.ts";
import { definitionController } from "./definitions/definition-controller.ts";
import { EventExpiry } from "./events/event-expiry.ts";
import { dependentController } from "./garbage/dependent-controller.ts";
import { followOwnership } from "./garbage/follow-ownership.ts";
import { ownerController } from "./garbage/owner-controller.ts";
import { OwnershipGraph } from "./garbage/ownership-graph.ts";
import { defaultDelays, type HousekeepingNeeds } from "./housekeeping-needs.ts";
import type { Namespace } from "./namespaces/decide-namespace.ts";
import { namespaceController } from "./namespaces/namespace-controller.ts";
import { ResourceFeed } from "./resource-feed.ts";
import { clusterRoles, configMaps, definitions, namespaces, secrets, serviceAccounts } from "./resource-ids.ts";
import { aggregatedOf, aggregatedRoleController } from "./roles/aggregated-role-controller.ts";
import type { ClusterRole } from "./roles/decide-aggregated-role.ts";
import { ServedResources } from "./served-resources.ts";

/** Many deletions under way at once share the store's commits. */
const workers = 16;

/** The housekeeping of one cluster, at work. */
export interface RunningHousekeeping {
  /** Resolves when everything has been looked at and nothing is under way; what waits for its time does not count. */
  whenIdle(): Promise<void>;
  /** Resolves after the signal, once nothing is under way any more: then the store may be closed. */
  readonly stopped: Promise<void>;
}

/**
 * Starts what every cluster needs somebody to do: empty namespaces that are deleted, collect what belonged to objects that are
 * gone, keep service accounts and their tokens, clear up after definitions, forget old events, put roles together. When there
 * is nothing to do nothing is written.
 */
export function startHousekeeping(needs: HousekeepingNeeds): RunningHousekeeping {
  const { client, clock, log, signal, caCertificate, issueToken } = needs;
  const delays = { ...defaultDelays, ...needs.delays };
  const served = new ServedResources(needs.catalog);
  const feed = new ResourceFeed({ client, clock, log, served });
  const graph = new OwnershipGraph();
  followOwnership(feed, graph);
  const copies = openCopies(needs);
  const running: RunningController[] = [];
  const run = <Facts, Step>(controller: Controller<Facts, Step>) =>
    running.push(runController(controller, { clock, log, signal, workers }));
  run(namespaceController({ client, clock, served, feed, namespaces: copies.namespaces, delayMs: delays.namespaceMs }));
  run(dependentController({ client, clock, served, feed, graph }));
  run(ownerController({ client, feed, graph }));
  run(definitionController({ client, clock, served, feed, definitions: copies.definitions }));
  run(defaultAccountController({ client, ...copies, caCertificate }));
  run(tokenSecretController({ client, ...copies, caCertificate, issueToken }));
  run(aggregatedRoleController({ client, roles: copies.roles }));
  const expiry = new EventExpiry({ client, clock, log, keepMs: delays.eventMs });
  for (const copy of Object.values(copies)) copy.start(signal);
  feed.start(signal);
  expiry.start(signal);
  return {
    async whenIdle() {
      await Promise.all([feed.whenListed(), ...Object.values(copies).map((copy) => copy.whenSynced())]);
      while (running.some(({ queue }) => queue.size + queue.active > 0)) {
        await Promise.all(running.map(({ queue }) => queue.whenIdle()));
      }
      await expiry.whenIdle();
    },
    stopped: Promise.all(running.map(({ stopped }) => stopped)).then(() => expiry.whenIdle()),
  };
}

/** The few resources whose objects are looked up all the time. */
function openCopies({ client, clock, log }: HousekeepingNeeds) {
  const open = <T extends ApiObject>(
    resource: ResourceId,
    more: { readonly options?: CallOptions; readonly indexes?: Readonly<Record<string, IndexFunction<T>>> } = {},
  ) => new LiveInformer<T>({ client, clock, log, resource, ...more });
  return {
    namespaces: open<Namespace>(namespaces),
    accounts: open(serviceAccounts),
    rootCas: open(configMaps, { options: { fieldSelector: `metadata.name=${rootCaName}` } }),
    secrets: open<TokenSecret>(secrets, {
      options: { fieldSelector: `type=${tokenSecretType}` },
      indexes: { account: accountsOf },
    }),
    definitions: open<Definition>(definitions),
    roles: open<ClusterRole>(clusterRoles, { indexes: { aggregated: aggregatedOf } }),
  };
}
