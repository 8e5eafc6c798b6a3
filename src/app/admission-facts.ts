import type { PolicyFacts } from "#admission/validate-propagation-policy.ts";
import {
  type ResourceInterpreterCustomization,
  ResourceInterpreterCustomizations,
} from "#api/config/resource-interpreter-customization.ts";
import type { UserInfo } from "#api/meta/api-call.ts";
import type { AdmissionParts } from "./write-path.ts";

/** What admission must know of the rest of the world to judge one object. */
export interface AdmissionFacts {
  readonly isClusterScoped: PolicyFacts["isClusterScoped"];
  readonly customizations: () => readonly ResourceInterpreterCustomization[];
  /** Whether a user may read a secret. */
  readonly mayGetSecret: (user: UserInfo, secret: SecretKey) => boolean | Promise<boolean>;
}

export interface SecretKey {
  readonly namespace: string;
  readonly name: string;
}

/** The facts of the very server that admits. */
export function storedFacts({ store, registry, authorizer }: AdmissionParts): AdmissionFacts {
  const { group, plural } = ResourceInterpreterCustomizations;
  return {
    isClusterScoped: ({ apiVersion, kind }) => registry.ofKind(apiVersion, kind)?.namespaced === false,
    customizations: () => {
      const listed = store.list({ prefix: `${group}/${plural}/` });
      const values = listed.ok ? listed.entries.map(({ value }) => value as unknown) : [];
      return values as readonly ResourceInterpreterCustomization[]; // stored as this kind
    },
    mayGetSecret: (user, { namespace, name }) =>
      authorizer.allows(user, { verb: "get", group: "", resource: "secrets", namespace, name }),
  };
}
