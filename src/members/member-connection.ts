import type { Cluster } from "#api/cluster/cluster.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";

/** How well a member is, as its own health endpoint says or fails to say; refused: to us, whose credentials are not good for anything any more. */
export type MemberHealth = "ok" | "notOk" | "refused" | "unreachable";

/** An open way to a member cluster's API server. */
export interface MemberConnection {
  readonly client: Client;
  /** Objects that it hands out are held by the member's own store in this process: a copy of a part would be more, not less. */
  readonly sharesObjects?: boolean;
  health(signal: AbortSignal): Promise<MemberHealth>;
  kubernetesVersion(signal: AbortSignal): Promise<string>;
  /** Everything the member serves; throws when it cannot be told. */
  resources(signal: AbortSignal): Promise<readonly ResourceId[]>;
  close(): void;
}

/** Opens connections: in process for simulated members, over HTTPS for real ones. Throws when the cluster's data do not allow one. */
export interface MemberConnector {
  connect(cluster: Cluster): Promise<MemberConnection>;
}
