import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { core, eventually, putSecret } from "#test/members/remote-member.ts";
import { ControllersProcess } from "./controllers-process.ts";
import { KubeTheatre } from "./kube-theatre.ts";

const members = ["m1", "m2", "m3"];
/** How long anything that must come may take, on a machine that has other things to do. */
const patienceMs = 120_000;
const count = 40;
const names = Array.from({ length: count }, (_, index) => `web-${index}`);
let theatre: KubeTheatre;
const replicas: ControllersProcess[] = [];

beforeAll(async () => {
  theatre = await KubeTheatre.open({ members, audit: true });
  for (const name of ["first", "second"]) replicas.push(new ControllersProcess(theatre.fleet, name));
  for (const replica of replicas) await replica.start("--cluster-failure-threshold=10s");
  await theatre.controlPlane.apply(policy);
});
afterAll(async () => {
  for (const replica of replicas) await replica.kill();
  await theatre?.[Symbol.asyncDispose]();
});

const policy = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: all, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: { clusterAffinity: { clusterNames: [${members.join(", ")}] } }
`;

function deployment(name: string, image: string): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;
}

/** As a user who tries again until it is accepted. */
async function rollOut(image: string): Promise<void> {
  for (const name of names) {
    const isAccepted = () =>
      theatre.controlPlane.apply(deployment(name, image)).then(
        () => true,
        () => false,
      );
    await eventually(isAccepted, (is) => is, patienceMs);
  }
}

/** How many copies run an image, by member. */
async function copies(image: string): Promise<readonly number[]> {
  return Promise.all(
    members.map(async (member) => {
      const found = (await theatre.members.get(member)!.list("deployments")) as readonly Fields[];
      return found.filter((each) => each["spec"].template.spec.containers[0].image === image).length;
    }),
  );
}

/** Every copy runs the image, and every template shows the sum of their statuses. */
async function arrived(image: string): Promise<void> {
  await eventually(
    () => copies(image),
    (seen) => seen.every((each) => each === count),
    patienceMs,
  );
  const sums = async () => (await theatre.controlPlane.list("deployments")).map((each) => sumOf(each));
  await eventually(sums, (seen) => seen.every((each) => each === 2 * members.length), patienceMs);
}

function sumOf({ status, metadata }: Fields): number {
  return status?.observedGeneration === metadata.generation ? (status?.updatedReplicas ?? 0) : 0;
}

async function leader(among = replicas): Promise<ControllersProcess> {
  const look = async () => {
    const leading = await Promise.all(among.map((each) => each.isLeading()));
    return among.filter((_, index) => leading[index]);
  };
  return (await eventually(look, (found) => found.length === 1, patienceMs))[0]!;
}

test("the active replica is killed in mid-rollout: the other takes over, nothing is lost, nothing is doubled", async () => {
  const active = await leader();
  const other = replicas.find((each) => each !== active)!;
  const rolling = rollOut("nginx:1");
  await eventually(
    () => copies("nginx:1"),
    (seen) => seen[0]! > 5,
    patienceMs,
  );
  const killedMs = Date.now();
  await active.kill();
  await leader([other]);
  await rolling;
  await arrived("nginx:1");
  const byOther = theatre.fleet.controlPlane.writes().filter(({ user }) => user.username === other.user);
  const first = byOther.find(({ objectRef }) => objectRef?.resource !== "leases")!;
  expect(Date.parse(first.requestReceivedTimestamp) - killedMs).toBeLessThan(20_000);
  expect(doubled()).toEqual([]);
  const works = (await theatre.controlPlane.list("works")).filter(({ metadata }) => metadata.name.startsWith("web-"));
  expect([works.length, (await theatre.controlPlane.list("resourcebindings")).length]).toEqual([count * 3, count]);
  await active.start("--cluster-failure-threshold=10s");
});

/** What was created twice, although nobody deleted it. */
function doubled(): readonly string[] {
  const created = theatre.fleet.controlPlane
    .writes()
    .filter(({ verb, responseStatus }) => verb === "create" && responseStatus?.code === 201)
    .filter(({ objectRef }) => objectRef?.resource === "works" || objectRef?.resource === "resourcebindings")
    .map(({ objectRef }) => `${objectRef?.resource}/${objectRef?.namespace}/${objectRef?.name}`);
  return created.filter((each, index) => created.indexOf(each) !== index);
}

test("the API server is restarted in mid-rollout: everything arrives", async () => {
  const rolling = rollOut("nginx:2");
  await eventually(
    () => copies("nginx:2"),
    (seen) => seen[0]! > 5,
    patienceMs,
  );
  await theatre.fleet.controlPlane.kill();
  await theatre.fleet.controlPlane.start();
  await rolling;
  await arrived("nginx:2");
});

test("etcd is restarted in mid-rollout: everything arrives", async () => {
  const rolling = rollOut("nginx:3");
  await eventually(
    () => copies("nginx:3"),
    (seen) => seen[0]! > 5,
    patienceMs,
  );
  await theatre.fleet.etcd.kill();
  await theatre.fleet.etcd.start();
  await rolling;
  await arrived("nginx:3");
});

test("a member is down for a minute: others go on, and it catches up", async () => {
  await theatre.fleet.member("m3").kill();
  const backMs = Date.now() + 60_000;
  await rollOut("nginx:4");
  await eventually(
    async () =>
      (await Promise.all(["m1", "m2"].map((member) => theatre.members.get(member)!.list("deployments")))).flat(),
    (seen) => seen.every((each) => each["spec"].template.spec.containers[0].image === "nginx:4"),
    patienceMs,
  );
  await eventually(
    () => readyOf("m3"),
    (status) => status !== "True",
    patienceMs,
  );
  await new Promise((resolve) => setTimeout(resolve, Math.max(backMs - Date.now(), 0)));
  await theatre.fleet.member("m3").start();
  await eventually(
    () => readyOf("m3"),
    (status) => status === "True",
    patienceMs,
  );
  await arrived("nginx:4");
});

test("a member's credentials expire: others go on, and new ones are taken up", async () => {
  const { client, token } = await accountIn("m2");
  const ca = theatre.fleet.member("m2").pki.ca.certificate;
  await putSecret(theatre.controlPlane.client, "m2", { caBundle: ca, token });
  await client.delete(core("serviceaccounts", "ServiceAccount"), account); // the token is worth nothing now
  await rollOut("nginx:5");
  await eventually(
    () => copies("nginx:5"),
    ([m1, , m3]) => m1 === count && m3 === count,
    patienceMs,
  );
  expect((await copies("nginx:5"))[1]).toBe(0);
  const { token: next } = await accountIn("m2");
  await putSecret(theatre.controlPlane.client, "m2", { caBundle: ca, token: next });
  await arrived("nginx:5");
});

const account = { namespace: "kube-system", name: "flotilla" };

async function readyOf(member: string): Promise<unknown> {
  const cluster = await theatre.controlPlane.get(`clusters/${member}`);
  return cluster?.["status"]?.conditions?.find((each: Fields) => each["type"] === "Ready")?.status;
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
