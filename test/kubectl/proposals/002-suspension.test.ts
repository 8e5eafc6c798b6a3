import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { deployment, Stage } from "./stage.ts";

/** Proposal 002: propagation is paused and resumed, everywhere or cluster by cluster. */
const members = ["member1", "member2", "member3"];
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ proposal: "002-suspension", members });
});
afterAll(() => stage[Symbol.asyncDispose]());

test("nginx is propagated to all three", async () => {
  await stage.supply(deployment("nginx", { image: "nginx:1" }) + notSuspended);
  await stage.until("nginx to be propagated", versions, everywhere("nginx:1"));
});

describe("all clusters", () => {
  test("a new version reaches nobody while dispatching is suspended", async () => {
    await stage.apply("4-suspended-everywhere.yaml");
    await stage.until(
      "every Work to be suspended",
      worksOfNginx,
      members.map((member) => `${member} nginx:1 suspended`),
    );
    await release("nginx:2");
    await stage.until(
      "every Work to have it",
      worksOfNginx,
      members.map((member) => `${member} nginx:2 suspended`),
    );
    await stage.caughtUp();
    expect(await versions()).toEqual(everywhere("nginx:1"));
  });

  test("the Works say so: False, where the proposal prints True (ruling 13)", async () => {
    for (const work of await stage.all("works")) if (isOfNginx(work)) await isSuspended(work);
  });

  test("an event tells of it", async () => {
    await stage.until(
      "the event on each Work",
      dispatchingEvents,
      members.map((member) => `${member}: Work dispatching is in a suspended state.`),
    );
  });

  test("the Work that is printed is accepted, and gets the same condition", async () => {
    await stage.apply("5-suspended-work.yaml");
    await isSuspended({ metadata: { name: "nginx-xxx", namespace: "karmada-es-member1" } });
  });

  test("once the pause is cancelled everybody gets it", async () => {
    await stage.kubectl.run(
      "patch",
      "pp",
      "nginx-propagation",
      "--type=json",
      "-p",
      '[{"op":"remove","path":"/spec/suspension"}]',
    );
    await stage.until("all to be released", versions, everywhere("nginx:2"));
    await stage.until(
      "no Work to be suspended",
      worksOfNginx,
      members.map((member) => `${member} nginx:2 dispatched`),
    );
  });
});

describe("cluster by cluster", () => {
  test("first to member1 alone", async () => {
    await stage.apply("6-suspended-on-member2-and-member3.yaml");
    await release("nginx:3");
    await stage.until(
      "member1 to get it",
      versions,
      on({ member1: "nginx:3", member2: "nginx:2", member3: "nginx:2" }),
    );
    await stage.caughtUp();
    expect(await versions()).toEqual(on({ member1: "nginx:3", member2: "nginx:2", member3: "nginx:2" }));
  });

  test("a release that fails there is rolled back, and the others never saw it", async () => {
    await release("nginx:2");
    await stage.until("member1 to be rolled back", versions, everywhere("nginx:2"));
    const copies = await Promise.all(
      members.map((member) => stage.kubectl.json(`--context=${member}`, "get", "deploy/nginx")),
    );
    expect(copies.map((copy) => copy.metadata.generation)).toEqual([4, 2, 2]);
  });

  test("then, when it is well, to member2", async () => {
    await release("nginx:3");
    await stage.until(
      "member1 to get it",
      versions,
      on({ member1: "nginx:3", member2: "nginx:2", member3: "nginx:2" }),
    );
    await stage.apply("7-suspended-on-member3.yaml");
    await stage.until(
      "member2 to get it",
      versions,
      on({ member1: "nginx:3", member2: "nginx:3", member3: "nginx:2" }),
    );
    await stage.caughtUp();
    expect(await versions()).toEqual(on({ member1: "nginx:3", member2: "nginx:3", member3: "nginx:2" }));
  });
});

test("corner case: what is suspended is deleted all the same", async () => {
  await stage.apply("4-suspended-everywhere.yaml");
  await stage.until(
    "every Work to be suspended",
    worksOfNginx,
    members.map((member) => `${member} nginx:3 suspended`),
  );
  await stage.kubectl.run("delete", "deploy", "nginx", "--timeout=20s");
  await stage.until("all copies to go", versions, {});
  await stage.until("all Works to go", worksOfNginx, []);
});

describe("the alternative is not built (ruling 25)", () => {
  test.each([
    "10-rollout-policy-everywhere.yaml",
    "12-rollout-policy-member2-and-member3.yaml",
    "13-rollout-policy-member3.yaml",
  ])("%s is refused by name", async (file) => {
    expect(await stage.isRefused(file)).toContain(
      'no matches for kind "RolloutPolicy" in version "policy.karmada.io/v1alpha1"',
    );
  });

  test("the Work that it prints is the same but for its status, which is the system's to write", async () => {
    const printed = ["work", "nginx-xxx", "-n", "karmada-es-member1"];
    const before = await stage.kubectl.json("get", ...printed);
    await stage.apply("11-work-paused-by-rollout-policy.yaml");
    await isSuspended(before);
    const { spec, metadata } = await stage.kubectl.json("get", ...printed);
    expect([spec, metadata.generation]).toEqual([before["spec"], before.metadata.generation]);
    await stage.kubectl.run("delete", ...printed, "--timeout=20s");
    expect(stage.untouched()).toEqual([]);
  });
});

const notSuspended = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: nginx-propagation, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: nginx }]
  placement: { clusterAffinity: { clusterNames: [member1, member2, member3] } }
`;

async function release(image: string): Promise<void> {
  await stage.kubectl.run("set", "image", "deploy/nginx", `web=${image}`);
}

/** Which version runs where. */
function versions(): Promise<Readonly<Record<string, string>>> {
  return stage.deployments(imageIn);
}

function on(images: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const places = Object.entries(images).map(([member, image]) => `${member} ${image}`);
  return { "default/nginx": `nginx-propagation: ${places.join(", ")}` };
}

function everywhere(image: string): Readonly<Record<string, string>> {
  return on(Object.fromEntries(members.map((member) => [member, image])));
}

function imageIn(text: object): string {
  return /"image":"(nginx:\d)"/.exec(JSON.stringify(text))?.[1] ?? "";
}

/** The Works that the system made of nginx: where to, what, and whether they are sent. */
async function worksOfNginx(): Promise<readonly string[]> {
  return (await stage.all("works"))
    .filter(isOfNginx)
    .map((work) => {
      const { suspendDispatching } = work["spec"] as { readonly suspendDispatching?: boolean }; // as our schema has it
      const member = work.metadata.namespace?.replace("karmada-es-", "");
      return `${member} ${imageIn(work)} ${suspendDispatching === true ? "suspended" : "dispatched"}`;
    })
    .sort();
}

function isOfNginx(work: Draft): boolean {
  return imageIn(work) !== "";
}

async function isSuspended({ metadata: { name, namespace } }: Pick<Draft, "metadata">): Promise<void> {
  await stage.kubectl.run(
    ...["wait", `work/${name}`, "-n", `${namespace}`, "--for=condition=Dispatching=False", "--timeout=20s"],
  );
  const { status } = await stage.kubectl.json("get", "work", `${name}`, "-n", `${namespace}`);
  const { conditions } = status as { readonly conditions: readonly { readonly type: string }[] }; // as our schema has it
  expect(conditions.find(({ type }) => type === "Dispatching")).toMatchObject({
    message: "Work dispatching is in a suspended state.",
    reason: "SuspendDispatching",
    status: "False",
  });
}

/** What events told of dispatching, by the member of the Work that they are about. */
async function dispatchingEvents(): Promise<readonly string[]> {
  return (await stage.all("events"))
    .filter((event) => event["reason"] === "WorkDispatching")
    .map(({ metadata, ["message"]: message }) => `${metadata.namespace?.replace("karmada-es-", "")}: ${message}`)
    .sort();
}
