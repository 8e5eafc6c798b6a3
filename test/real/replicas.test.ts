import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { install } from "#app/installation/install.ts";
import { systemClock } from "#app/system.ts";
import { eventually } from "#test/members/remote-member.ts";
import { ControllersProcess } from "./controllers-process.ts";
import { describeCredentialRotation } from "./credential-rotation.ts";
import { KubeAccess } from "./kube-access.ts";
import { KubeFleet } from "./kube-fleet.ts";

const clusters: ResourceId = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  resource: "clusters",
  kind: "Cluster",
  namespaced: false,
};
let fleet: KubeFleet;
let access: KubeAccess;
const replicas: ControllersProcess[] = [];

beforeAll(async () => {
  fleet = await KubeFleet.start({ members: [], audit: true });
  access = new KubeAccess(fleet.controlPlane);
  const client = fleet.controlPlane.client("install");
  await install(
    { webhook: false, url: undefined },
    { client, clock: systemClock, timeoutMs: 60_000, adopt: false, report() {} },
  );
  // nothing answers there: works are made all the same, one for every namespace
  await client.create(clusters, {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name: "far" },
    spec: {
      syncMode: "Push",
      apiEndpoint: "https://127.0.0.1:1",
      secretRef: { namespace: "karmada-cluster", name: "far" },
    },
  });
  for (const name of ["first", "second"]) replicas.push(new ControllersProcess(fleet, name));
  for (const replica of replicas) await replica.start();
});
afterAll(async () => {
  for (const replica of replicas) await replica.kill();
  await fleet?.[Symbol.asyncDispose]();
});

/** Who leads, once somebody does. */
async function leader(among: readonly ControllersProcess[] = replicas): Promise<ControllersProcess> {
  const look = async () => {
    const leading = await Promise.all(among.map((each) => each.isLeading()));
    return among.filter((_, index) => leading[index]);
  };
  return (await eventually(look, (found) => found.length === 1, 60_000))[0]!;
}

const other = (one: ControllersProcess) => replicas.find((each) => each !== one)!;

/** Makes work for the controllers: a work for each namespace. */
async function makeNamespaces(prefix: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  await Promise.all(
    names.map((name) => access.apply(`{ apiVersion: v1, kind: Namespace, metadata: { name: ${name} } }`)),
  );
}

async function worksOf(prefix: string): Promise<number> {
  return (await access.list("works")).filter(({ metadata }) => metadata.name.startsWith(prefix)).length;
}

test("of two replicas one works, and both are ready", async () => {
  const leading = await leader();
  await makeNamespaces("calm", 5);
  await eventually(
    () => worksOf("calm"),
    (count) => count === 5,
    60_000,
  );
  expect(
    await eventually(
      () => other(leading).readiness(),
      (text) => text.startsWith("ok"),
    ),
  ).toContain("standing by");
  const writers = new Set(worksWritten().map(({ user }) => user.username));
  expect([...writers]).toEqual([leading.user]);
});

test("a leader that stands still writes nothing when it goes on, once another leads", async () => {
  const old = await leader();
  const next = other(old);
  void makeNamespaces("paused", 60); // so that there is work under way
  await eventually(
    () => worksOf("paused"),
    (count) => count > 5,
    60_000,
  );
  old.signal("SIGSTOP");
  await leader([next]);
  const handOver = lastTimeOf(next);
  await eventually(
    () => worksOf("paused"),
    (count) => count === 60,
    60_000,
  );
  old.signal("SIGCONT");
  await makeNamespaces("after", 20);
  await eventually(
    () => worksOf("after"),
    (count) => count === 20,
    60_000,
  );
  expect(
    await eventually(
      () => old.readiness().catch(String),
      (text) => text.includes("standing by"),
      60_000,
    ),
  ).toContain("ok");
  const late = writesBy(old).filter(({ requestReceivedTimestamp: at }) => at > handOver);
  expect(late.filter(({ responseStatus }) => (responseStatus?.code ?? 0) < 300)).toEqual([]);
});

test("whoever leads next writes nothing but the lease and what there is to do", async () => {
  const old = await leader();
  await old.stop();
  const stopped = lastTimeOf(old);
  const next = await leader([other(old)]);
  await makeNamespaces("next", 1);
  await eventually(
    () => worksOf("next"),
    (count) => count === 1,
    60_000,
  );
  await old.start();
  const written = writesBy(next).filter(({ requestReceivedTimestamp: at }) => at > stopped);
  const resources = new Set(written.map(({ objectRef }) => objectRef?.resource));
  resources.delete("leases");
  expect([...resources]).toEqual(["works"]);
});

test("a clean stop hands over at once", async () => {
  const old = await leader();
  const stopped = old.stop();
  await leader([other(old)]);
  await stopped;
  expect(old.lastWords()).toContain("stopping");
  await old.start();
});

test("a leader that is killed is replaced within twenty seconds", async () => {
  const old = await leader();
  const killedMs = Date.now();
  await old.kill();
  await makeNamespaces("killed", 10);
  await leader([other(old)]);
  await eventually(
    () => worksOf("killed"),
    (count) => count === 10,
    60_000,
  );
  const first = worksWritten().find(({ objectRef }) => objectRef?.name?.startsWith("killed"))!;
  expect(Date.parse(first.requestReceivedTimestamp) - killedMs).toBeLessThan(20_000);
  await old.start();
});

test("a lease that somebody takes away ends the leader's work", async () => {
  const old = await leader();
  await access.patch("leases/karmada-system/flotilla-controllers", { spec: { holderIdentity: "thief" } });
  await eventually(
    () => old.isLeading(),
    (is) => !is,
    60_000,
  );
  const thief = Date.now();
  await makeNamespaces("stolen", 5);
  await leader();
  await eventually(
    () => worksOf("stolen"),
    (count) => count === 5,
    60_000,
  );
  const first = worksWritten().find(({ objectRef }) => objectRef?.name?.startsWith("stolen"))!;
  expect(Date.parse(first.requestReceivedTimestamp)).toBeGreaterThan(thief);
});

test("credentials that expire and are replaced are taken up", async () => {
  for (const replica of replicas) {
    await replica.createAccount(); // tokens of the former one are worth nothing, once the API server's memory of them is over
    await eventually(
      () => replica.isKnown(),
      (is) => !is,
      60_000,
    );
  }
  for (const replica of replicas) await replica.writeToken();
  await makeNamespaces("renewed", 5);
  await eventually(
    () => worksOf("renewed"),
    (count) => count === 5,
    60_000,
  );
});

describe("of others, while these stand aside", () => {
  beforeAll(async () => {
    for (const replica of replicas) await replica.stop();
  });
  describeCredentialRotation(() => ({ fleet, access, makeWork: (prefix) => makeNamespaces(prefix, 1) }));
});

function writesBy(replica: ControllersProcess) {
  return fleet.controlPlane.writes().filter(({ user }) => user.username === replica.user);
}

function worksWritten() {
  return fleet.controlPlane
    .writes()
    .filter(({ verb, objectRef }) => verb === "create" && objectRef?.resource === "works");
}

function lastTimeOf(replica: ControllersProcess): string {
  return writesBy(replica).at(-1)?.requestReceivedTimestamp ?? "";
}
