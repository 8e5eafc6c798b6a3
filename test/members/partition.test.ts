import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WatchEvent } from "#api/meta/api-call.ts";
import { systemClock } from "#app/system.ts";
import { createClient } from "#client/client.ts";
import { createHttpTransport, type HttpTransport } from "#client/http-transport.ts";
import { core, eventually, type RemoteMember, startRemoteMember } from "./remote-member.ts";

/** The road to a member: it can be cut, swallow everything without a word, or only the answers. */
async function startRoad(target: string) {
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "mute" | "silent" = "open";
  const server = createServer((near) => {
    if (state === "cut") return void near.destroy();
    const far = connect(Number(new URL(target).port), "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => state === "silent" || (state === "mute" && to === near) || to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    become(next: "open" | "cut" | "mute" | "silent") {
      state = next;
      if (next === "cut") for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const configMaps = core("configmaps", "ConfigMap");
let member: RemoteMember;
let road: Awaited<ReturnType<typeof startRoad>>;
let transport: HttpTransport;

beforeAll(async () => {
  member = await startRemoteMember("far");
  road = await startRoad(member.cluster.url);
  transport = createHttpTransport({
    server: new URL(road.url),
    identity: { ca: member.cluster.pki.ca.certificate },
    token: member.token,
    addresses: { allowLoopback: true },
    clock: systemClock,
    limits: { answerMs: 500 },
  });
});

afterAll(async () => {
  transport?.close();
  road?.close();
  await member?.[Symbol.asyncDispose]();
});

const clientOf = () => createClient({ transport, user: { name: "", groups: [] }, manager: "test" });
const probe = () => transport.probe("/readyz", AbortSignal.timeout(300));

describe("F9: a member that is cut off", () => {
  test("is refused at once while it is left alone, and serves again when it is back", async () => {
    expect(await clientOf().get(configMaps, { namespace: "default", name: "absent" })).toBeUndefined();
    road.become("cut");
    await expect(clientOf().list(configMaps)).rejects.toThrow("cannot talk to");
    await expect(clientOf().list(configMaps)).rejects.toMatchObject({ code: 503, details: { retryAfterSeconds: 1 } });
    road.become("open");
    expect(await probe()).toBe(200); // health is asked all the same, and ends the wait
    await expect(clientOf().list(configMaps)).resolves.toMatchObject({ resourceVersion: expect.any(String) });
  });

  test("without a word: what is asked fails in time, and streams end when its health cannot be told", async () => {
    let ended = false;
    const events: WatchEvent[] = [];
    const source = await clientOf().watch(configMaps);
    source.start({
      event: (event) => events.push(event),
      end: () => {
        ended = true;
      },
    });
    road.become("silent");
    await expect(clientOf().get(configMaps, { namespace: "default", name: "a" })).rejects.toThrow(
      "the server does not answer",
    );
    expect(ended).toBe(false);
    await expect(probe()).rejects.toThrow("cannot talk to");
    await eventually(
      () => ended,
      (seen) => seen,
    );
    road.become("open");
    await eventually(probe, (code) => code === 200);
  });
});

test("F8: a write whose answer is lost is not sent again by itself", async () => {
  await probe();
  const before = member.cluster.server.core.store.revision;
  const created = clientOf().create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", generateName: "lost-" },
  });
  road.become("mute");
  await expect(created).rejects.toThrow("the server does not answer");
  road.become("open");
  await eventually(probe, (code) => code === 200);
  expect(member.cluster.server.core.store.revision - before).toBe(1);
});

test("what is known to take its time is waited for longer, and not for ever", async () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", generateName: "slow-" } };
  await probe();
  road.become("mute");
  const began = performance.now();
  await expect(clientOf().create(configMaps, object, { timeoutSeconds: 1 })).rejects.toThrow(
    "the server does not answer",
  );
  expect(performance.now() - began).toBeGreaterThan(990); // of others 500
  road.become("open");
  await eventually(probe, (code) => code === 200);
});

test("large objects come in small pages, and one that is too large for any keeps no others from being served", async () => {
  const create = (name: string, size: number) =>
    member.client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name, labels: { size: String(size) } },
      data: { text: "x".repeat(size) },
    });
  const names = Array.from({ length: 60 }, (_, index) => `large-${String(index).padStart(2, "0")}`);
  for (const name of names) await create(name, 4_000);
  await create("huge", 90_000);
  const small = createHttpTransport({
    server: new URL(member.cluster.url),
    identity: { ca: member.cluster.pki.ca.certificate },
    token: member.token,
    addresses: { allowLoopback: true },
    clock: systemClock,
    limits: { maxBytes: 64 * 1024 },
  });
  const client = createClient({ transport: small, user: { name: "", groups: [] }, manager: "test" });
  const { items } = await client.list(configMaps, { labelSelector: "size=4000" });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
  await expect(client.list(configMaps)).rejects.toThrow("the answer is larger than 65536 bytes");
  expect(await client.get(configMaps, { namespace: "default", name: "large-00" })).toBeDefined();
  small.close();
});
