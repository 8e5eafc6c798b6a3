import { mutateBinding } from "#admission/mutate-binding.ts";
import { mutatePropagationPolicy } from "#admission/mutate-propagation-policy.ts";
import { mutateWork } from "#admission/mutate-work.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import { cloneJson } from "#base/json.ts";
import type { Random } from "#base/random.ts";
import type { Client } from "#client/client.ts";
import { admissionDefaults } from "./admission-families.ts";

const bindingKinds: ReadonlySet<string> = new Set([ResourceBindings.namespaced.kind, ResourceBindings.cluster.kind]);

/**
 * A client whose bindings and works have their permanent ids when they are written: by these ids the controllers find them again, also
 * where no webhook completes what is written. Where there is one it finds nothing left to do.
 */
export function identifiedWrites(client: Client, random: Pick<Random, "uuid">): Client {
  const completed = <T extends { readonly kind: string }>(object: T): T => {
    if (!bindingKinds.has(object.kind) && object.kind !== Works.kind) return object;
    const draft = cloneJson(object) as unknown as Draft; // our own from here on
    if (object.kind === Works.kind) mutateWork(draft, { id: random.uuid(), prune: admissionDefaults.prune });
    else mutateBinding(draft, { id: random.uuid() });
    return draft as unknown as T; // with its id
  };
  return {
    ...client,
    create: (resource, object) => client.create(resource, completed(object)),
    update: (resource, object) => client.update(resource, completed(object)),
  };
}

/** A policy that admission has not seen, as admission would have made it. */
export function completedPolicy(policy: ApiObject, random: Pick<Random, "uuid">): ApiObject {
  const draft = cloneJson(policy) as unknown as Draft; // our own from here on
  mutatePropagationPolicy(draft, { created: true, id: random.uuid() });
  return draft as unknown as ApiObject; // with its id
}
