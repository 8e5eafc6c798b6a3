import type { ResourceType } from "#api/meta/resource-type.ts";
import { createClient } from "#client/client.ts";
import type { MemberConnection, MemberConnector } from "#members/member-connection.ts";
import type { EmbeddedCluster } from "./embedded-cluster.ts";
import { serverVersion } from "./server-version.ts";

/** The field manager under which members see our writes. */
export const memberManager = "flotilla";
const user = { name: "system:flotilla", groups: ["system:masters"] };

/** The simulated member of a name, when it is there: one that is being opened is waited for. Undefined when there is none. */
export type MemberLookup = (name: string) => EmbeddedCluster | Promise<EmbeddedCluster> | undefined;

/** Connects simulated members by function call, objects and no bytes; other clusters are left to the connector for those elsewhere. */
export function embeddedConnector(memberOf: MemberLookup, elsewhere?: MemberConnector): MemberConnector {
  return {
    async connect(cluster) {
      const { metadata, spec } = cluster;
      const member = spec.secretRef === undefined ? await memberOf(metadata.name) : undefined;
      if (member !== undefined && member.url === spec.apiEndpoint) return connectionTo(member);
      if (elsewhere !== undefined) return elsewhere.connect(cluster);
      throw new Error(`cannot connect to ${metadata.name}: it is no simulated member of this process`);
    },
  };
}

function connectionTo({ server }: EmbeddedCluster): MemberConnection {
  return {
    sharesObjects: true,
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
