import { keyOf } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";
import { clusterRoles } from "#housekeeping/resource-ids.ts";
import type { Controller } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import {
  type AggregatedRoleFacts,
  type AggregatedRoleStep,
  type ClusterRole,
  decideAggregatedRole,
  isAggregated,
} from "./decide-aggregated-role.ts";

export interface AggregatedRoleNeeds {
  readonly client: Client;
  /** With the index `aggregated`; see aggregatedOf. */
  readonly roles: Informer<ClusterRole>;
}

/** All aggregated roles stand under one value of the index `aggregated`. */
export function aggregatedOf(role: ClusterRole): readonly string[] {
  return isAggregated(role) ? ["yes"] : [];
}

/** Writes the rules of aggregated roles onto them: whoever reads or binds the role sees what it grants. Keys are names. */
export function aggregatedRoleController({
  client,
  roles,
}: AggregatedRoleNeeds): Controller<AggregatedRoleFacts, AggregatedRoleStep> {
  return {
    name: "role-aggregation",
    watches: [watchInformer(roles, () => roles.byIndex("aggregated", "yes").map(({ metadata }) => metadata.name))],
    async gather(name) {
      await roles.whenSynced();
      const role = roles.get({ name });
      return role === undefined ? undefined : { role, roles: roles.all() };
    },
    decide: decideAggregatedRole,
    async apply({ rules }, { role }) {
      const { uid, resourceVersion } = role.metadata;
      await client.patch(clusterRoles, keyOf(role), {
        type: "merge",
        patch: { metadata: { uid, resourceVersion }, rules },
      });
    },
  };
}
