import { gatedFeatures } from "#admission/gated-features.ts";
import { KeyLists } from "#admission/key-lists.ts";
import { mutateBinding } from "#admission/mutate-binding.ts";
import { mutateCluster } from "#admission/mutate-cluster.ts";
import { mutateOverridePolicy } from "#admission/mutate-override-policy.ts";
import { mutatePropagationPolicy } from "#admission/mutate-propagation-policy.ts";
import { mutateWork, type PruneManifest } from "#admission/mutate-work.ts";
import { unbuiltFeatures } from "#admission/unbuilt-features.ts";
import { bindingErrors, boundNamespaceErrors } from "#admission/validate-binding.ts";
import { type ClusterRules, clusterErrors } from "#admission/validate-cluster.ts";
import { clusterTaintPolicyErrors } from "#admission/validate-cluster-taint-policy.ts";
import { customizationErrors } from "#admission/validate-customization.ts";
import { overridePolicyErrors } from "#admission/validate-override-policy.ts";
import { policyIdentityErrors, propagationPolicyErrors } from "#admission/validate-propagation-policy.ts";
import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { clusterNamespace } from "#api/cluster/namespaces.ts";
import {
  type ResourceInterpreterCustomization,
  ResourceInterpreterCustomizations,
} from "#api/config/resource-interpreter-customization.ts";
import type { FeatureGates } from "#api/feature-gates.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { ClusterTaintPolicies, type ClusterTaintPolicy } from "#api/policy/cluster-taint-policy.ts";
import { type Override, OverridePolicies } from "#api/policy/override-policy.ts";
import { type Policy, PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import type { ReviewRequest } from "#apiserver/admission.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { FieldError } from "#base/field-error.ts";
import { jsonEquals } from "#base/json.ts";
import type { Random } from "#base/random.ts";
import { pruneManifest } from "#interpreter/prune-manifest.ts";
import type { AdmissionFacts } from "./admission-facts.ts";
import { expectRightToSecrets } from "./cluster-secret-rights.ts";

export interface AdmissionNeeds extends AdmissionFacts {
  readonly clock: Clock;
  readonly random: Random;
  readonly prune: PruneManifest;
  /** Whether clusters have grades of nodes (gate CustomizedClusterResourceModeling). */
  readonly resourceModeling: boolean;
  /** Whether workloads with several kinds of pods are scheduled (gate MultiplePodTemplatesScheduling). */
  readonly components: boolean;
  readonly clusterRules: ClusterRules;
  /** Of the controllers, as far as it is known now: what they do not do is said to whoever asks for it. */
  readonly gates: () => FeatureGates;
}

/** Karmada's own settings. */
export const admissionDefaults = {
  prune: (manifest) => pruneManifest(manifest),
  resourceModeling: true,
  components: false,
  clusterRules: { secretNamespaces: [clusterNamespace] },
} satisfies Partial<AdmissionNeeds>;

/** What admission does with the kinds of one family. */
export interface AdmissionFamily {
  readonly kinds: readonly { readonly group: string; readonly kind: string }[];
  readonly mutate?: (draft: Draft, request: ReviewRequest) => readonly FieldError[] | undefined;
  /** After the schema has judged the object: it has the shape of its kind. */
  readonly validate?: (request: ReviewRequest) => readonly FieldError[] | Promise<readonly FieldError[]>;
}

/** Every family that is completed or judged. */
export function admissionFamilies(needs: AdmissionNeeds): readonly AdmissionFamily[] {
  return [
    propagationFamily(needs),
    overrideFamily,
    bindingFamily(needs),
    workFamily(needs),
    clusterFamily(needs),
    clusterTaintFamily,
    customizationFamily(needs),
  ];
}

function propagationFamily({ random, isClusterScoped, gates }: AdmissionNeeds): AdmissionFamily {
  return {
    kinds: [PropagationPolicies.namespaced, PropagationPolicies.cluster],
    mutate: (policy, { operation }) => {
      mutatePropagationPolicy(policy, { created: operation === "CREATE", id: random.uuid() });
      return undefined;
    },
    validate: (request) => {
      const { next, old } = writtenAs<Policy>(request);
      for (const remark of [...unbuiltFeatures(next), ...gatedFeatures(next, gates())]) request.warn(remark);
      return [
        ...policyIdentityErrors(next, old),
        ...ifChanged(request, () => propagationPolicyErrors(next, { isClusterScoped })),
      ];
    },
  };
}

const overrideFamily: AdmissionFamily = {
  kinds: [OverridePolicies.namespaced, OverridePolicies.cluster],
  mutate: (policy) => {
    mutateOverridePolicy(policy);
    return undefined;
  },
  validate: (request) => ifChanged(request, () => overridePolicyErrors(writtenAs<Override>(request).next)),
};

function bindingFamily({ random, components }: AdmissionNeeds): AdmissionFamily {
  return {
    kinds: [ResourceBindings.namespaced, ResourceBindings.cluster],
    mutate: (binding) => {
      mutateBinding(binding, { id: random.uuid() });
      return undefined;
    },
    validate: (request) => {
      const { next } = writtenAs<Binding>(request);
      return [...bindingErrors(next, { components }), ...ifChanged(request, () => boundNamespaceErrors(next))];
    },
  };
}

function workFamily({ random, prune }: AdmissionNeeds): AdmissionFamily {
  const lists = new KeyLists();
  return { kinds: [Works], mutate: (work) => mutateWork(work, { id: random.uuid(), prune, lists }) };
}

function clusterFamily(needs: AdmissionNeeds): AdmissionFamily {
  const { clock, resourceModeling, clusterRules, mayGetSecret } = needs;
  return {
    kinds: [Clusters],
    mutate: (cluster, { operation }) => {
      mutateCluster(cluster, { created: operation === "CREATE", now: formatTime(clock.nowMs()), resourceModeling });
      return undefined;
    },
    validate: async (request) => {
      const { next, old } = writtenAs<Cluster>(request);
      const errors = ifChanged(request, () => clusterErrors(next, clusterRules));
      if (errors.length === 0) await expectRightToSecrets(request, { next, old, mayGetSecret });
      return errors;
    },
  };
}

const clusterTaintFamily: AdmissionFamily = {
  kinds: [ClusterTaintPolicies],
  validate: (request) =>
    ifChanged(request, () => clusterTaintPolicyErrors(writtenAs<ClusterTaintPolicy>(request).next)),
};

function customizationFamily({ customizations }: AdmissionNeeds): AdmissionFamily {
  return {
    kinds: [ResourceInterpreterCustomizations],
    validate: (request) => {
      const { next } = writtenAs<ResourceInterpreterCustomization>(request);
      return ifChanged(request, () => customizationErrors(next, customizations()));
    },
  };
}

/** What is written and what it replaces, as its kind reads it: the schema has judged it by then. */
function writtenAs<T>({ object, old }: ReviewRequest): { readonly next: T; readonly old: T | undefined } {
  const typed = (value: Draft | ApiObject | undefined) => value as unknown as T; // see above
  return { next: typed(object), old: old === undefined ? undefined : typed(old) };
}

/** A spec that is already stored is not judged again: a finalizer must go even when rules have become stricter since. */
function ifChanged({ object, old }: ReviewRequest, errors: () => readonly FieldError[]): readonly FieldError[] {
  return old !== undefined && jsonEquals(object?.["spec"], old["spec"]) ? [] : errors();
}
