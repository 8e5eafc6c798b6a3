import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import type { Informer } from "#runtime/informer.ts";

const namespaces: ResourceId = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
};

const told = { name: "kube-system" };

/** What tells a cluster from all others, whatever it is called: the uid of its namespace kube-system. Undefined when it has none. */
export async function readClusterId(client: Client): Promise<string | undefined> {
  return (await client.get(namespaces, told))?.metadata.uid;
}

/** The same, by a cache of the cluster's namespaces. */
export function clusterIdIn(known: Pick<Informer<ApiObject>, "get">): string | undefined {
  return known.get(told)?.metadata.uid;
}

/** The cluster that answers is not the one that joined. */
export class ClusterIdMismatchError extends Error {}

export interface IdentityNeeds {
  readonly clock: Clock;
  /** The id under which the cluster joined; undefined while none is recorded. */
  readonly expectedId: () => string | undefined;
}

/** How long a cluster is taken for the one that it was, while nothing happens that speaks against it. */
const trustMs = 10_000;

/**
 * A client that writes to one cluster only (SEC-20). Whoever answers at an address is asked for its id before the first write, after
 * every break of a connection or stream, and now and then; another cluster than the one that joined gets no write.
 */
export function guardedClient(client: Client, { clock, expectedId }: IdentityNeeds): Client {
  let trusted: { readonly id: string; readonly untilMs: number } | undefined;
  /** Writes that come together ask once. */
  let asking: Promise<string | undefined> | undefined;
  /** What was asked before one of them proves nothing after it: somebody else may answer then. */
  let breaks = 0;
  const forget = () => {
    trusted = undefined;
    asking = undefined;
    breaks++;
  };
  const distrust = (error: unknown): never => {
    if (!(error instanceof StatusError)) forget();
    throw error;
  };
  const ask = async () => {
    const asked = readClusterId(client);
    asking = asked;
    try {
      return await asked;
    } finally {
      if (asking === asked) asking = undefined;
    }
  };
  const expectSame = async () => {
    const expected = expectedId();
    if (expected === undefined) return;
    if (trusted?.id === expected && clock.nowMs() < trusted.untilMs) return;
    const since = breaks;
    const id = await (asking ?? ask());
    if (id !== expected) throw new ClusterIdMismatchError(mismatchText({ expected, found: id }));
    if (since === breaks) trusted = { id, untilMs: clock.nowMs() + trustMs };
  };
  const write = async <T>(go: () => Promise<T>): Promise<T> => {
    await expectSame();
    return go().catch(distrust);
  };
  return {
    get: (...call) => client.get(...call).catch(distrust),
    list: (...call) => client.list(...call).catch(distrust),
    async watch(...call) {
      const source = await client.watch(...call).catch(distrust);
      return {
        start: ({ event, end }) =>
          source.start({
            event,
            end() {
              forget();
              end();
            },
          }),
      };
    },
    create: (...call) => write(() => client.create(...call)),
    update: (...call) => write(() => client.update(...call)),
    updateStatus: (...call) => write(() => client.updateStatus(...call)),
    patch: (...call) => write(() => client.patch(...call)),
    delete: (...call) => write(() => client.delete(...call)),
    post: (...call) => write(() => client.post(...call)),
  };
}

/** What to say of a cluster that is not the one that joined, and what to do about it. */
export function mismatchText({ expected, found }: { readonly expected: string; readonly found: string | undefined }) {
  const other = found ?? "";
  return `the cluster that answers has the id ${JSON.stringify(other)}, not ${JSON.stringify(expected)}: nothing is written to it until spec.id says so or it joins anew`;
}
