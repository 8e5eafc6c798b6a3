import { Clusters } from "#api/cluster/cluster.ts";
import { apiVersionOf, resourceOf } from "#api/kind.ts";
import { type Client, createClient } from "#client/client.ts";
import { readClusterId } from "#members/cluster-identity.ts";
import type { EmbeddedCluster } from "./embedded-cluster.ts";
import { systemUser } from "./start-cluster.ts";

const clusters = resourceOf(Clusters);

/** Joins a simulated member; a restart with the same address writes nothing. What users changed on a Cluster stays. */
export async function registerMember(client: Client, { name, url, server }: EmbeddedCluster): Promise<void> {
  const present = await client.get(clusters, { name });
  const spec = present?.["spec"] as { readonly apiEndpoint?: string } | undefined; // a Cluster
  if (present === undefined) {
    await client.create(clusters, {
      apiVersion: apiVersionOf(Clusters),
      kind: Clusters.kind,
      metadata: { name },
      spec: { syncMode: "Push", apiEndpoint: url, id: await idOf(server) },
    });
  } else if (spec?.apiEndpoint !== url) {
    await client.patch(clusters, { name }, { type: "merge", patch: { spec: { apiEndpoint: url } } });
  }
}

/** Known from the start: no write is needed later to record it. */
async function idOf(transport: EmbeddedCluster["server"]): Promise<string | undefined> {
  return readClusterId(createClient({ transport, user: systemUser, manager: "flotilla" }));
}
