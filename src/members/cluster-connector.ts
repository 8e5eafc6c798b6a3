import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import { member } from "#base/json.ts";
import { announcingWrites } from "#client/announced-writes.ts";
import { type Client, createClient } from "#client/client.ts";
import { DiscoveryReader } from "#client/discovery.ts";
import { createHttpTransport, type HttpTransport } from "#client/http-transport.ts";
import type { WireLimits, WireSettings } from "#client/https-wire.ts";
import { accessOf, endpointOf, type RemoteMemberRules, secretKeyOf } from "./cluster-access.ts";
import type { MemberConnection, MemberConnector, MemberHealth } from "./member-connection.ts";

export interface ClusterConnectorNeeds extends Pick<WireSettings, "fence" | "observe"> {
  /** The control plane's, to read secrets. */
  readonly client: Client;
  readonly clock: Clock;
  readonly rules: RemoteMemberRules;
  /** The field manager under which members see our writes. */
  readonly manager: string;
  readonly limits?: Partial<WireLimits>;
}

const secrets: ResourceId = { group: "", version: "v1", resource: "secrets", kind: "Secret", namespaced: true };
/** Over the wire a caller is who its credentials say. */
const nobody = { name: "", groups: [] };
const healthMs = 10_000;

/** Connects members over HTTPS by what their Cluster and its secret say. */
export function clusterConnector(needs: ClusterConnectorNeeds): MemberConnector {
  const { client, clock, rules, manager, limits, fence, observe } = needs;
  return {
    async connect(cluster) {
      try {
        endpointOf(cluster);
        const key = secretKeyOf(cluster, rules);
        const secret = await client.get(secrets, key);
        if (secret === undefined) throw new Error(`the secret ${key.namespace}/${key.name} does not exist`);
        const access = accessOf(cluster, secret as Fields, rules);
        const owners = { contentOwnersBut: manager };
        const transport = createHttpTransport({
          ...access,
          ...owners,
          addresses: rules,
          clock,
          limits,
          fence,
          observe,
        });
        return connectionOver(transport, { clock, manager });
      } catch (error: unknown) {
        const detail = error instanceof Error ? error.message : String(error);
        throw new Error(`cannot connect to ${cluster.metadata.name}: ${detail}`);
      }
    },
  };
}

interface ConnectionParts {
  readonly clock: Clock;
  readonly manager: string;
}

/** A member over a way to it that is open already. */
export function connectionOver(transport: HttpTransport, { clock, manager }: ConnectionParts): MemberConnection {
  const discovery = new DiscoveryReader(transport);
  return {
    client: announcingWrites(createClient({ transport, user: nobody, manager })),
    health: (signal) => healthOf(transport, { clock, signal }),
    async kubernetesVersion(signal) {
      const answer = await transport.document("/version", { signal });
      const version = answer === undefined ? undefined : member(answer.value, "gitVersion");
      if (typeof version !== "string" || version.length > 128) throw new Error("cannot read the version of the member");
      return version;
    },
    resources: (signal) => discovery.resources(signal),
    close: () => transport.close(),
  };
}

/** Whether an answer says that whoever asks is not known, or may do nothing. */
export function isRefusal(code: number): boolean {
  return code === 401 || code === 403;
}

/** A member that does not say within seconds that it is well is not reached. */
async function healthOf(
  transport: HttpTransport,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<MemberHealth> {
  const enough = new AbortController();
  const stop = clock.after(healthMs, () => enough.abort());
  try {
    const either = AbortSignal.any([signal, enough.signal]);
    const first = await transport.probe("/readyz", either);
    const code = first === 404 ? await transport.probe("/healthz", either) : first;
    return code === 200 ? "ok" : isRefusal(code) ? "refused" : "notOk";
  } catch {
    return "unreachable";
  } finally {
    stop();
  }
}
