import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiObject, OwnerReference } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { clientOf } from "#test/world/cluster.ts";
import { type KeptCluster, openKeptCluster } from "#test/world/kept-cluster.ts";
import { settle } from "#test/world/virtual-clock.ts";
import { clusterRoles, configMaps, definitions, events, namespaces, secrets, serviceAccounts } from "./resource-ids.ts";

let world: KeptCluster;

beforeEach(async () => {
  world = await openKeptCluster();
});
afterEach(() => world[Symbol.asyncDispose]());

const widgets: ResourceId = {
  group: "example.com",
  version: "v1",
  resource: "widgets",
  kind: "Widget",
  namespaced: true,
};

const hour = 3_600_000;

async function create(resource: ResourceId, metadata: Partial<ApiObject["metadata"]>, more: object = {}) {
  const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  const place = resource.namespaced ? { namespace: "default" } : {};
  const object = await world.client.create(resource, {
    apiVersion,
    kind: resource.kind,
    metadata: { ...place, ...metadata },
    ...more,
  });
  await settle();
  return object;
}

const ownedBy = ({ apiVersion, kind, metadata }: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  ...more,
});

async function names(resource: ResourceId, namespace?: string): Promise<readonly string[]> {
  const { items } = await world.client.list(resource, namespace === undefined ? {} : { namespace });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

const find = (resource: ResourceId, name: string, namespace = "default") =>
  world.client.get(resource, resource.namespaced ? { namespace, name } : { name });

async function remove(resource: ResourceId, name: string, more: object = {}) {
  await world.client.delete(resource, resource.namespaced ? { namespace: "default", name } : { name }, more);
  await settle();
}

async function define(): Promise<ApiObject> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return create(
    definitions,
    { name: "widgets.example.com" },
    {
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    },
  );
}

/** A day in which nobody does anything: bookmarks, compactions and all. */
const dayPasses = () => world.clock.advance(24 * hour);

test("an idle cluster is written to by nobody", async () => {
  const before = world.revision();
  await dayPasses();
  expect(world.revision()).toBe(before);
});

test("a restart with nothing to do writes nothing, whatever there is", async () => {
  await define();
  const owner = await create(configMaps, { name: "owner" });
  await create(configMaps, { name: "owned", ownerReferences: [ownedBy(owner)] });
  await create(widgets, { name: "w", ownerReferences: [ownedBy(owner)] });
  await create(serviceAccounts, { name: "robot" });
  await tokenSecret("robot-token", "robot");
  await create(namespaces, { name: "shop" });
  await create(
    clusterRoles,
    { name: "sum" },
    { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } },
  );
  await create(clusterRoles, { name: "part", labels: { a: "b" } }, { rules: [rule("pods")] });
  const before = world.revision();
  for (let restart = 0; restart < 3; restart++) {
    await world.rest();
    await world.resume();
    await world.clock.advance(hour);
  }
  expect(world.revision()).toBe(before);
});

test("what was left undone is done after a restart", async () => {
  const owner = await create(configMaps, { name: "owner" });
  await create(configMaps, { name: "owned", ownerReferences: [ownedBy(owner)] });
  await create(namespaces, { name: "shop" });
  await world.rest();
  await remove(configMaps, "owner");
  await remove(namespaces, "shop");
  await remove(serviceAccounts, "default");
  expect(await names(configMaps, "default")).toEqual(["owned"]);
  await world.clock.advance(60_000);
  await world.resume();
  expect(await names(configMaps, "default")).toEqual([]);
  expect(await find(namespaces, "shop")).toBeUndefined();
  expect(await find(serviceAccounts, "default")).toBeDefined();
});

test("after the stop nothing more is written, and nothing waits", async () => {
  await create(namespaces, { name: "shop" });
  const timers = world.clock.pending;
  await world.rest();
  expect(world.clock.pending).toBeLessThan(timers);
  await remove(namespaces, "shop");
  const before = world.revision();
  await dayPasses();
  expect(world.revision()).toBe(before);
});

// namespaces

test("a namespace is emptied five seconds after the request, custom resources included, and then gone", async () => {
  await define();
  await create(namespaces, { name: "shop" });
  await create(configMaps, { name: "a", namespace: "shop" });
  await create(widgets, { name: "w", namespace: "shop" });
  await create(configMaps, { name: "a" });
  await remove(namespaces, "shop");
  await world.clock.advance(4_900);
  expect(await names(configMaps, "shop")).toEqual(["a"]);
  await world.clock.advance(200);
  expect(await find(namespaces, "shop")).toBeUndefined();
  expect([await names(configMaps, "shop"), await names(widgets)]).toEqual([[], []]);
  expect(await names(configMaps, "default")).toEqual(["a"]);
});

test("a namespace waits for what finalizers hold, says so, and looks again only when something happens", async () => {
  await create(namespaces, { name: "shop" });
  await create(configMaps, { name: "free", namespace: "shop" });
  const held = await create(configMaps, { name: "held", namespace: "shop", finalizers: ["example.com/hold"] });
  await remove(namespaces, "shop");
  await world.clock.advance(6_000);
  const status = (await find(namespaces, "shop"))?.["status"] as Status;
  expect(status.phase).toBe("Terminating");
  expect(status.conditions.map(({ type, status: value, reason, message }) => [type, value, reason, message])).toEqual([
    ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ],
    [
      "NamespaceDeletionContentFailure",
      "False",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ],
    [
      "NamespaceContentRemaining",
      "True",
      "SomeResourcesRemain",
      "Some resources are remaining: configmaps. has 1 resource instances",
    ],
    [
      "NamespaceFinalizersRemaining",
      "True",
      "SomeFinalizersRemain",
      "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    ],
  ]);
  const before = world.revision();
  await dayPasses();
  expect(world.revision()).toBe(before);
  const key = { namespace: "shop", name: held.metadata.name };
  await world.client.patch(configMaps, key, { type: "merge", patch: { metadata: { finalizers: null } } });
  await world.clock.advance(1);
  expect(await find(namespaces, "shop")).toBeUndefined();
});

test("a namespace with thousands of held objects is not looked through for each that goes", async () => {
  await create(namespaces, { name: "shop" });
  const count = 300;
  for (let n = 0; n < count; n++) {
    await create(configMaps, { name: `c${n}`, namespace: "shop", finalizers: ["example.com/hold"] });
  }
  await remove(namespaces, "shop");
  await world.clock.advance(6_000);
  const before = world.revision();
  for (let n = 0; n < count; n++) {
    const key = { namespace: "shop", name: `c${n}` };
    await world.client.patch(configMaps, key, { type: "merge", patch: { metadata: { finalizers: null } } });
    await world.clock.advance(1);
  }
  await world.clock.advance(1_000);
  expect(await find(namespaces, "shop")).toBeUndefined();
  const own = world.revision() - before - count;
  expect(own).toBeLessThan(20); // a condition now and then, and the end
});

test("a namespace whose content may not be deleted says why, and goes when it may", async () => {
  let refusing = true;
  await world[Symbol.asyncDispose]();
  world = await openKeptCluster({
    connect: (server) => {
      const client = clientOf(server);
      return {
        ...client,
        async delete(resource, key, options) {
          if (refusing && key.name === "precious")
            throw StatusError.forbidden({ group: "", resource: "x" }, "precious");
          return client.delete(resource, key, options);
        },
      };
    },
  });
  await create(namespaces, { name: "shop" });
  await create(configMaps, { name: "precious", namespace: "shop" });
  await create(configMaps, { name: "other", namespace: "shop" });
  await remove(namespaces, "shop");
  await world.clock.advance(7_000);
  const status = (await find(namespaces, "shop"))?.["status"] as Status;
  expect(status.conditions.find(({ type }) => type === "NamespaceDeletionContentFailure")).toMatchObject({
    status: "True",
    reason: "ContentDeletionFailed",
    message: "Failed to delete all resource types, 1 remaining: x is forbidden: precious",
  });
  const before = world.revision();
  await world.clock.advance(hour);
  expect(world.revision()).toBe(before);
  refusing = false;
  await world.clock.advance(300_000); // the longest wait between two tries
  expect(await find(namespaces, "shop")).toBeUndefined();
});

// owners

test("what belonged to an object goes after it, down to the last descendant", async () => {
  const deployment = await create(configMaps, { name: "deployment" });
  const set = await create(configMaps, { name: "set", ownerReferences: [ownedBy(deployment)] });
  for (const name of ["pod-1", "pod-2"]) await create(configMaps, { name, ownerReferences: [ownedBy(set)] });
  await create(configMaps, { name: "bystander" });
  await remove(configMaps, "deployment");
  expect(await names(configMaps, "default")).toEqual(["bystander"]);
});

test("what names an owner that never was is collected", async () => {
  const owner = await create(configMaps, { name: "owner" });
  await create(configMaps, { name: "impostor", ownerReferences: [{ ...ownedBy(owner), uid: "no-such-uid" }] });
  expect(await names(configMaps, "default")).toEqual(["owner"]);
});

test("an object with another living owner only loses the dead one", async () => {
  const one = await create(configMaps, { name: "one" });
  const two = await create(configMaps, { name: "two" });
  await create(configMaps, { name: "child", ownerReferences: [ownedBy(one), ownedBy(two)] });
  await remove(configMaps, "one");
  expect((await find(configMaps, "child"))?.metadata.ownerReferences).toEqual([ownedBy(two)]);
  await remove(configMaps, "two");
  expect(await names(configMaps, "default")).toEqual([]);
});

test("a foreground deletion waits for the dependents that block it, and they wait for theirs", async () => {
  const top = await create(configMaps, { name: "top" });
  const middle = await create(configMaps, {
    name: "middle",
    ownerReferences: [ownedBy(top, { blockOwnerDeletion: true })],
  });
  await create(configMaps, {
    name: "bottom",
    finalizers: ["example.com/hold"],
    ownerReferences: [ownedBy(middle, { blockOwnerDeletion: true })],
  });
  await remove(configMaps, "top", { propagationPolicy: "Foreground" });
  expect(await names(configMaps, "default")).toEqual(["bottom", "middle", "top"]);
  for (const name of ["bottom", "middle", "top"])
    expect((await find(configMaps, name))?.metadata.deletionTimestamp, name).toBeDefined();
  const before = world.revision();
  await dayPasses();
  expect(world.revision()).toBe(before);
  const patch = { metadata: { finalizers: null } };
  await world.client.patch(configMaps, { namespace: "default", name: "bottom" }, { type: "merge", patch });
  await settle();
  expect(await names(configMaps, "default")).toEqual([]);
});

test("a foreground deletion does not wait for a dependent that does not block it", async () => {
  const top = await create(configMaps, { name: "top" });
  await create(configMaps, { name: "slow", finalizers: ["example.com/hold"], ownerReferences: [ownedBy(top)] });
  await remove(configMaps, "top", { propagationPolicy: "Foreground" });
  expect(await names(configMaps, "default")).toEqual(["slow"]);
  expect((await find(configMaps, "slow"))?.metadata.deletionTimestamp).toBeDefined();
});

test("owners that own each other can still be deleted in the foreground", async () => {
  const egg = await create(configMaps, { name: "egg" });
  const hen = await create(configMaps, { name: "hen", ownerReferences: [ownedBy(egg, { blockOwnerDeletion: true })] });
  const ownerReferences = [ownedBy(hen, { blockOwnerDeletion: true })];
  await world.client.update(configMaps, { ...egg, metadata: { ...egg.metadata, ownerReferences } });
  await settle();
  expect(await names(configMaps, "default")).toEqual(["egg", "hen"]);
  await remove(configMaps, "egg", { propagationPolicy: "Foreground" });
  await world.clock.advance(100); // a conflict on the way is retried
  expect(await names(configMaps, "default")).toEqual([]);
});

test("orphans outlive their owner and forget it", async () => {
  const owner = await create(configMaps, { name: "owner" });
  const other = await create(configMaps, { name: "other" });
  await create(configMaps, { name: "a", ownerReferences: [ownedBy(owner)] });
  await create(configMaps, { name: "b", ownerReferences: [ownedBy(owner), ownedBy(other)] });
  await remove(configMaps, "owner", { propagationPolicy: "Orphan" });
  expect(await names(configMaps, "default")).toEqual(["a", "b", "other"]);
  expect((await find(configMaps, "a"))?.metadata.ownerReferences).toBeUndefined();
  expect((await find(configMaps, "b"))?.metadata.ownerReferences).toEqual([ownedBy(other)]);
});

test("an owner in another namespace counts as absent, and an event says why", async () => {
  await create(namespaces, { name: "shop" });
  const owner = await create(configMaps, { name: "owner", namespace: "shop" });
  const child = await create(configMaps, { name: "child", ownerReferences: [ownedBy(owner)] });
  expect(await find(configMaps, "child")).toBeUndefined();
  const [event] = (await world.client.list(events, { namespace: "default" })).items;
  expect(event).toMatchObject({
    type: "Warning",
    reason: "OwnerRefInvalidNamespace",
    involvedObject: { kind: "ConfigMap", name: "child", uid: child.metadata.uid },
    message: `ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "default"`,
  });
});

test("a cluster-scoped object with a namespaced owner is kept, and an event says that this cannot be", async () => {
  const owner = await create(configMaps, { name: "owner" });
  await create(clusterRoles, { name: "lost", ownerReferences: [ownedBy(owner)] });
  expect(await find(clusterRoles, "lost")).toBeDefined();
  expect((await world.client.list(events)).items.map((event) => event["reason"])).toEqual(["OwnerRefInvalidNamespace"]);
  const before = world.revision();
  await world.rest();
  await world.resume();
  expect(world.revision()).toBe(before);
});

test("what belongs to a custom resource goes with it, also when its definition goes at the same time", async () => {
  await define();
  const widget = await create(widgets, { name: "w" });
  await create(configMaps, { name: "owned", ownerReferences: [ownedBy(widget)] });
  await remove(definitions, "widgets.example.com");
  expect(await find(definitions, "widgets.example.com")).toBeUndefined();
  expect(await names(configMaps, "default")).toEqual([]);
});

test("an owner of a kind that nobody serves proves nothing, until somebody does", async () => {
  const reference = { apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "unheard-of" };
  await create(configMaps, { name: "owned", ownerReferences: [reference] });
  expect(await names(configMaps, "default")).toEqual(["owned"]);
  await define();
  expect(await names(configMaps, "default")).toEqual([]);
});

// accounts

test("every namespace has its default account and the root certificate, and gets them again", async () => {
  await create(namespaces, { name: "shop" });
  const expectBoth = async () => {
    expect(await find(serviceAccounts, "default", "shop")).toBeDefined();
    expect((await find(configMaps, "kube-root-ca.crt", "shop"))?.["data"]).toEqual({
      "ca.crt": world.cluster.pki.ca.certificate,
    });
  };
  await expectBoth();
  await world.client.delete(serviceAccounts, { namespace: "shop", name: "default" });
  await world.client.delete(configMaps, { namespace: "shop", name: "kube-root-ca.crt" });
  await settle();
  await expectBoth();
  const tampered = { type: "merge" as const, patch: { data: { "ca.crt": "mine", more: "x" } } };
  await world.client.patch(configMaps, { namespace: "shop", name: "kube-root-ca.crt" }, tampered);
  await settle();
  await expectBoth();
});

async function tokenSecret(name: string, account: string) {
  const annotations = { "kubernetes.io/service-account.name": account };
  return create(secrets, { name, annotations }, { type: "kubernetes.io/service-account-token" });
}

test("a token secret is filled with a token that works as long as secret and account are there", async () => {
  const account = await create(serviceAccounts, { name: "robot" });
  await tokenSecret("robot-token", "robot");
  const secret = await find(secrets, "robot-token");
  const data = secret?.["data"] as Record<string, string>;
  const decoded = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]),
  );
  expect(decoded).toMatchObject({ namespace: "default", "ca.crt": world.cluster.pki.ca.certificate });
  expect(secret?.metadata.annotations?.["kubernetes.io/service-account.uid"]).toBe(account.metadata.uid);
  const verified = world.cluster.tokens.verify(decoded["token"]!, world.clock.nowMs() + 365 * 24 * hour);
  expect(verified).toMatchObject({
    user: { name: "system:serviceaccount:default:robot" },
    secret: { name: "robot-token", uid: secret?.metadata.uid },
  });
  await remove(serviceAccounts, "robot");
  expect(await find(secrets, "robot-token")).toBeUndefined();
});

test("a token secret of an account that is not there is deleted; one of an earlier account of that name, too", async () => {
  await tokenSecret("lonely", "nobody");
  expect(await find(secrets, "lonely")).toBeUndefined();
  await create(serviceAccounts, { name: "robot" });
  await tokenSecret("robot-token", "robot");
  await world.rest();
  await remove(serviceAccounts, "robot");
  await create(serviceAccounts, { name: "robot" });
  await world.resume();
  expect(await find(secrets, "robot-token")).toBeUndefined();
});

test("a token that somebody removed is issued anew", async () => {
  await create(serviceAccounts, { name: "robot" });
  await tokenSecret("robot-token", "robot");
  const key = { namespace: "default", name: "robot-token" };
  await world.client.patch(secrets, key, { type: "merge", patch: { data: { token: null } } });
  await settle();
  expect((await find(secrets, "robot-token"))?.["data"]).toHaveProperty("token");
});

// definitions

test("a definition goes after its instances, and nothing is created meanwhile", async () => {
  await define();
  await create(widgets, { name: "free" });
  await create(widgets, { name: "held", finalizers: ["example.com/hold"] });
  await remove(definitions, "widgets.example.com");
  expect(await names(widgets)).toEqual(["held"]);
  const status = (await find(definitions, "widgets.example.com"))?.["status"] as Status;
  expect(status.conditions.find(({ type }) => type === "Terminating")).toMatchObject({
    status: "True",
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  });
  await expect(create(widgets, { name: "late" })).rejects.toMatchObject({ code: 405 });
  const before = world.revision();
  await dayPasses();
  expect(world.revision()).toBe(before);
  const patch = { metadata: { finalizers: null } };
  await world.client.patch(widgets, { namespace: "default", name: "held" }, { type: "merge", patch });
  await settle();
  expect(await find(definitions, "widgets.example.com")).toBeUndefined();
  await define();
  expect(await names(widgets)).toEqual([]);
});

// events

test("an event is forgotten an hour after it was last written", async () => {
  const event = (name: string) =>
    create(events, { name }, { involvedObject: { kind: "Pod", name: "p", namespace: "default" }, reason: "Tested" });
  await event("quiet");
  await event("busy");
  await world.clock.advance(50 * 60_000);
  const busy = await find(events, "busy");
  await world.client.update(events, { ...busy!, count: 2 });
  await world.clock.advance(9 * 60_000);
  expect(await names(events)).toEqual(["busy", "quiet"]);
  await world.clock.advance(2 * 60_000);
  expect(await names(events)).toEqual(["busy"]);
  await world.clock.advance(51 * 60_000);
  expect(await names(events)).toEqual([]);
});

test("a restart does not give events a new life", async () => {
  await create(events, { name: "old" }, { involvedObject: { kind: "Pod", name: "p", namespace: "default" } });
  await world.clock.advance(55 * 60_000);
  await world.rest();
  await world.resume();
  expect(await names(events)).toEqual(["old"]);
  await world.clock.advance(7 * 60_000);
  expect(await names(events)).toEqual([]);
});

// roles

const rule = (resource: string) => ({ verbs: ["get"], apiGroups: [""], resources: [resource] });

test("an aggregated role has the rules of those its selectors pick, as they come, change and go", async () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { team: "a" } }, { matchLabels: { team: "b" } }] };
  await create(clusterRoles, { name: "sum" }, { aggregationRule, rules: [rule("secrets")] });
  const rules = async () => {
    const role = await find(clusterRoles, "sum");
    return ((role?.["rules"] ?? []) as { resources: string[] }[]).flatMap(({ resources }) => resources);
  };
  expect(await rules()).toEqual([]);
  await create(clusterRoles, { name: "z", labels: { team: "a" } }, { rules: [rule("pods"), rule("nodes")] });
  await create(clusterRoles, { name: "y", labels: { team: "b" } }, { rules: [rule("pods")] });
  await create(clusterRoles, { name: "x", labels: { team: "c" } }, { rules: [rule("events")] });
  expect(await rules()).toEqual(["pods", "nodes"]);
  const patch = { metadata: { labels: { team: "none" } } };
  await world.client.patch(clusterRoles, { name: "z" }, { type: "merge", patch });
  await settle();
  expect(await rules()).toEqual(["pods"]);
  await remove(clusterRoles, "y");
  expect(await rules()).toEqual([]);
});

interface Status {
  readonly phase?: string;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }[];
}
