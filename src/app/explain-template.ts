import type { Cluster } from "#api/cluster/cluster.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import type { ExplainedPolicy, Explanation } from "#api/plan/explanation.ts";
import { policyText } from "#api/policy/policy-text.ts";
import { scheduledCondition } from "#api/work/condition-reasons.ts";
import { bindingNameOf, workNameOf } from "#api/work/derived-names.ts";
import type { Work } from "#api/work/work.ts";
import { bindingAt } from "#controllers/binding-informers.ts";
import { activationOf } from "#controllers/detector/active-policy.ts";
import { claimOf, policyIdOf } from "#controllers/detector/claim.ts";
import type { Activation } from "#controllers/detector/decide-activation.ts";
import { pendingText } from "#controllers/detector/pending-condition.ts";
import { chooseRules } from "#overrides/choose-rules.ts";
import { explainClusters } from "#plan/explain-clusters.ts";
import { type Claimant, decidedBy, priorityOf, rankClaimants } from "#selection/choose-claimant.ts";
import { templateOf } from "#selection/template.ts";
import { scheduleOptionsOf } from "./pipeline-controllers.ts";
import type { PlannerNeeds } from "./planner.ts";
import { policyPrerequisites } from "./policy-prerequisites.ts";

/** Why a template is where it is: by the very functions and caches that put it there. Undefined when there is no such template. */
export function explainTemplate(needs: PlannerNeeds, key: string): Explanation | undefined {
  const { caches, options, clock } = needs;
  const found = caches.templates.get(key);
  if (found === undefined) return undefined;
  const { template, resource } = found;
  const { apiVersion, kind, metadata } = template;
  const { namespace, name } = metadata;
  const binding = bindingAt(caches.bindings, `${namespace ?? ""}/${bindingNameOf({ kind, name })}`);
  const { PriorityBasedScheduling: prioritized, Failover: drivesOut } = options.gates;
  const prerequisites = policyPrerequisites({ ...caches, prioritized });
  const active = { policies: caches.policyCatalog, gates: options.gates, prerequisites };
  const activation = activationOf(active, { template, binding });
  const scheduled = binding?.status?.conditions?.find(({ type }) => type === scheduledCondition.type);
  const placed = binding && {
    binding,
    clusters: caches.snapshots.current(),
    options: scheduleOptionsOf(options),
    drivenOutAtMs: drivesOut ? clock.nowMs() : undefined,
  };
  return {
    template: { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name },
    policies: explainPolicies(
      rankClaimants(caches.policyCatalog.candidatesFor(templateOf(template)), templateOf(template)),
      template,
    ),
    activation: activationText(activation),
    ...(activation.pending && { pending: pendingText(activation.pending) }),
    ...(scheduled && { scheduled: `${scheduled.reason}: ${scheduled.message}` }),
    clusters: (placed === undefined ? [] : explainClusters(placed)).map((verdict) => ({
      ...verdict,
      overrides: overridesOf(needs, template, verdict.name),
      ...(verdict.in && copyOf(needs, { template, resource, cluster: verdict.name })),
    })),
  };
}

const matchedBy = { Name: "name", LabelSelector: "labels", All: "kind" } as const;

function explainPolicies(ranked: readonly Claimant[], { metadata }: ApiObject): readonly ExplainedPolicy[] {
  const holder = claimOf(metadata)?.policyId;
  return ranked.map((claimant, index) => {
    const before = ranked[index - 1];
    return {
      policy: policyText(claimant.policy),
      holds: holder !== undefined && policyIdOf(claimant.policy) === holder,
      matchedBy: matchedBy[claimant.match.precision],
      priority: priorityOf(claimant.policy),
      ...(before && { behindBy: decidedBy(before, claimant) }),
    };
  });
}

function activationText(activation: Activation): string {
  if (activation.do === "apply") return `${policyText(activation.policy)} acts on it: ${activation.because}`;
  if (activation.holder !== undefined) return `${policyText(activation.holder)} holds it as it is`;
  return activation.releases ? "its policy holds it no more, and none takes over" : "no policy acts on it";
}

/** The rules in their order; those for other clusters are left out. */
function overridesOf({ caches }: PlannerNeeds, object: ApiObject, name: string): readonly string[] {
  const cluster = caches.clusters.get({ name }) as unknown as Cluster | undefined; // the cache's kind
  const template = templateOf(object);
  if (cluster === undefined) return [];
  const all = caches.overrideCatalog.candidatesFor(template);
  const scopes = [true, false].map((wide) =>
    all.filter(({ policy }) => (policy.metadata.namespace === undefined) === wide),
  );
  return scopes
    .flatMap((overrides) => chooseRules(overrides, { template, cluster }))
    .filter(({ skippedBy }) => skippedBy === undefined)
    .map(({ policy: { kind, metadata }, rule }) => {
      const path = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
      return `${kind} ${path}${rule === undefined ? "" : `, rule ${rule + 1}`}`;
    });
}

interface Copy {
  readonly template: ApiObject;
  readonly resource: ResourceId;
  readonly cluster: string;
}

/** How a copy's work and its object in the member are. */
function copyOf({ caches, members }: PlannerNeeds, { template, resource, cluster }: Copy) {
  const { kind, metadata } = template;
  const { namespace, name } = metadata;
  const work = caches.works.get({
    namespace: executionNamespaceOf(cluster),
    name: workNameOf({ kind, name, namespace }),
  }) as unknown as Work | undefined; // the cache's kind
  if (work === undefined) return { work: "there is none yet" };
  const conditions = (work.status?.conditions ?? []).map(({ type, status }) => `${type}: ${status}`);
  const member = members().find((each) => each.name === cluster);
  const there = member?.managed(resource).get(keyOf(template));
  const health = work.status?.manifestStatuses?.[0]?.health;
  return {
    work: conditions.length === 0 ? "not sent yet" : conditions.join(", "),
    member: there === undefined ? "not there" : (health ?? "there"),
  };
}
