import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { type Policy, PropagationPolicies } from "#api/policy/propagation-policy.ts";
import type { Plan } from "#base/plan.ts";
import type { Client } from "#client/client.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { claimOf, policyIdOf } from "./claim.ts";
import type { TemplateCatalog } from "./template-catalog.ts";

export interface PolicyControllerNeeds {
  readonly client: Client;
  /** Of both scopes. */
  readonly policies: readonly Informer<ApiObject>[];
  readonly templates: TemplateCatalog;
  /** A policy as admission would have made it; undefined where admission sees every policy. */
  readonly complete: ((policy: ApiObject) => ApiObject) | undefined;
}

interface Facts {
  readonly policy: Policy;
  /** Templates that still carry its id. */
  readonly held: number;
}

type Step = { readonly do: "releasePolicy" } | { readonly do: "completePolicy" };

/**
 * Lets a deleted policy go once no template carries its id any more; the detector releases them. Gives an identity to a policy that came
 * without one, past admission: nothing could be claimed by it for good.
 */
export function policyController(needs: PolicyControllerNeeds): Controller<Facts, Step> {
  const { complete } = needs;
  const isConcerned = ({ metadata, ...rest }: ApiObject) =>
    metadata.deletionTimestamp !== undefined ||
    (complete !== undefined && policyIdOf({ metadata, ...rest } as unknown as Policy) === ""); // the informers' kinds
  return {
    name: "policy",
    watches: [
      ...needs.policies.map((informer) =>
        watchInformer(informer, ({ after }) => (after === undefined || !isConcerned(after) ? [] : [policyKey(after)])),
      ),
      watchReleases(needs),
    ],

    async gather(key) {
      await needs.templates.whenSynced();
      const policy = policyAt(needs, key);
      if (policy === undefined) return undefined;
      return { policy, held: needs.templates.countClaimedBy(policyIdOf(policy)) };
    },

    decide: decideRelease,

    async apply(step, { policy }) {
      if (step.do === "completePolicy") {
        const object = policy as unknown as ApiObject; // one of the family
        if (complete !== undefined)
          await needs.client.update(
            resourceOf(PropagationPolicies.kindFor(policy.metadata.namespace)),
            complete(object),
          );
        return;
      }
      const { finalizer } = PropagationPolicies.traits[policy.kind];
      const { metadata } = policy;
      const finalizers = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
      const resource = resourceOf(PropagationPolicies.kindFor(metadata.namespace));
      await needs.client.patch(resource, keyOf({ metadata }), {
        type: "merge",
        patch: { metadata: { finalizers, resourceVersion: metadata.resourceVersion } },
      });
    },
  };
}

function decideRelease({ policy, held }: Facts): Plan<Step> {
  const { deletionTimestamp, finalizers = [] } = policy.metadata;
  if (deletionTimestamp === undefined && policyIdOf(policy) === "") return { steps: [{ do: "completePolicy" }] };
  if (deletionTimestamp === undefined || !finalizers.includes(PropagationPolicies.traits[policy.kind].finalizer))
    return { steps: [] };
  return held === 0
    ? { steps: [{ do: "releasePolicy" }] }
    : { steps: [], waitFor: { reason: `${held} templates still carry its id` } };
}

function policyKey({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

/** A template that lost its claim may be the last that a deleted policy waited for; others wait for none. */
function watchReleases(needs: PolicyControllerNeeds): Watch {
  return (enqueue) =>
    needs.templates.subscribe(({ change: { before, after } }) => {
      const old = before === undefined ? undefined : claimOf(before.metadata);
      const now = after === undefined ? undefined : claimOf(after.metadata);
      if (old === undefined || old.policyId === now?.policyId) return;
      const key = `${old.namespace ?? ""}/${old.name}`;
      if (policyAt(needs, key)?.metadata.deletionTimestamp !== undefined) enqueue(key, "background");
    });
}

function policyAt({ policies }: PolicyControllerNeeds, key: string): Policy | undefined {
  const [namespace, name] = key.split("/") as [string, string];
  const informer = policies.find(({ resource }) => resource.namespaced === (namespace !== ""));
  return informer?.get(namespace === "" ? { name } : { namespace, name }) as unknown as Policy | undefined; // the informer's kind
}
