import { KeyLists } from "#admission/key-lists.ts";
import { mutateBinding } from "#admission/mutate-binding.ts";
import { mutatePropagationPolicy } from "#admission/mutate-propagation-policy.ts";
import { mutateWork } from "#admission/mutate-work.ts";
import { bindingErrors, boundNamespaceErrors } from "#admission/validate-binding.ts";
import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { ObjectKey, ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import type { FieldError } from "#base/field-error.ts";
import { cloneJson, isJsonObject } from "#base/json.ts";
import type { Random } from "#base/random.ts";
import type { Client, PatchRequest } from "#client/client.ts";
import { admissionDefaults } from "./admission-families.ts";

const bindingKinds: ReadonlySet<string> = new Set([ResourceBindings.namespaced.kind, ResourceBindings.cluster.kind]);

/**
 * A client that completes and judges bindings and works before they are written, as the webhook does with those of others: the webhook is
 * not asked about what this client writes with the controllers' account, and where there is none the controllers find things by their ids
 * nevertheless.
 */
export function admittedWrites(client: Client, random: Pick<Random, "uuid">): Client {
  const lists = new KeyLists();
  const admitted = <T extends { readonly kind: string }>(object: T, judge: (binding: Binding) => FieldError[]): T => {
    const isBinding = bindingKinds.has(object.kind);
    if (!isBinding && object.kind !== Works.kind) return object;
    const draft = draftOf(object);
    const id = random.uuid();
    if (isBinding) mutateBinding(draft, { id });
    const errors = isBinding
      ? judge(draft as unknown as Binding) // of that kind
      : mutateWork(draft, { id, prune: admissionDefaults.prune, lists });
    refuse(draft, errors);
    return draft as unknown as T; // with its id
  };
  return {
    ...client,
    create: async (resource, object) => client.create(resource, admitted(object, newBindingErrors)),
    update: async (resource, object) => client.update(resource, admitted(object, errorsOf)),
    async patch(resource, key, request) {
      if (request.subresource === undefined && bindingKinds.has(resource.kind)) judgePatch(resource, key, request);
      return client.patch(resource, key, request);
    },
  };
}

/** A policy that admission has not seen, as admission would have made it. */
export function completedPolicy(policy: ApiObject, random: Pick<Random, "uuid">): ApiObject {
  const draft = cloneJson(policy) as unknown as Draft; // our own from here on
  mutatePropagationPolicy(draft, { created: true, id: random.uuid() });
  return draft as unknown as ApiObject; // with its id
}

/**
 * A copy of a binding or a work of which those parts are our own that are changed here. The rest stays what it is: works share their
 * manifests' contents with the template, and are kept with them.
 */
function draftOf(object: { readonly kind: string }): Draft {
  const { metadata, spec, ...rest } = object as Fields; // as all kinds that are admitted
  const workload = isJsonObject(spec?.workload) && { workload: { ...spec.workload } };
  return { ...rest, metadata: { ...metadata }, ...(spec !== undefined && { spec: { ...spec, ...workload } }) } as Draft; // as it was
}

const errorsOf = (binding: Binding) => bindingErrors(binding, { components: admissionDefaults.components });

/** What a binding is of is judged once: it stays that, and one from before there was this rule can still be let go. */
const newBindingErrors = (binding: Binding) => [...errorsOf(binding), ...boundNamespaceErrors(binding)];

/** The rules of bindings are about fields each by itself: what a patch does not name was judged when it was written. */
function judgePatch({ kind }: ResourceId, { name, namespace }: ObjectKey, { patch }: PatchRequest): void {
  const { metadata, spec = {} } = patch as Fields; // merge patches, all of them
  const part = { kind, metadata: { ...metadata, name, namespace }, spec };
  refuse(part, newBindingErrors(part as unknown as Binding)); // as far as it is judged
}

function refuse({ kind, metadata }: Pick<Draft, "kind" | "metadata">, errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw StatusError.invalid({ group: Works.group, resource: kind, name: metadata.name ?? "" }, errors);
}
