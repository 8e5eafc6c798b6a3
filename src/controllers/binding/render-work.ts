import type { Cluster } from "#api/cluster/cluster.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { appliedClusterOverridesAnnotation, appliedOverridesAnnotation } from "#api/policy/applied-keys.ts";
import { OverridePolicies } from "#api/policy/override-policy.ts";
import { workNameOf } from "#api/work/derived-names.ts";
import { executionFinalizer } from "#api/work/finalizers.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { isDispatchingSuspended } from "#api/work/suspended-dispatching.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import {
  reconcileRequestAnnotation,
  releasedClustersAnnotation,
  templateGenerationAnnotation,
  templateUidAnnotation,
} from "#api/work/template-keys.ts";
import { type Work, Works } from "#api/work/work.ts";
import {
  conflictResolutionAnnotation,
  managedLabel,
  workNameAnnotation,
  workNamespaceAnnotation,
} from "#api/work/work-keys.ts";
import { membersBut, mergeMembers } from "#base/json.ts";
import { type Interpretation, notUnderstood } from "#interpreter/interpretation.ts";
import { type Answer, type Interpreter, onceKnown } from "#interpreter/interpreter.ts";
import { pruneManifest } from "#interpreter/prune-manifest.ts";
import { appliedOverrides } from "#overrides/applied-overrides.ts";
import { applyOverrides } from "#overrides/apply-overrides.ts";
import type { PreparedOverride } from "#overrides/prepared-override.ts";
import type { RenderResult } from "./decide-works.ts";
import { shareOfCompletions } from "./share-of-completions.ts";

export interface RenderFacts {
  readonly binding: Binding;
  readonly template: ApiObject;
  /** Of both scopes; those about other templates do no harm. */
  readonly overrides: readonly PreparedOverride[];
  readonly interpreter: Pick<Interpreter, "reviseReplicas">;
  /** Whether a template's own word is enough to take over what a member has. */
  readonly templatesTakeOver: boolean;
}

/** The template as one cluster should receive it, wrapped in its work: at once, unless a customization has to be asked. */
export type RenderWork = (target: TargetCluster, cluster: Cluster) => RenderResult | Promise<RenderResult>;

/** What renders a template for each of its clusters; what is the same in all of them is done once. */
export function workRenderer(facts: RenderFacts): RenderWork {
  const pruned = pruneManifest(facts.template as unknown as Manifest); // an object with its identity
  if (!pruned.ok) return () => ({ ok: false, error: pruned.message });
  const frame = frameOf(facts);
  const { binding, overrides, interpreter } = facts;
  return (target, cluster) =>
    onceKnown(withShare(pruned.value, { binding, target, interpreter }), (divided): RenderResult => {
      if (divided.ok) return wrap(frame, { binding, overrides, divided: divided.value, target, cluster });
      const { reason: error, ...when } = notUnderstood(divided);
      return { ok: false, error, ...when };
    });
}

/** What the works of a template have in common. An overrider cannot change what an object is, hence not its work's name. */
function frameOf(facts: RenderFacts) {
  const { binding, template } = facts;
  const { kind, metadata } = template;
  const marks = bindingMarks(binding);
  const conflict = { [conflictResolutionAnnotation]: conflictOf(facts) };
  return {
    name: workNameOf({ kind, name: metadata.name, namespace: metadata.namespace }),
    labels: marks.labels,
    annotations: mergeMembers(marks.annotations, conflict),
    request: requestOf(template),
    manifest: {
      labels: mergeMembers(marks.labels, { [managedLabel]: "true" }),
      annotations: mergeMembers(marks.annotations, conflict, templateMarks(template)),
    },
  };
}

const worksVersion = `${Works.group}/${Works.version}`;

interface DividedFacts extends Pick<RenderFacts, "binding" | "overrides"> {
  readonly divided: Manifest;
  readonly target: TargetCluster;
  readonly cluster: Cluster;
}

function wrap(frame: ReturnType<typeof frameOf>, facts: DividedFacts): RenderResult {
  const rendered = renderManifest(facts);
  if (!rendered.ok) return rendered;
  const { binding, target } = facts;
  const { name, labels, annotations, request } = frame;
  const namespace = executionNamespaceOf(target.name);
  const own = { [workNameAnnotation]: name, [workNamespaceAnnotation]: namespace };
  const manifest = withMarks(rendered.manifest, {
    labels: frame.manifest.labels,
    annotations: mergeMembers(frame.manifest.annotations, own),
  });
  const work = {
    apiVersion: worksVersion,
    kind: Works.kind,
    metadata: {
      name,
      namespace,
      labels,
      annotations: mergeMembers(annotations, rendered.applied, request),
      finalizers: [executionFinalizer],
    },
    spec: {
      workload: { manifests: [manifest] },
      suspendDispatching: isDispatchingSuspended(binding.spec, target.name),
      preserveResourcesOnDeletion: binding.spec.preserveResourcesOnDeletion ?? false,
    },
  };
  return { ok: true, work: work as unknown as Work }; // complete once stored
}

type RenderedManifest =
  | { readonly ok: true; readonly manifest: Manifest; readonly applied: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly error: string };

/** Overridden, and by what. */
function renderManifest({ cluster, overrides, divided }: DividedFacts): RenderedManifest {
  if (overrides.length === 0) return { ok: true, manifest: divided, applied: {} };
  const overridden = applyOverrides(divided, { overrides, cluster });
  if (!overridden.ok) return { ok: false, error: `${overridden.rule.policy.metadata.name}: ${overridden.message}` };
  const { manifest, rules } = overridden;
  const applied = {
    ...recorded(appliedOverridesAnnotation, appliedOverrides(rules, OverridePolicies.namespaced.kind)),
    ...recorded(appliedClusterOverridesAnnotation, appliedOverrides(rules, OverridePolicies.cluster.kind)),
  };
  return { ok: true, manifest, applied };
}

/** A workload runs with the target's number of replicas; a divided job also has its share of the completions. */
function withShare(
  manifest: Manifest,
  { binding, target, interpreter }: Pick<RenderFacts, "binding" | "interpreter"> & Pick<DividedFacts, "target">,
): Answer<Manifest> {
  const { replicas = 0, replicaRequirements } = binding.spec;
  if ((replicas === 0 && replicaRequirements === undefined) || target.replicas === undefined)
    return { ok: true, value: manifest };
  return onceKnown(interpreter.reviseReplicas(manifest, target.replicas), (revised): Interpretation<Manifest> => {
    if (!revised.ok) return revised.why === "no rule" ? { ok: true, value: manifest } : revised;
    const completions = shareOfCompletions(manifest, binding, target);
    if (completions === undefined) return revised;
    return { ok: true, value: { ...revised.value, spec: { ...(revised.value["spec"] as Fields), completions } } };
  });
}

function templateMarks({ metadata }: ApiObject): Record<string, string> {
  const { uid, generation } = metadata;
  return {
    [templateUidAnnotation]: uid,
    ...(generation === undefined ? {} : { [templateGenerationAnnotation]: String(generation) }),
  };
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
  const metadata = mergeMembers<unknown>(manifest.metadata, {
    labels: mergeMembers(manifest.metadata.labels, marks.labels),
    annotations: mergeMembers(membersBut(manifest.metadata.annotations ?? {}, requests), marks.annotations),
  });
  return mergeMembers<unknown>(manifest, { metadata });
}

/** The request that a work answers: whoever asked sees where it has arrived. */
function requestOf({ metadata }: ApiObject): Record<string, string> {
  const request = metadata.annotations?.[reconcileRequestAnnotation];
  return request === undefined ? {} : { [reconcileRequestAnnotation]: request };
}

/** Whoever asks that something take effect asks the control plane: members need not change for it. */
const requests: ReadonlySet<string> = new Set([reconcileRequestAnnotation, releasedClustersAnnotation]);

/** The template's own word first, if it is one of the two that it may say, else the binding's. */
function conflictOf({ binding: { spec }, template, templatesTakeOver }: RenderFacts): "overwrite" | "abort" {
  const own = template.metadata.annotations?.[conflictResolutionAnnotation];
  if (own === "abort" || (own === "overwrite" && templatesTakeOver)) return own;
  return spec.conflictResolution === "Overwrite" ? "overwrite" : "abort";
}

function recorded(annotation: string, text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { [annotation]: text };
}
