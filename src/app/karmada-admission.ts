import { mutateBinding } from "#admission/mutate-binding.ts";
import { mutateCluster } from "#admission/mutate-cluster.ts";
import { mutateOverridePolicy } from "#admission/mutate-override-policy.ts";
import { mutatePropagationPolicy } from "#admission/mutate-propagation-policy.ts";
import { mutateWork, type PruneManifest } from "#admission/mutate-work.ts";
import { Clusters } from "#api/cluster/cluster.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { OverridePolicies } from "#api/policy/override-policy.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import type { AdmissionPlugin, AdmissionRequest } from "#apiserver/admission.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { FieldError } from "#base/field-error.ts";
import type { Random } from "#base/random.ts";

export interface KarmadaAdmissionNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly prune: PruneManifest;
  /** Whether clusters have grades of nodes (gate CustomizedClusterResourceModeling). */
  readonly resourceModeling: boolean;
}

/** Karmada's own settings. */
export const admissionDefaults = {
  prune: (manifest) => ({ ok: true, value: manifest }),
  resourceModeling: true,
} satisfies Partial<KarmadaAdmissionNeeds>;

/** What Karmada's webhooks do, in process: completes and judges the kinds of the control plane. */
export function karmadaAdmission(needs: KarmadaAdmissionNeeds): AdmissionPlugin {
  const families = new Map(familiesOf(needs).flatMap((family) => family.kinds.map((kind) => [keyOf(kind), family])));
  return {
    name: "karmada",
    mutate: (request) => {
      const { object, subresource } = request;
      if (object === undefined || subresource !== undefined) return;
      const errors = families.get(keyOf(request.type))?.mutate(object, request) ?? [];
      if (errors.length > 0) throw invalidObject(request, errors);
    },
  };
}

interface Family {
  readonly kinds: readonly { readonly group: string; readonly kind: string }[];
  readonly mutate: (draft: Draft, request: AdmissionRequest) => readonly FieldError[];
}

function familiesOf({ clock, random, prune, resourceModeling }: KarmadaAdmissionNeeds): readonly Family[] {
  return [
    {
      kinds: [PropagationPolicies.namespaced, PropagationPolicies.cluster],
      mutate: (policy, { operation }) => {
        mutatePropagationPolicy(policy, { created: operation === "CREATE", id: random.uuid() });
        return [];
      },
    },
    {
      kinds: [OverridePolicies.namespaced, OverridePolicies.cluster],
      mutate: (policy) => {
        mutateOverridePolicy(policy);
        return [];
      },
    },
    {
      kinds: [ResourceBindings.namespaced, ResourceBindings.cluster],
      mutate: (binding) => {
        mutateBinding(binding, { id: random.uuid() });
        return [];
      },
    },
    { kinds: [Works], mutate: (work) => mutateWork(work, { id: random.uuid(), prune }) },
    {
      kinds: [Clusters],
      mutate: (cluster, { operation }) => {
        const now = formatTime(clock.nowMs());
        mutateCluster(cluster, { created: operation === "CREATE", now, resourceModeling });
        return [];
      },
    },
  ];
}

function keyOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${group}/${kind}`;
}

function invalidObject({ type, name }: AdmissionRequest, errors: readonly FieldError[]): StatusError {
  return StatusError.invalid({ group: type.group, resource: type.kind, name }, errors);
}
