import type { ResourceType } from "#api/meta/resource-type.ts";
import { createClient } from "#client/client.ts";
import type { MemberConnection, MemberConnector } from "#members/member-connection.ts";
import type { EmbeddedCluster } from "./embedded-cluster.ts";
import { serverVersion } from "./server-version.ts";

/** The field manager under which members see our writes. */
export const memberManager = "flotilla";
const user = { name: "system:flotilla", groups: ["system:masters"] };

/** Connects simulated members by function call: objects, no bytes. */
export function embeddedConnector(members: readonly EmbeddedCluster[]): MemberConnector {
  return {
    async connect({ metadata, spec }) {
      const member = members.find(({ name, url }) => name === metadata.name && url === spec.apiEndpoint);
      if (member === undefined) {
        throw new Error(
          `cannot connect to ${metadata.name} at ${spec.apiEndpoint ?? "no address"}: it is no simulated member of this process, and clusters elsewhere cannot be joined yet`,
        );
      }
      return connectionTo(member);
    },
  };
}

function connectionTo({ server }: EmbeddedCluster): MemberConnection {
  return {
    client: createClient({ transport: server, user, manager: memberManager }),
    health: async () => "ok",
    kubernetesVersion: async () => serverVersion,
    resources: async () =>
      server.core.registry
        .all()
        .filter(isListable)
        .map(({ group, version, plural, kind, namespaced }) => ({
          group,
          version,
          resource: plural,
          kind,
          namespaced,
        })),
    close: () => {},
  };
}

function isListable({ verbs }: ResourceType): boolean {
  return verbs.includes("list") && verbs.includes("watch");
}
