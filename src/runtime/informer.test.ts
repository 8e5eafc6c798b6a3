import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { isLaterRevision } from "#api/meta/revision-order.ts";
import type { Logger } from "#base/logger.ts";
import { announcingWrites } from "#client/announced-writes.ts";
import type { Client } from "#client/client.ts";
import { clientOf, openTestCluster, type TestCluster } from "#test/world/cluster.ts";
import { FlakyTransport } from "#test/world/flaky-transport.ts";
import { settle } from "#test/world/virtual-clock.ts";
import { type Change, LiveInformer } from "./informer.ts";

const configMaps: ResourceId = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

describe("an informer", () => {
  let world: TestCluster;
  let network: FlakyTransport;
  let stop: AbortController;
  let errors: unknown[];

  beforeEach(async () => {
    world = await openTestCluster();
    network = new FlakyTransport(world.cluster.server);
    stop = new AbortController();
    errors = [];
  });
  afterEach(async () => {
    stop.abort();
    await world[Symbol.asyncDispose]();
  });

  function inform(options: { readonly fieldSelector?: string } = {}, limits: { readonly maxObjects?: number } = {}) {
    const log: Logger = { error: (_, fields) => errors.push(fields), info() {}, debug() {}, child: () => log };
    const informer = new LiveInformer<ConfigMap>({
      client: clientOf(network),
      resource: configMaps,
      clock: world.clock,
      log,
      options,
      ...limits,
      indexes: { value: ({ data }) => Object.values(data ?? {}) },
    });
    const told: string[] = [];
    informer.subscribe((change) => void told.push(tell(change)));
    informer.start(stop.signal);
    return { informer, told };
  }

  const put = async (name: string, value: string) => {
    const present = await world.client.get(configMaps, { namespace: "default", name });
    if (present !== undefined) return world.client.update(configMaps, { ...present, data: { value } });
    const metadata = { namespace: "default", name };
    return world.client.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } });
  };
  const remove = (name: string) => world.client.delete(configMaps, { namespace: "default", name });
  /** Forgets history: what resumes from before begins anew. */
  const compact = () => world.cluster.server.core.store.compact(world.cluster.server.core.store.revision);

  test("SEC-17: keeps no more than it is told to, says so once, and tells of the rest without keeping it", async () => {
    for (const name of ["a", "b", "c", "d"]) await put(name, "1");
    const { informer, told } = inform({}, { maxObjects: 2 });
    await informer.whenSynced();
    await put("c", "2");
    await put("a", "2");
    await remove("d");
    const listed = ["+a=1 (listed)", "+b=1 (listed)", "+c=1 (listed)", "+d=1 (listed)"];
    expect(told).toEqual([...listed, "+c=2", "a=1→2", "-d=1"]);
    expect([informer.size, errors]).toEqual([2, [{ resource: "configmaps", kept: 2 }]]);
    await remove("b");
    await put("e", "1");
    expect([...informer.all()].map(({ metadata }) => metadata.name).toSorted()).toEqual(["a", "e"]);
  });

  test("begins with what is there and follows what happens", async () => {
    await put("a", "1");
    await put("b", "1");
    const { informer, told } = inform();
    expect(informer.synced).toBe(false);
    await informer.whenSynced();
    await put("a", "2");
    await remove("b");
    await put("c", "1");
    expect(told).toEqual(["+a=1 (listed)", "+b=1 (listed)", "a=1→2", "-b=1", "+c=1"]);
    expect(informer.get({ namespace: "default", name: "a" })?.data).toEqual({ value: "2" });
    expect(informer.size).toBe(2);
  });

  test("tells a late subscriber what is here already", async () => {
    await put("a", "1");
    const { informer } = inform();
    await informer.whenSynced();
    const told: string[] = [];
    const leave = informer.subscribe((change) => void told.push(tell(change)));
    await put("a", "2");
    leave();
    await put("a", "3");
    expect(told).toEqual(["+a=1 (listed)", "a=1→2"]);
  });

  test("resumes a broken stream where it was: nothing is missed and nothing told twice", async () => {
    await put("a", "1");
    const { informer, told } = inform();
    await informer.whenSynced();
    network.cut();
    await put("a", "2");
    await put("b", "1");
    await world.clock.advance(100);
    expect(told).toEqual(["+a=1 (listed)", "a=1→2", "+b=1"]);
    expect(network.watches.map(({ sendInitialEvents }) => sendInitialEvents)).toEqual([true, undefined]);
  });

  test("resumes from a bookmark when its own resource was quiet while others moved", async () => {
    const { informer } = inform();
    await informer.whenSynced();
    for (let n = 0; n < 5; n++) {
      const metadata = { name: `n${n}` };
      await world.client.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata });
    }
    await world.clock.advance(60_000);
    network.cut();
    await world.clock.advance(100);
    expect(network.watches.at(-1)?.resourceVersion).toBe(String(world.cluster.server.core.store.revision));
  });

  test("lists again when its place is gone, and finds out what vanished meanwhile", async () => {
    for (const name of ["a", "b", "c"]) await put(name, "1");
    const { informer, told } = inform();
    await informer.whenSynced();
    told.length = 0;
    network.cut();
    await remove("a");
    await put("b", "2");
    await put("d", "1");
    await compact();
    await world.clock.advance(1_000);
    expect(told.sort()).toEqual(["+d=1 (listed)", "-a=1 (listed)", "b=1→2 (listed)"]);
    expect([...informer.all()].map(({ metadata }) => metadata.name).sort()).toEqual(["b", "c", "d"]);
    expect(network.open).toBe(1);
  });

  test("tells two objects of one name apart, also when the deletion was missed", async () => {
    await put("a", "1");
    const { informer, told } = inform();
    await informer.whenSynced();
    network.cut();
    await remove("a");
    await put("a", "2");
    await compact();
    await world.clock.advance(1_000);
    expect(told).toEqual(["+a=1 (listed)", "-a=1 (listed)", "+a=2 (listed)"]);
  });

  test("gives a failing server more time with each try, and starts over when it works again", async () => {
    network.failWatches(5);
    const { informer } = inform();
    const asked: number[] = [];
    for (let ms = 0; ms <= 3_200; ms += 100) {
      await settle();
      asked.push(network.watches.length);
      await world.clock.advance(100);
    }
    // asked at 0, 100, 300, 700, 1500 and, with success, 3100
    expect(
      asked.map((count, index) => (count > (asked[index - 1] ?? 0) ? index * 100 : -1)).filter((at) => at >= 0),
    ).toEqual([0, 100, 300, 700, 1_500, 3_100]);
    expect(errors).toHaveLength(1); // it stayed the same
    expect(informer.synced).toBe(true);
    network.cut();
    await world.clock.advance(100);
    expect(network.watches).toHaveLength(7);
  });

  test("does not lose patience with streams that end in quiet times", async () => {
    const { informer } = inform();
    await informer.whenSynced();
    for (let round = 0; round < 10; round++) {
      await world.clock.advance(7_200_000); // longer than any watch lives
      network.cut();
    }
    const before = network.watches.length;
    await world.clock.advance(100);
    expect(network.watches.length).toBe(before + 1);
    expect(errors).toEqual([]);
  });

  test("finds objects by index as they change and go", async () => {
    await put("a", "red");
    await put("b", "red");
    const { informer } = inform();
    await informer.whenSynced();
    const names = (value: string) => informer.byIndex("value", value).map(({ metadata }) => metadata.name);
    expect(names("red")).toEqual(["a", "b"]);
    await put("a", "blue");
    await remove("b");
    expect([names("red"), names("blue"), names("green")]).toEqual([[], ["a"], []]);
    expect(informer.byIndex("unheard-of", "red")).toEqual([]);
  });

  test("follows a selection only", async () => {
    await put("a", "1");
    await put("b", "1");
    const { informer, told } = inform({ fieldSelector: "metadata.name=b" });
    await informer.whenSynced();
    await put("a", "2");
    await put("b", "2");
    expect(told).toEqual(["+b=1 (listed)", "b=1→2"]);
  });

  test("falls silent with its signal and leaves no stream and no timer behind", async () => {
    const before = world.clock.pending;
    const { informer, told } = inform();
    await informer.whenSynced();
    expect([network.open, world.clock.pending > before]).toEqual([1, true]);
    stop.abort();
    await put("a", "1");
    expect([told, network.open, world.clock.pending]).toEqual([[], 0, before]);
  });

  test("leaves no timer behind when it is stopped between two tries", async () => {
    const before = world.clock.pending;
    network.failWatches(1);
    const { informer } = inform();
    const waiting = informer.whenSynced();
    await settle();
    expect(world.clock.pending).toBe(before + 1);
    stop.abort();
    await waiting;
    expect([world.clock.pending, informer.synced]).toEqual([before, false]);
    await informer.whenSynced();
  });

  test("does not begin when its signal is over", async () => {
    stop.abort();
    const { informer } = inform();
    await informer.whenSynced();
    expect([network.watches.length, informer.synced]).toEqual([0, false]);
  });

  const action = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant("put"), fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2")) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("remove"), fc.constantFrom("a", "b", "c"), fc.constant("")) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom("cut", "compact", "fail", "pass"), fc.constant(""), fc.constant("")),
    },
  );

  test("is the fold of what it tells, and equals the server, whatever breaks on the way", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const own = new AbortController();
        const log: Logger = { error() {}, info() {}, debug() {}, child: () => log };
        const client = clientOf(network);
        const informer = new LiveInformer<ConfigMap>({ client, resource: configMaps, clock: world.clock, log });
        const folded = new Map<string, ConfigMap>();
        informer.subscribe((change) => fold(folded, change));
        informer.start(own.signal);
        const doings: Record<string, (name: string, value: string) => unknown> = {
          put,
          remove,
          cut: () => network.cut(),
          compact,
          fail: () => network.failWatches(2),
          pass: () => world.clock.advance(150),
        };
        for (const [doing, name, value] of actions) await doings[doing]?.(name, value);
        await world.clock.advance(60_000);
        const { items } = await world.client.list(configMaps);
        expect(byName([...informer.all()])).toEqual(byName(items));
        expect(byName([...folded.values()])).toEqual(byName(items));
        own.abort();
      }),
      { numRuns: 60 },
    );
  });
});

describe("an informer whose client tells of its writes", () => {
  let world: TestCluster;
  let network: FlakyTransport;
  beforeEach(async () => {
    world = await openTestCluster();
    network = new FlakyTransport(world.cluster.server);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const ours = fc
    .constantFrom("put", "remove", "guard", "let go")
    .chain((doing) => fc.tuple(fc.constant(doing), fc.constantFrom("a", "b")));
  const theirs = fc
    .constantFrom("their put", "their removal")
    .chain((doing) => fc.tuple(fc.constant(doing), fc.constantFrom("a", "b")));
  const road = fc.tuple(fc.constantFrom("hold", "release", "cut", "pass"), fc.constant(""));

  test("is never behind its own writes, and equals the server in the end, however late streams are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(ours, theirs, road), { maxLength: 40 }), async (actions) => {
        const own = new AbortController();
        const log: Logger = { error() {}, info() {}, debug() {}, child: () => log };
        const client = announcingWrites(clientOf(network));
        const informer = new LiveInformer<ConfigMap>({ client, resource: configMaps, clock: world.clock, log });
        const folded = new Map<string, ConfigMap>();
        informer.subscribe((change) => fold(folded, change));
        informer.start(own.signal);
        await informer.whenSynced();
        let times = 0;
        const write = async (writer: Client, name: string) => {
          const present = await writer.get(configMaps, { namespace: "default", name });
          const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } };
          const data = { value: String(times++) };
          return present === undefined
            ? writer.create(configMaps, { ...object, data })
            : writer.update(configMaps, { ...present, data });
        };
        const key = (name: string) => ({ namespace: "default", name });
        const doings: Record<string, (name: string) => unknown> = {
          async put(name) {
            const { metadata } = await write(client, name);
            const known = informer.get(key(name))?.metadata.resourceVersion ?? "0";
            expect(isLaterRevision(metadata.resourceVersion, known), `${name} is known`).toBe(false);
          },
          remove: (name) => client.delete(configMaps, key(name)),
          async guard(name) {
            const present = await client.get(configMaps, key(name));
            if (present === undefined || present.metadata.deletionTimestamp !== undefined) return;
            await client.update(configMaps, {
              ...present,
              metadata: { ...present.metadata, finalizers: ["example.com/guard"] },
            });
          },
          async "let go"(name) {
            const present = await client.get(configMaps, key(name));
            if (present === undefined) return;
            await client.update(configMaps, { ...present, metadata: { ...present.metadata, finalizers: [] } });
            if (present.metadata.deletionTimestamp !== undefined)
              expect(informer.get(key(name))?.metadata.uid, `${name} is known to be gone`).not.toBe(
                present.metadata.uid,
              );
          },
          "their put": (name) => write(world.client, name),
          "their removal": (name) => world.client.delete(configMaps, key(name)),
          hold: () => network.hold(),
          release: () => network.release(),
          cut: () => network.cut(),
          pass: () => world.clock.advance(150),
        };
        for (const [doing, name] of actions) await doings[doing]?.(name);
        network.release();
        await world.clock.advance(60_000);
        const { items } = await world.client.list(configMaps);
        expect(byName([...informer.all()])).toEqual(byName(items));
        expect(byName([...folded.values()])).toEqual(byName(items));
        for (const { metadata } of items) await doings["let go"]!(metadata.name);
        own.abort();
      }),
      { numRuns: 150 },
    );
  });
});

const namespaces: ResourceId = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
};

function tell({ before, after, initial }: Change<ConfigMap>): string {
  const name = (after ?? before)?.metadata.name;
  const value = (object: ConfigMap | undefined) => object?.data?.["value"];
  const what =
    after === undefined
      ? `-${name}=${value(before)}`
      : before === undefined
        ? `+${name}=${value(after)}`
        : `${name}=${value(before)}→${value(after)}`;
  return initial ? `${what} (listed)` : what;
}

/** Every change must fit what was told before: nothing is added twice or removed unheard of. */
function fold(folded: Map<string, ConfigMap>, { before, after }: Change<ConfigMap>): void {
  const { name, uid } = (after ?? before)!.metadata;
  expect(folded.get(name)?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  if (before !== undefined) expect(before.metadata.uid).toBe(uid);
  if (after === undefined) folded.delete(name);
  else folded.set(name, after);
}

function byName(objects: readonly ApiObject[]): readonly ApiObject[] {
  return objects.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
