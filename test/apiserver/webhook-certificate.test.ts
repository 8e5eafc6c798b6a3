import { X509Certificate } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { KeyPair } from "#app/certificate-authority.ts";
import { webhookConfigurations } from "#app/installation/webhook-configurations.ts";
import { systemRandom } from "#app/system.ts";
import { CertificateKeeper } from "#app/webhook/certificate-keeper.ts";
import { PublishedBundle } from "#app/webhook/published-bundle.ts";
import { createServingCertificate } from "#app/webhook/serving-certificate.ts";
import { silentLogger } from "#base/logger.ts";
import { openTestCluster, type TestCluster } from "#test/world/cluster.ts";

const { Namespace, Secret, MutatingWebhookConfiguration, ValidatingWebhookConfiguration } = kubernetesResources;
const configurations = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration];
const secretKey = { namespace: "karmada-system", name: "flotilla-webhook-certificate" };
const hour = 3_600_000;
const day = 24 * hour;

let world: TestCluster;
let stopping: AbortController;

beforeEach(async () => {
  world = await openTestCluster();
  stopping = new AbortController();
  await world.client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: "karmada-system" } });
  const objects = webhookConfigurations({});
  for (const [index, resource] of configurations.entries()) await world.client.create(resource, objects[index]!);
});
afterEach(async () => {
  stopping.abort();
  await world[Symbol.asyncDispose]();
});

interface Replica {
  readonly keeper: CertificateKeeper;
  readonly served: KeyPair[];
}

async function startReplica(): Promise<Replica> {
  const { client, clock } = world;
  const served: KeyPair[] = [];
  const keeper = new CertificateKeeper({
    client,
    clock,
    random: systemRandom,
    log: silentLogger,
    published: new PublishedBundle({ client, clock, log: silentLogger }),
    names: ["flotilla-webhook.karmada-system.svc"],
    make: createServingCertificate,
    serve: (pair) => served.push(pair),
  });
  await keeper.start(stopping.signal);
  return { keeper, served };
}

/** The authorities that an API server believes now, per webhook. */
async function believed(): Promise<readonly X509Certificate[][]> {
  const found = await Promise.all(configurations.map((resource) => world.client.get(resource, { name: "flotilla" })));
  return found.flatMap((each) =>
    ((each as Fields)["webhooks"] as readonly Fields[]).map(({ clientConfig }) =>
      Buffer.from(clientConfig.caBundle ?? "", "base64")
        .toString()
        .split(/(?<=-----END CERTIFICATE-----\n)/)
        .filter((pem) => pem !== "")
        .map((pem) => new X509Certificate(pem)),
    ),
  );
}

/** Whether every webhook believes what a replica serves. */
async function isBelieved({ served }: Replica): Promise<boolean> {
  const leaf = new X509Certificate(served.at(-1)!.certificate);
  const isValid = world.clock.nowMs() < Date.parse(leaf.validTo);
  const bundles = await believed();
  return isValid && bundles.every((bundle) => bundle.some((ca) => leaf.verify(ca.publicKey) && leaf.checkIssued(ca)));
}

/** Keys are made by other threads, in real time: lets both kinds of time pass until something is so. */
async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
    await world.clock.advance(60_000);
  }
  throw new Error("it did not come to pass");
}

test("a certificate is made, shared, and believed by every configuration", async () => {
  const first = await startReplica();
  const second = await startReplica();
  expect(first.keeper.failure).toBeUndefined();
  expect(first.served).toHaveLength(1);
  expect(second.served).toEqual(first.served);
  expect(await isBelieved(first)).toBe(true);
});

test("replicas that start together agree on one", async () => {
  const [first, second] = await Promise.all([startReplica(), startReplica()]);
  await eventually(() => JSON.stringify(first!.served.at(-1)) === JSON.stringify(second!.served.at(-1)));
  expect(await isBelieved(first!)).toBe(true);
});

test("it is replaced in time, and whatever a replica serves is believed all the while", async () => {
  const replicas = [await startReplica(), await startReplica()];
  await world.clock.advance(59 * day);
  expect(replicas.map(({ served }) => served.length)).toEqual([1, 1]);
  expect((await believed())[0]).toHaveLength(1);
  await world.clock.advance(day + hour);
  await eventually(async () => (await believed())[0]?.length === 2);
  for (const replica of replicas) expect(await isBelieved(replica)).toBe(true);
  await eventually(async () => {
    for (const replica of replicas) expect(await isBelieved(replica)).toBe(true);
    return replicas.every(({ served }) => served.length === 2);
  });
  expect(replicas[0]!.served).toEqual(replicas[1]!.served);
  expect((await believed())[0]).toHaveLength(2); // of those who follow late, too
  const secret = await world.client.get(Secret, secretKey);
  expect(Object.keys((secret as Fields)["data"]).sort()).toEqual(["ca.crt", "previous-ca.crt", "tls.crt", "tls.key"]);
});

test("a new certificate is not served before its authority has been known for an hour", async () => {
  const replica = await startReplica();
  await world.clock.advance(60 * day);
  await eventually(async () => (await believed())[0]?.length === 2);
  const knownMs = world.clock.nowMs();
  await eventually(() => replica.served.length === 2);
  expect(world.clock.nowMs() - knownMs).toBeGreaterThan(hour - 10 * 60_000);
});

test("configurations that are written anew get the authority at once", async () => {
  const replica = await startReplica();
  await world.client.delete(ValidatingWebhookConfiguration, { name: "flotilla" });
  await world.client.create(ValidatingWebhookConfiguration, webhookConfigurations({})[1]!);
  await eventually(() => isBelieved(replica));
});

test("a secret that is damaged or gone is made anew", async () => {
  const replica = await startReplica();
  await world.client.patch(Secret, secretKey, { type: "merge", patch: { data: { "tls.crt": "bm9uc2Vuc2U=" } } });
  await eventually(() => replica.served.length === 2);
  await world.client.delete(Secret, secretKey);
  await eventually(() => replica.served.length === 3);
  expect(await isBelieved(replica)).toBe(true);
});
