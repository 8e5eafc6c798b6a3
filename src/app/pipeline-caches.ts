import { WorkloadRebalancers } from "#api/apps/workload-rebalancer.ts";
import { Clusters } from "#api/cluster/cluster.ts";
import { clusterNamespace } from "#api/cluster/namespaces.ts";
import { ResourceInterpreterCustomizations } from "#api/config/resource-interpreter-customization.ts";
import type { FeatureGates } from "#api/feature-gates.ts";
import { type Kind, resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { ClusterTaintPolicies } from "#api/policy/cluster-taint-policy.ts";
import { OverridePolicies } from "#api/policy/override-policy.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Metrics } from "#base/metrics.ts";
import type { Client } from "#client/client.ts";
import { OverrideCatalog } from "#controllers/binding/override-catalog.ts";
import { bindingIdsOf } from "#controllers/binding/works-controller.ts";
import { DependentsIndex } from "#controllers/dependencies/dependents-index.ts";
import type { PolicyCatalog } from "#controllers/detector/policy-catalog.ts";
import { prerequisitesOf } from "#controllers/detector/prerequisites.ts";
import { TemplateCatalog, type TemplateCatalogNeeds } from "#controllers/detector/template-catalog.ts";
import { ClusterSnapshots } from "#controllers/scheduler/cluster-snapshots.ts";
import { type IndexFunction, type Informer, LiveInformer } from "#runtime/informer.ts";
import { TimedPolicyCatalog } from "./pipeline-figures.ts";
import { prerequisiteIndex, priorityClasses } from "./policy-prerequisites.ts";
import { bindingIndexes } from "./run-dependencies.ts";
import { failoverIndexes } from "./run-failover.ts";

type Cache = Informer<ApiObject>;

/** Everything that the controllers read of the control plane, and the indexes over it. */
export interface PipelineCaches {
  readonly namespaces: Cache;
  readonly clusters: Cache;
  /** Of both scopes, the namespaced ones first; so are overrides and bindings. */
  readonly policies: readonly Cache[];
  readonly overrides: readonly Cache[];
  readonly bindings: readonly Cache[];
  readonly works: Cache;
  /** Those of clusters. */
  readonly secrets: Cache;
  readonly priorityClasses: Cache;
  readonly taintPolicies: Cache;
  readonly rebalancers: Cache;
  readonly customizations: Cache;
  readonly templates: TemplateCatalog;
  readonly policyCatalog: PolicyCatalog;
  readonly overrideCatalog: OverrideCatalog;
  readonly snapshots: ClusterSnapshots;
  readonly dependents: DependentsIndex;
}

export interface CacheNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly served: TemplateCatalogNeeds["served"];
  readonly gates: FeatureGates;
}

const namespaceResource: ResourceId = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
};
const secretResource: ResourceId = { group: "", version: "v1", resource: "secrets", kind: "Secret", namespaced: true };

/** The caches of a control plane, which follow it until the signal; the templates begin when they are started. */
export function openCaches({ client, clock, log, metrics, served, gates }: CacheNeeds, signal: AbortSignal) {
  const all: Cache[] = [];
  const follow = (
    resource: ResourceId,
    indexes: Readonly<Record<string, IndexFunction<ApiObject>>> = {},
    options: { readonly namespace?: string } = {},
  ) => {
    const informer = new LiveInformer<ApiObject>({ client, resource, clock, log, indexes, options });
    informer.start(signal);
    all.push(informer);
    return informer;
  };
  const both = (
    twins: { readonly namespaced: Kind; readonly cluster: Kind },
    indexes?: Readonly<Record<string, IndexFunction<ApiObject>>>,
  ) => [twins.namespaced, twins.cluster].map((kind) => follow(resourceOf(kind), indexes));
  const clusters = follow(resourceOf(Clusters));
  const policies = both(PropagationPolicies, { [prerequisiteIndex]: prerequisitesOf });
  const overrides = both(OverridePolicies);
  const caches: PipelineCaches = {
    namespaces: follow(namespaceResource),
    clusters,
    policies,
    overrides,
    bindings: both(ResourceBindings, { id: bindingIdsOf, ...bindingIndexes, ...failoverIndexes(gates) }),
    works: follow(resourceOf(Works), {
      binding: bindingIdsOf,
      namespace: ({ metadata }) => [metadata.namespace ?? ""],
    }),
    secrets: follow(secretResource, {}, { namespace: clusterNamespace }),
    priorityClasses: follow(priorityClasses),
    taintPolicies: follow(resourceOf(ClusterTaintPolicies)),
    rebalancers: follow(resourceOf(WorkloadRebalancers)),
    customizations: follow(resourceOf(ResourceInterpreterCustomizations)),
    templates: new TemplateCatalog({ client, clock, log, served }),
    policyCatalog: new TimedPolicyCatalog(policies, { clock, metrics }),
    overrideCatalog: new OverrideCatalog(overrides),
    snapshots: new ClusterSnapshots(clusters),
    dependents: new DependentsIndex(),
  };
  return { caches, all: () => [...all, ...caches.templates.caches()] };
}

/** The same caches over forks of each, with what changes there. */
export function forkCaches(caches: PipelineCaches, forkOf: (informer: Cache) => Cache): PipelineCaches {
  const clusters = forkOf(caches.clusters);
  const policies = caches.policies.map(forkOf);
  const overrides = caches.overrides.map(forkOf);
  return {
    namespaces: forkOf(caches.namespaces),
    clusters,
    policies,
    overrides,
    bindings: caches.bindings.map(forkOf),
    works: forkOf(caches.works),
    secrets: caches.secrets, // who connects to members, no plan does
    priorityClasses: forkOf(caches.priorityClasses),
    taintPolicies: forkOf(caches.taintPolicies),
    rebalancers: forkOf(caches.rebalancers),
    customizations: forkOf(caches.customizations),
    templates: caches.templates.fork(forkOf),
    policyCatalog: caches.policyCatalog.fork(policies),
    overrideCatalog: caches.overrideCatalog.fork(overrides),
    snapshots: new ClusterSnapshots(clusters),
    dependents: caches.dependents.fork(),
  };
}
