import { afterAll, beforeAll, expect, test } from "vitest";
import { deployment, namespace, Stage } from "./stage.ts";

/** Proposal 000: an edited policy waits until the user edits the workload. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({
    proposal: "000-static-policies",
    members: ["member1", "member2", "member3", "member4"],
    gates: { StaticPolicy: true },
  });
});
afterAll(() => stage[Symbol.asyncDispose]());

test("the default policy sends everybody's Deployments to member1 and member2", async () => {
  await stage.apply("2-default-cpp.yaml");
  await stage.supply(
    namespace("user-ucs") +
      namespace("user-two") +
      deployment("nginx", { namespace: "user-ucs" }) +
      deployment("nginx", { namespace: "user-two" }),
  );
  await stage.until("default-cpp to propagate", () => stage.deployments(), {
    "user-ucs/nginx": "default-cpp: member1, member2",
    "user-two/nginx": "default-cpp: member1, member2",
  });
});

test("story 1: member3 is added, and nothing moves", async () => {
  await stage.apply("3-default-cpp-member3-added.yaml");
  for (const user of ["user-ucs", "user-two"]) expect(await pendingReason(user)).toBe("PolicyChanged");
  await stage.caughtUp();
  expect(await stage.deployments()).toEqual({
    "user-ucs/nginx": "default-cpp: member1, member2",
    "user-two/nginx": "default-cpp: member1, member2",
  });
  const binding = await stage.kubectl.json("get", "rb", "nginx-deployment", "-n", "user-two");
  expect(binding["spec"], "the binding shows what is in effect").toMatchObject({
    placement: { clusterAffinity: { clusterNames: ["member1", "member2"] } },
  });
});

test("story 1: who edits a Deployment gets member3, nobody else does", async () => {
  await stage.kubectl.run("set", "image", "deploy/nginx", "web=nginx:2", "-n", "user-two");
  await stage.until("the edited one to gain member3", () => stage.deployments(), {
    "user-ucs/nginx": "default-cpp: member1, member2",
    "user-two/nginx": "default-cpp: member1, member2, member3",
  });
});

test("what comes new follows the policy as it is now", async () => {
  await stage.supply(deployment("later", { namespace: "user-two" }));
  await stage.until("a new one to go to three members", () => stage.deployments(), {
    "user-ucs/nginx": "default-cpp: member1, member2",
    "user-two/nginx": "default-cpp: member1, member2, member3",
    "user-two/later": "default-cpp: member1, member2, member3",
  });
});

test("story 2: a policy of higher priority for one user takes nothing by itself", async () => {
  await stage.apply("4-custom-cpp.yaml");
  await stage.until("the takeover to be announced", () => pendingReason("user-ucs"), "PolicyTakesOver");
  await stage.caughtUp();
  expect(await stage.deployments()).toEqual({
    "user-ucs/nginx": "default-cpp: member1, member2",
    "user-two/nginx": "default-cpp: member1, member2, member3",
    "user-two/later": "default-cpp: member1, member2, member3",
  });
});

test("story 2: it takes effect when that user edits, and on nobody else's edit", async () => {
  await stage.kubectl.run("set", "image", "deploy/nginx", "web=nginx:3", "-n", "user-two");
  await stage.kubectl.run("set", "image", "deploy/nginx", "web=nginx:2", "-n", "user-ucs");
  const image = (copy: object) => JSON.stringify(copy).match(/"image":"(nginx:\d)"/)?.[1] ?? "";
  await stage.until("custom-cpp to take what was edited", () => stage.deployments(image), {
    "user-ucs/nginx": "custom-cpp: member1 nginx:2, member2 nginx:2, member4 nginx:2",
    "user-two/nginx": "default-cpp: member1 nginx:3, member2 nginx:3, member3 nginx:3",
    "user-two/later": "default-cpp: member1 nginx:1, member2 nginx:1, member3 nginx:1",
  });
  expect(stage.untouched()).toEqual([]);
});

/** Waits until a change is pending for a user's nginx; why it is. */
async function pendingReason(user: string): Promise<string> {
  await stage.kubectl.run("wait", "rb/nginx-deployment", "-n", user, "--for=condition=PolicyPending", "--timeout=20s");
  const path = '{.status.conditions[?(@.type=="PolicyPending")].reason}';
  return await stage.kubectl.run("get", "rb", "nginx-deployment", "-n", user, "-o", `jsonpath=${path}`);
}
