import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { createClient } from "#client/client.ts";
import { openRotatingTransport } from "#client/rotating-transport.ts";
import { FencedError, type WriteFence } from "#client/write-fence.ts";
import { core, type RemoteMember, startRemoteMember } from "./remote-member.ts";

const configMaps = core("configmaps", "ConfigMap");
let member: RemoteMember;
beforeAll(async () => {
  member = await startRemoteMember("rotating");
});
afterAll(() => member[Symbol.asyncDispose]());

async function open(tokens: readonly string[], fence?: WriteFence) {
  const { pki, url } = member.cluster;
  let reads = 0;
  let aheadMs = 0;
  const transport = await openRotatingTransport({
    readAccess: async () => ({
      server: new URL(url),
      identity: { ca: pki.ca.certificate },
      token: tokens[Math.min(reads++, tokens.length - 1)],
    }),
    addresses: { allowLoopback: true },
    clock: { ...systemClock, elapsedMs: () => systemClock.elapsedMs() + aheadMs },
    log: silentLogger,
    fence,
  });
  const client = createClient({ transport, user: { name: "", groups: [] }, manager: "test" });
  const later = (ms: number) => {
    aheadMs += ms;
  };
  return { transport, client, later, reads: () => reads };
}

const named = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } });

test("credentials that are not known any more are read anew, and the call is made again", async () => {
  const { client, transport, reads } = await open(["of yesterday", member.token]);
  await client.create(configMaps, named("made-with-the-new-token"));
  expect(reads()).toBe(2);
  transport.close();
});

test("where the new ones are no better, the refusal is the caller's", async () => {
  const { client, transport } = await open(["of yesterday"]);
  await expect(client.list(configMaps)).rejects.toMatchObject({ code: 401 });
  transport.close();
});

test("new credentials are noticed before long, and end streams, which are begun anew with them", async () => {
  const { client, transport, later } = await open(["of yesterday", member.token, "of tomorrow", member.token]);
  const source = await client.watch(configMaps);
  const ended = new Promise<void>((resolve) => {
    source.start({ event: () => {}, end: resolve });
  });
  await client.list(configMaps);
  later(10_000);
  await client.list(configMaps);
  await ended;
  transport.close();
});

test("a closed fence lets nothing be written, and everything be read", async () => {
  let isOpen = true;
  const fence = {
    expectOpen() {
      if (!isOpen) throw new FencedError("closed");
    },
  };
  const { client, transport } = await open([member.token], fence);
  await client.create(configMaps, named("before"));
  isOpen = false;
  await expect(client.create(configMaps, named("after"))).rejects.toBeInstanceOf(FencedError);
  expect(await client.get(configMaps, { namespace: "default", name: "before" })).toBeDefined();
  isOpen = true;
  expect(await client.get(configMaps, { namespace: "default", name: "after" })).toBeUndefined();
  transport.close();
});

test("a fence that closes while writes wait for a connection stops them", async () => {
  let asked = 0;
  const fence = {
    expectOpen() {
      if (++asked > 5) throw new FencedError("closed");
    },
  };
  const { client, transport } = await open([member.token], fence);
  const names = Array.from({ length: 40 }, (_, index) => `waiting-${index}`);
  const outcomes = await Promise.allSettled(names.map((name) => client.create(configMaps, named(name))));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  const { items } = await client.list(configMaps, { namespace: "default" });
  expect(items.filter(({ metadata }) => metadata.name.startsWith("waiting-"))).toHaveLength(5);
  transport.close();
});
