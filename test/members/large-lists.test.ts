import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { systemClock } from "#app/system.ts";
import type { Logger } from "#base/logger.ts";
import { type Client, createClient } from "#client/client.ts";
import { createHttpTransport, type HttpTransport } from "#client/http-transport.ts";
import type { WireLimits } from "#client/https-wire.ts";
import { LiveInformer } from "#runtime/informer.ts";
import { core, eventually, type RemoteMember, startRemoteMember } from "./remote-member.ts";

const configMaps = core("configmaps", "ConfigMap");
/** What a list may take here, unless told otherwise: less than what is there. */
const maxListBytes = 10_000;

let member: RemoteMember;
const open: HttpTransport[] = [];
let stop = new AbortController();

beforeAll(async () => {
  member = await startRemoteMember("large");
  await fill("small", 600, 300);
  await fill("large", 3, 5_000);
});
afterEach(() => {
  stop.abort();
  stop = new AbortController();
  for (const transport of open.splice(0)) transport.close();
});
afterAll(() => member[Symbol.asyncDispose]());

describe("where there is more than a list may take", () => {
  test("a list that is kept as a whole is refused by name", async () => {
    const listing = connect({ toldBytesEach: 1_000 }).list(configMaps, { namespace: "small" });
    await expect(listing).rejects.toThrow("cannot list configmaps: more than 10000 bytes");
  });

  test("a cache has all of it, if it is many small objects", async () => {
    const { informer, errors } = follow("small", { toldBytesEach: 1_000 });
    await informer.whenSynced();
    expect([informer.size, errors]).toEqual([600, []]);
    await member.client.delete(configMaps, { namespace: "small", name: "object-0" });
    await eventually(
      async () => informer.size,
      (size) => size === 599,
    );
  });

  test("a cache of large ones is refused and says so once, however often it tries", async () => {
    const { informer, errors } = follow("large", { toldBytesEach: 1_000 });
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // three tries
    expect([informer.synced, errors]).toEqual([false, ["Error: cannot list configmaps: more than 10000 bytes"]]);
  });

  test("so is one of which only the second page is too much", async () => {
    const { items } = await connect({}).list(configMaps, { namespace: "small", limit: 500 });
    const limits = { maxListBytes: Math.round(JSON.stringify(items).length * 1.1), toldBytesEach: 0 };
    const { informer, errors } = follow("small", limits);
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // three tries
    expect([informer.synced, errors]).toEqual([false, [expect.stringContaining("cannot list configmaps: more than")]]);
  });

  test("a server that is trusted may have as many and as large ones as it likes", async () => {
    const { informer, errors } = follow("large", { toldBytesEach: Number.POSITIVE_INFINITY });
    await informer.whenSynced();
    expect([informer.size, errors]).toEqual([3, []]);
  });
});

async function fill(namespace: string, count: number, length: number): Promise<void> {
  const metadata = { name: namespace };
  await member.client.create(core("namespaces", "Namespace", false), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata,
  });
  for (let index = 0; index < count; index++)
    await member.client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace, name: `object-${index}` },
      data: { text: "x".repeat(length) },
    });
}

function connect(limits: Partial<WireLimits>): Client {
  const { cluster, token } = member;
  const transport = createHttpTransport({
    server: new URL(cluster.url),
    identity: { ca: cluster.pki.ca.certificate },
    token,
    addresses: { allowLoopback: true },
    clock: systemClock,
    limits: { maxListBytes, ...limits },
  });
  open.push(transport);
  return createClient({ transport, user: { name: "", groups: [] }, manager: "test" });
}

function follow(namespace: string, limits: Partial<WireLimits>) {
  const errors: string[] = [];
  const log: Logger = {
    error: (_, fields) => void errors.push(String(fields?.["error"])),
    info() {},
    debug() {},
    child: () => log,
  };
  const client = connect(limits);
  const options = { namespace, fieldSelector: "metadata.name!=kube-root-ca.crt" };
  const informer = new LiveInformer<ApiObject>({ client, resource: configMaps, clock: systemClock, log, options });
  informer.start(stop.signal);
  return { informer, errors };
}
