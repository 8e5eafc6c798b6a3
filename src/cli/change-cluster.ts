import { type Cluster, type ClusterSpec, Clusters } from "#api/cluster/cluster.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Client } from "#client/client.ts";

const clusters = resourceOf(Clusters);
const maxTries = 5;

/** The cluster of that name, or an error that says which there are. */
export async function readCluster(client: Client, name: string): Promise<Cluster> {
  const found = await client.get(clusters, { name });
  if (found !== undefined) return found as unknown as Cluster; // of this kind
  const names = (await client.list(clusters)).items.map(({ metadata }) => metadata.name);
  throw new HintedError(
    `cannot find cluster ${JSON.stringify(name)}`,
    names.length === 0
      ? "no cluster has joined yet: see 'flotilla join --help'"
      : `the clusters are ${names.join(", ")}`,
  );
}

export interface ClusterChange {
  readonly name: string;
  /** What is to be different; undefined when all is as it should be. */
  readonly change: (spec: ClusterSpec) => Partial<ClusterSpec> | undefined;
  /** Only say what would happen. */
  readonly dryRun: boolean;
}

/** Changes the spec of a cluster, again if somebody else changes it at the same moment. False when there was nothing to change. */
export async function changeCluster(client: Client, { name, change, dryRun }: ClusterChange): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const cluster = await readCluster(client, name);
    const difference = change(cluster.spec);
    if (difference === undefined || dryRun) return difference !== undefined;
    try {
      const next = { ...cluster, spec: { ...cluster.spec, ...difference } };
      await client.update(clusters, next as unknown as ApiObject); // as it was read
      return true;
    } catch (error: unknown) {
      if (!(error instanceof StatusError && error.reason === "Conflict") || tries === maxTries) throw error;
    }
  }
}
