import type { Cluster } from "#api/cluster/cluster.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { appliedClusterOverridesAnnotation, appliedOverridesAnnotation } from "#api/policy/applied-keys.ts";
import { type Override, OverridePolicies } from "#api/policy/override-policy.ts";
import { workNameOf } from "#api/work/derived-names.ts";
import { executionFinalizer } from "#api/work/finalizers.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { templateGenerationAnnotation, templateUidAnnotation } from "#api/work/template-keys.ts";
import { type Work, Works } from "#api/work/work.ts";
import {
  conflictResolutionAnnotation,
  managedLabel,
  workNameAnnotation,
  workNamespaceAnnotation,
} from "#api/work/work-keys.ts";
import { stringifyJson } from "#base/json.ts";
import { appliedOverrides } from "#overrides/applied-overrides.ts";
import { applyOverrides } from "#overrides/apply-overrides.ts";
import type { RenderResult } from "./decide-works.ts";

/** What the template's kind means when it is sent somewhere. */
export interface TemplateInterpreter {
  /** The template without what belongs to the control plane alone. */
  prune(template: Fields): Fields;
  /** The template with another number of replicas; unchanged for kinds that have none. */
  reviseReplica(template: Fields, replicas: number): Fields;
}

export interface RenderFacts {
  readonly binding: Binding;
  readonly template: ApiObject;
  readonly target: TargetCluster;
  readonly cluster: Cluster;
  /** Of both scopes; those about other templates do no harm. */
  readonly overrides: readonly Override[];
  readonly interpreter: TemplateInterpreter;
  /** Job completions for this target, where they are divided. */
  readonly completions: number | undefined;
}

/** The template as one cluster should receive it, wrapped in its work. */
export function renderWork(facts: RenderFacts): RenderResult {
  const { binding, template, target, cluster, overrides, interpreter } = facts;
  const isWorkload = (binding.spec.replicas ?? 0) > 0 || binding.spec.replicaRequirements !== undefined;
  const pruned = interpreter.prune(template);
  const revised =
    isWorkload && target.replicas !== undefined ? interpreter.reviseReplica(pruned, target.replicas) : pruned;
  const divided =
    facts.completions === undefined
      ? revised
      : { ...revised, spec: { ...revised["spec"], completions: facts.completions } };
  const overridden = applyOverrides(divided as unknown as Manifest, { policies: overrides, cluster }); // an object with its identity
  if (!overridden.ok) return { ok: false, error: `${overridden.rule.policy.metadata.name}: ${overridden.message}` };
  const { kind, metadata } = overridden.manifest;
  const name = workNameOf({ kind, name: metadata.name, namespace: metadata.namespace });
  const namespace = executionNamespaceOf(target.name);
  const { labels, annotations } = bindingMarks(binding);
  const applied = {
    ...recorded(appliedOverridesAnnotation, appliedOverrides(overridden.rules, OverridePolicies.namespaced.kind)),
    ...recorded(appliedClusterOverridesAnnotation, appliedOverrides(overridden.rules, OverridePolicies.cluster.kind)),
  };
  const conflict = { [conflictResolutionAnnotation]: conflictOf(binding, template) };
  const manifest = withMarks(overridden.manifest, {
    labels: { ...labels, [managedLabel]: "true" },
    annotations: {
      ...annotations,
      ...conflict,
      [templateUidAnnotation]: template.metadata.uid,
      ...(template.metadata.generation === undefined
        ? {}
        : { [templateGenerationAnnotation]: String(template.metadata.generation) }),
      [workNameAnnotation]: name,
      [workNamespaceAnnotation]: namespace,
    },
  });
  const work = {
    apiVersion: `${Works.group}/${Works.version}`,
    kind: Works.kind,
    metadata: {
      name,
      namespace,
      labels,
      annotations: { ...annotations, ...conflict, ...applied },
      finalizers: [executionFinalizer],
    },
    spec: {
      workload: { manifests: [manifest] },
      suspendDispatching: isSuspended(binding, target.name),
      preserveResourcesOnDeletion: binding.spec.preserveResourcesOnDeletion ?? false,
    },
  };
  return { ok: true, work: work as unknown as Work }; // complete once stored
}

/** How works and manifests point back to their binding. */
function bindingMarks({ kind, metadata }: Binding) {
  const { idLabel, nameAnnotation, namespaceAnnotation } = ResourceBindings.traits[kind];
  return {
    labels: { [idLabel]: metadata.labels?.[idLabel] ?? "" },
    annotations: {
      [nameAnnotation]: metadata.name,
      ...(namespaceAnnotation === undefined ? {} : { [namespaceAnnotation]: metadata.namespace ?? "" }),
    },
  };
}

interface Marks {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The manifest with our marks. Admission adds the work's id and the list of keys that are ours there. */
function withMarks(manifest: Manifest, marks: Marks): Fields {
  const { metadata } = manifest;
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...marks.labels },
      annotations: { ...metadata.annotations, ...marks.annotations },
    },
  };
}

/** The template's own word first, if it is one of the two, else the binding's. */
function conflictOf({ spec }: Binding, { metadata }: ApiObject): "overwrite" | "abort" {
  const own = metadata.annotations?.[conflictResolutionAnnotation];
  if (own === "overwrite" || own === "abort") return own;
  return spec.conflictResolution === "Overwrite" ? "overwrite" : "abort";
}

/** Both spellings mean the same (ruling 12). */
function isSuspended({ spec }: Binding, cluster: string): boolean {
  const { dispatching, suspendDispatching, dispatchingOnClusters, suspendDispatchingOnClusters } =
    spec.suspension ?? {};
  const named = [...(dispatchingOnClusters?.clusterNames ?? []), ...(suspendDispatchingOnClusters?.clusterNames ?? [])];
  return dispatching === true || suspendDispatching === true || named.includes(cluster);
}

function recorded(annotation: string, list: readonly unknown[]): Record<string, string> {
  return list.length === 0 ? {} : { [annotation]: stringifyJson(list) };
}
