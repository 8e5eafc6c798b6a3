import { decideQuota, type FederatedQuota } from "#admission/binding-quota.ts";
import { deletionRefusal } from "#admission/deletion-protection.ts";
import { mutateBinding } from "#admission/mutate-binding.ts";
import { mutateOverridePolicy } from "#admission/mutate-override-policy.ts";
import { mutatePropagationPolicy } from "#admission/mutate-propagation-policy.ts";
import { mutateWork } from "#admission/mutate-work.ts";
import { bindingErrors } from "#admission/validate-binding.ts";
import { overridePolicyErrors } from "#admission/validate-override-policy.ts";
import { policyIdentityErrors, propagationPolicyErrors } from "#admission/validate-propagation-policy.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { Override } from "#api/policy/override-policy.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { FieldError } from "#base/field-error.ts";
import { cloneJson } from "#base/json.ts";
import { pruneManifest } from "#interpreter/prune-manifest.ts";
import type { Answer, RulingException, Vector, VectorAdapter, VectorFunction } from "../vector.ts";

interface Input<T> {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly object: T;
  readonly oldObject?: T;
}

interface QuotaInput extends Input<Binding> {
  readonly quotas?: readonly FederatedQuota[];
}

const id = "6b1f0a52-9c0e-4f3b-8a55-0d3f6e1c7a11";

/**
 * A refusal's code and text are those of Karmada's webhook library; that it is refused is the behaviour.
 */
function mutates(mutate: (draft: Draft, created: boolean) => readonly FieldError[] | undefined): VectorFunction {
  return {
    typedInput: true,
    answer: ({ object, operation }: Input<Draft>) => {
      const draft = cloneJson(object);
      const errors = mutate(draft, operation === "CREATE") ?? [];
      return { out: errors.length > 0 ? { allowed: false } : { allowed: true, object: draft } };
    },
    rules: {
      lenient: "empty",
      canonical: (out) => {
        const { allowed, object } = out as { readonly allowed: boolean; readonly object?: unknown };
        return { allowed, object };
      },
    },
  };
}

interface Verdict {
  readonly allowed: boolean;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

/** Findings are compared as a set of field and detail; what an update may not change has no field upstream, and only shows in `allowed`. */
function validates<T>(
  judge: (input: Input<T>) => { readonly findings: readonly FieldError[]; readonly otherwiseRefused?: boolean },
  exceptions: readonly RulingException[] = [],
): VectorFunction {
  return {
    typedInput: true,
    answer: (input: Input<T>) => {
      const { findings, otherwiseRefused = false } = judge(input);
      const errors = findings.map(({ path, detail }) => ({ field: path, detail }));
      return { out: { allowed: errors.length === 0 && !otherwiseRefused, errors } };
    },
    rules: { canonical: (out) => comparable(out as Verdict) },
    exceptions,
  };
}

function comparable({ allowed, errors = [] }: Verdict) {
  const lines = errors.map(({ field, detail }) => `${field}: ${detail}`);
  return { allowed, errors: [...new Set(lines)].toSorted() };
}

const confinedSelector: RulingException = {
  ruling: 9, // only a selector without name that is confined to namespaces, and we find nothing else
  explains: ({ in: input, out }: Vector, answer: Answer) => {
    const { metadata, spec } = (input as unknown as Input<Policy>).object;
    const expected = out as Verdict;
    const kept = (expected.errors ?? []).filter(({ field, detail }) => {
      const index = Number(/^spec\.resourceSelectors\[(\d+)\]\.name$/.exec(field)?.[1] ?? -1);
      const confined = metadata.namespace ?? spec.resourceSelectors[index]?.namespace;
      return !(detail.startsWith("name cannot be empty if preemption is Always") && confined);
    });
    const ours = comparable(answer.out as Verdict);
    const theirs = comparable({ allowed: kept.length === 0, errors: kept });
    return JSON.stringify(ours) === JSON.stringify(theirs);
  },
};

/** Findings that only a ruling makes: without them our verdict is the recorded one. */
function addedBy(ruling: number, isOurs: (detail: string) => boolean): RulingException {
  return {
    ruling,
    explains: ({ out }: Vector, answer: Answer) => {
      const { errors = [] } = answer.out as Verdict;
      const kept = errors.filter(({ detail }) => !isOurs(detail));
      const ours = comparable({ allowed: kept.length === 0, errors: kept });
      return JSON.stringify(ours) === JSON.stringify(comparable(out as Verdict));
    },
  };
}

const namespacePatterns = addedBy(10, (detail) => detail.includes("must be a namespace, a {prefix}*"));
const identityGuard = addedBy(21, (detail) => detail.endsWith(" cannot be overridden"));

const validatesPolicy = validates<Policy>(
  ({ object, oldObject }) => ({
    findings: propagationPolicyErrors(object, { isClusterScoped: () => false }),
    otherwiseRefused: policyIdentityErrors(object, oldObject).length > 0,
  }),
  [confinedSelector, namespacePatterns],
);
const validatesOverride = validates<Override>(
  ({ object }) => ({ findings: overridePolicyErrors(object) }),
  [identityGuard, namespacePatterns],
);
const mutatesPolicy = mutates((policy, created) => {
  mutatePropagationPolicy(policy, { created, id });
  return undefined;
});
const mutatesBinding = mutates((binding) => {
  mutateBinding(binding, { id });
  return undefined;
});

export const adapter: VectorAdapter = {
  mutatePropagationPolicy: mutatesPolicy,
  mutateClusterPropagationPolicy: mutatesPolicy,
  mutateOverridePolicy: mutates((policy) => {
    mutateOverridePolicy(policy);
    return undefined;
  }),
  mutateResourceBinding: mutatesBinding,
  mutateClusterResourceBinding: mutatesBinding,
  mutateWork: mutates((work) => mutateWork(work, { id, prune: (manifest) => pruneManifest(manifest) })),
  validatePropagationPolicy: validatesPolicy,
  validateClusterPropagationPolicy: validatesPolicy,
  validateOverridePolicy: validatesOverride,
  validateClusterOverridePolicy: validatesOverride,
  validateResourceBinding: validates<Binding>(({ object }) => {
    const errors = bindingErrors(object, { components: false });
    return { findings: [], otherwiseRefused: errors.length > 0 };
  }),
  validateDeletion: {
    answer: ({ operation, oldObject }: Input<ApiObject>) => {
      const message = operation === "DELETE" && oldObject ? deletionRefusal(oldObject.metadata) : undefined;
      return {
        out: message === undefined ? { allowed: true } : { allowed: false, code: 403, message, reason: "Forbidden" },
      };
    },
  },
  validateResourceBindingQuota: {
    typedInput: true,
    answer: ({ object: binding, oldObject: old, quotas = [] }: QuotaInput) => {
      const decision = decideQuota({ binding, old, quotas });
      const changed = new Map(
        decision.allowed ? decision.used.map(({ quota, overallUsed }) => [quota, overallUsed]) : [],
      );
      const left = quotas.map((quota) => ({
        ...quota.metadata,
        overallUsed: changed.get(quota) ?? quota.status?.overallUsed,
      }));
      const refusal = decision.allowed ? {} : { code: 403, reason: "QuotaExceeded", message: decision.message };
      return { out: { allowed: decision.allowed, ...refusal, quotas: left } };
    },
    rules: { lenient: "empty" },
  },
};
