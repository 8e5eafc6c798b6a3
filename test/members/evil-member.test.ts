import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { systemUser } from "#app/start-cluster.ts";
import { type Client, createClient } from "#client/client.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { behaviours, type EvilMember, json, startEvilMember } from "./evil-member.ts";
import { clusters, deployments, eventually, type RemoteMember, register, startRemoteMember } from "./remote-member.ts";

let fleet: TestFleet;
let user: Client;
let far: RemoteMember;
let canary: EvilMember;
const evil = new Map<string, EvilMember>();
let heldBefore = 0;

const names = Object.keys(behaviours(""));
const clusterNameOf = (behaviour: string) => `evil-${behaviour.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
const near = () => createClient({ transport: fleet.fleet.members[0]!.server, user: systemUser, manager: "test" });

beforeAll(async () => {
  fleet = await startTestFleet({ members: ["near"] });
  user = createClient({ transport: fleet.fleet.controlPlane.server, user: systemUser, manager: "user" });
  far = await startRemoteMember("far");
  canary = await startEvilMember(({ response }) => json(response, 200, {}));
  await register(user, {
    name: "far",
    endpoint: far.cluster.url,
    secret: { token: far.token, caBundle: far.cluster.pki.ca.certificate },
  });
  await eventually(
    () => readyOf("far"),
    (ready) => ready === "True",
  );
  heldBefore = heldBytes();
  for (const [behaviour, behave] of Object.entries(behaviours(canary.url))) {
    const member = await startEvilMember(behave);
    evil.set(behaviour, member);
    const secret = { token: "canary-token", caBundle: member.ca };
    await register(user, { name: clusterNameOf(behaviour), endpoint: member.url, secret });
  }
  await user.create(
    {
      group: "policy.karmada.io",
      version: "v1alpha1",
      resource: "propagationpolicies",
      kind: "PropagationPolicy",
      namespaced: true,
    },
    {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { namespace: "default", name: "all" },
      spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], placement: {} },
    },
  );
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await far?.[Symbol.asyncDispose]();
  for (const member of [canary, ...evil.values()]) await member?.[Symbol.asyncDispose]();
});

async function readyOf(name: string): Promise<unknown> {
  const cluster = (await user.get(clusters, { name })) as Fields | undefined;
  return cluster?.["status"]?.conditions?.find((each: Fields) => each["type"] === "Ready")?.status;
}

const deployment = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "default", name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image: "nginx:1" }] } },
  },
});

describe(`SEC-17: ${names.length} hostile members beside two healthy ones`, () => {
  test("healthy propagation goes on while all of them misbehave", async () => {
    const wanted = Array.from({ length: 20 }, (_, index) => `web-${index}`);
    for (const name of wanted) {
      await user.create(deployments, deployment(name));
      for (const client of [near(), far.client])
        await eventually(
          () => client.get(deployments, { namespace: "default", name }),
          (copy) => copy !== undefined,
          60_000,
        );
    }
  });

  test("most of them passed for ready, so that controllers did work on them", async () => {
    const ready = await eventually(
      async () => {
        const found = await Promise.all(names.map((name) => readyOf(clusterNameOf(name))));
        return names.filter((_, index) => found[index] === "True");
      },
      (seen) => seen.length >= 10,
      25_000,
    );
    expect(ready).not.toContain("redirect");
  });

  for (const behaviour of names) {
    test(`${behaviour}: the member is asked, and given ever more time`, async () => {
      const member = evil.get(behaviour)!;
      const before = member.requests();
      expect(before).toBeGreaterThan(0);
      if (behaviour === "never-ending list") return; // every page is a request; their number is bounded elsewhere
      expect(before).toBeLessThan(1_500);
    });
  }

  test("redirects are never followed, and nobody's words are repeated", async () => {
    expect(canary.requests()).toBe(0);
    expect(JSON.stringify(await user.list(clusters))).not.toMatch(/secret body|canary-token/);
  });

  test("less than 100 MiB are held for all of them", async () => {
    // chunks of answers that are on their way to being refused are not held, nor what the members, who are in this process, too, have yet to send
    await eventually(
      async () => {
        for (const member of evil.values()) member.hangUp();
        await new Promise((resolve) => setTimeout(resolve, 20));
        return heldBytes() - heldBefore;
      },
      (bytes) => bytes < 100 * 1024 * 1024,
    );
  });

  test("healthy members are updated as before", async () => {
    await user.patch(
      deployments,
      { namespace: "default", name: "web-0" },
      { type: "merge", patch: { spec: { replicas: 4 } } },
    );
    for (const client of [near(), far.client])
      await eventually(
        () => client.get(deployments, { namespace: "default", name: "web-0" }) as Promise<Fields | undefined>,
        (copy) => copy?.["spec"].replicas === 4,
      );
  });
});

/** What this thread holds, and not what nobody has cleared up yet: others share the process. */
function heldBytes(): number {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void; // what the flag exposes
  collect();
  collect(); // buffers that the first found unused are given back by the second
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
