import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { core, eventually, putSecret } from "#test/members/remote-member.ts";
import { describeApiFaults } from "./api-faults.ts";
import { ControllersProcess } from "./controllers-process.ts";
import { KubeTheatre } from "./kube-theatre.ts";
import { leaderOf, patienceMs, Rollout } from "./rollout.ts";

const members = ["m1", "m2", "m3"];
let theatre: KubeTheatre;
let rollout: Rollout;
const replicas: ControllersProcess[] = [];
const flags = ["--cluster-failure-threshold=5s", "--cluster-status-update-frequency=3s"];

beforeAll(async () => {
  theatre = await KubeTheatre.open({ members, audit: true });
  rollout = new Rollout(theatre);
  for (const name of ["first", "second"]) replicas.push(new ControllersProcess(theatre.fleet, name));
  for (const replica of replicas) await replica.start(...flags);
  await rollout.prepare();
});
afterAll(async () => {
  for (const replica of replicas) await replica.kill();
  await theatre?.[Symbol.asyncDispose]();
});

test("the active replica is killed in mid-rollout: the other takes over, nothing is lost, nothing is doubled", async () => {
  const active = await leaderOf(replicas);
  const other = replicas.find((each) => each !== active)!;
  const rolling = rollout.start("nginx:1");
  await rollout.isUnderWay("nginx:1");
  const killedMs = Date.now();
  await active.kill();
  await leaderOf([other]);
  await rolling;
  await rollout.arrived("nginx:1");
  const byOther = theatre.fleet.controlPlane.writes().filter(({ user }) => user.username === other.user);
  const first = byOther.find(({ objectRef }) => objectRef?.resource !== "leases")!;
  expect(Date.parse(first.requestReceivedTimestamp) - killedMs).toBeLessThan(20_000);
  expect(rollout.doubled()).toEqual([]);
  expect(await rollout.size()).toEqual({ works: rollout.count * 3, bindings: rollout.count });
  await active.start(...flags);
});

describeApiFaults(() => ({ theatre, rollout, replicas, flags }));

test("the API server is restarted in mid-rollout: everything arrives", async () => {
  const rolling = rollout.start("nginx:2");
  await rollout.isUnderWay("nginx:2");
  await theatre.fleet.controlPlane.kill();
  await theatre.fleet.controlPlane.start();
  await rolling;
  await rollout.arrived("nginx:2");
});

test("etcd is restarted in mid-rollout: everything arrives", async () => {
  const rolling = rollout.start("nginx:3");
  await rollout.isUnderWay("nginx:3");
  await theatre.fleet.etcd.kill();
  await theatre.fleet.etcd.start();
  await rolling;
  await rollout.arrived("nginx:3");
});

test("a member is down for a minute: others go on, and it catches up", async () => {
  await theatre.fleet.member("m3").kill();
  const backMs = Date.now() + 60_000;
  await rollout.start("nginx:4");
  await eventually(
    async () =>
      (await Promise.all(["m1", "m2"].map((member) => theatre.members.get(member)!.list("deployments")))).flat(),
    (seen) => seen.every((each) => each["spec"].template.spec.containers[0].image === "nginx:4"),
    patienceMs,
  );
  await eventually(
    () => readyOf("m3"),
    (ready) => ready?.["status"] !== "True",
    patienceMs,
  );
  await new Promise((resolve) => setTimeout(resolve, Math.max(backMs - Date.now(), 0)));
  await theatre.fleet.member("m3").start();
  await eventually(
    () => readyOf("m3"),
    (ready) => ready?.["status"] === "True",
    patienceMs,
  );
  await rollout.arrived("nginx:4");
});

test("a member's credentials expire: others go on, cluster and works say why, and new ones are taken up", async () => {
  const { client, token } = await accountIn("m2");
  const ca = theatre.fleet.member("m2").pki.ca.certificate;
  await putSecret(theatre.controlPlane.client, "m2", { caBundle: ca, token });
  await rollout.start("nginx:5");
  await rollout.arrived("nginx:5"); // they are in use
  await client.delete(core("serviceaccounts", "ServiceAccount"), account); // the token is worth nothing now
  await eventually(
    () => readyOf("m2"),
    (ready) => ready?.["status"] === "False" && ready["reason"] === "ClusterCredentialsRefused",
    patienceMs,
  );
  expect((await appliedToM2()).every((each) => each?.["status"] === "True")).toBe(true); // they were, and are
  await editUnseen();
  await eventually(appliedToM2, (seen) => seen.every((each) => isToldOf(each)), patienceMs);
  await rollout.start("nginx:6");
  await eventually(
    () => rollout.copies("nginx:6"),
    ([m1, , m3]) => m1 === rollout.count && m3 === rollout.count,
    patienceMs,
  );
  expect((await rollout.copies("nginx:6"))[1]).toBe(0);
  await eventually(appliedToM2, (seen) => seen.every((each) => isToldOf(each)), patienceMs);
  const { token: next } = await accountIn("m2");
  await putSecret(theatre.controlPlane.client, "m2", { caBundle: ca, token: next });
  await rollout.arrived("nginx:6");
  await eventually(appliedToM2, (seen) => seen.every((each) => each?.["status"] === "True"), patienceMs);
  expect(await readyOf("m2")).toMatchObject({ status: "True", reason: "ClusterReady" });
});

/** The Applied conditions of the rollout's works for m2. */
async function appliedToM2(): Promise<readonly (Fields | undefined)[]> {
  return (await worksForM2()).map((work) =>
    work["status"]?.conditions?.find((each: Fields) => each["type"] === "Applied"),
  );
}

async function worksForM2() {
  return (await theatre.controlPlane.list("works")).filter(
    ({ metadata }) => metadata.namespace === "karmada-es-m2" && metadata.name.startsWith("web-"),
  );
}

/** Edits them while no controller is there to see it: those that start afterwards find them as if they had always been so. */
async function editUnseen(): Promise<void> {
  for (const replica of replicas) await replica.stop();
  for (const { metadata } of await worksForM2())
    await theatre.controlPlane.patch(`works/${metadata.namespace}/${metadata.name}`, {
      spec: { preserveResourcesOnDeletion: true },
    });
  for (const replica of replicas) await replica.start(...flags);
}

function isToldOf(applied: Fields | undefined): boolean {
  return applied?.["status"] === "False" && applied["message"].includes("refuses the credentials");
}

const account = { namespace: "kube-system", name: "flotilla" };

async function readyOf(member: string): Promise<Fields | undefined> {
  const cluster = await theatre.controlPlane.get(`clusters/${member}`);
  return cluster?.["status"]?.conditions?.find((each: Fields) => each["type"] === "Ready");
}

/** A service account that may do everything in a member, and a token of it. */
async function accountIn(member: string) {
  const access = theatre.members.get(member)!;
  await access.apply(`
apiVersion: v1
kind: ServiceAccount
metadata: { name: ${account.name}, namespace: ${account.namespace} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${account.name} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects: [{ kind: ServiceAccount, name: ${account.name}, namespace: ${account.namespace} }]
`);
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
  const answer = await access.client.post(core("serviceaccounts", "ServiceAccount"), account, {
    verb: "create",
    subresource: "token",
    body,
  });
  return { client: access.client, token: (answer as { status: { token: string } }).status.token }; // a TokenRequest
}
