import { afterAll, beforeAll, expect, test } from "vitest";
import { deployment, namespace, Stage } from "./stage.ts";

/** Proposal 001: a policy of higher priority that says so takes over what runs. Each section is played in a namespace of its own. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({
    proposal: "001-preemption",
    members: ["member1", "member2", "member3"],
    gates: { PropagationPolicyPreemption: true },
  });
});
afterAll(() => stage[Symbol.asyncDispose]());

test("summary: a higher priority counts at the first match only, where nobody preempts", async () => {
  const { look, apply } = section("summary");
  await stage.supply(namespace("summary") + deployment("nginx", { namespace: "summary" }) + lowPriority);
  await stage.until("the only policy to take nginx", look, { nginx: "low: member2" });
  await apply("1-high-explicit-priority.yaml");
  await stage.supply(deployment("nginx-later", { namespace: "summary" }));
  await stage.until("the highest priority to take what is new, and to leave what is taken", look, {
    nginx: "low: member2",
    "nginx-later": "propagation-high-explicit-priority: member1",
  });
  await stage.caughtUp();
  expect(await look()).toMatchObject({ nginx: "low: member2" });
});

test("details: how exactly a policy matches decides at first", async () => {
  const { look, apply } = section("details");
  await stage.kubectl.run("create", "namespace", "details");
  await apply("2-labelselectormatch-and-namematch.yaml");
  await stage.supply(deployment("nginx", { namespace: "details" }));
  await stage.until("the policy that names nginx to take it", look, { nginx: "propagation-namematch: member3" });
});

test("details: how exactly a policy matches never preempts", async () => {
  const { look, apply } = section("details");
  await stage.kubectl.run("delete", "pp", "propagation-namematch", "-n", "details");
  await stage.until("the other policy to take over", look, { nginx: "propagation-labelselectormatch: member2" });
  expect(await apply("2-labelselectormatch-and-namematch.yaml")).toMatch("namematch created");
  await stage.kubectl.run(
    ...[
      "patch",
      "pp",
      "propagation-namematch",
      "-n",
      "details",
      "--type=merge",
      "-p",
      '{"spec":{"preemption":"Always"}}',
    ],
  );
  await stage.caughtUp();
  expect(await look()).toEqual({ nginx: "propagation-labelselectormatch: member2" });
});

test("scope: a policy that names its workload takes that one, and sends it everywhere for want of a placement", async () => {
  const { look, apply } = section("scope");
  await stage.supply(
    namespace("scope") + deployment("nginx", { namespace: "scope" }) + deployment("other", { namespace: "scope" }),
  );
  await apply("3-foo-by-name.yaml");
  await stage.until("nginx alone to go everywhere", look, {
    nginx: "foo: member1, member2, member3",
    other: "nobody: ",
  });
});

test("API: nginx-propagation binds nginx, and the binding is as printed", async () => {
  const { look, apply } = section("default");
  await stage.supply(deployment("nginx"));
  await apply("6-nginx-propagation.yaml");
  await stage.until("nginx-propagation to take nginx", look, { nginx: "nginx-propagation: member1, member2" });
  const before = await bindingOfNginx();
  expect(before.metadata.labels).toMatchObject(printedLabels("nginx-propagation"));
  await apply("7-binding-of-nginx.yaml");
  await stage.caughtUp();
  const { metadata, spec } = await bindingOfNginx();
  expect(metadata.labels).toEqual(before.metadata.labels);
  expect(spec, "a manifest without a spec takes nothing away").toEqual(before["spec"]);
  expect(await look()).toEqual({ nginx: "nginx-propagation: member1, member2" });
});

test("API: nginx-propagation-preemption takes it to member3", async () => {
  const { look, apply } = section("default");
  await apply("8-nginx-propagation-preemption.yaml");
  await stage.until("nginx to move to member3", look, { nginx: "nginx-propagation-preemption: member3" });
  const { metadata, spec } = await bindingOfNginx();
  expect(metadata.labels).toMatchObject(printedLabels("nginx-propagation-preemption"));
  expect(spec).toMatchObject({ clusters: [{ name: "member3", replicas: 2 }] });
});

test("API: the preemption is told by an event and counted", async () => {
  await stage.until(
    "the event of the preemption",
    () =>
      stage.kubectl.run(
        "get",
        "events",
        "-n",
        "default",
        "-o",
        "jsonpath={.items[?(@.reason=='PreemptPolicySucceed')].involvedObject.name}",
      ),
    "nginx",
  );
  const metrics = await stage.metrics();
  expect(metrics.split("\n").filter((line) => line.startsWith("preemption_counts_total{"))).toEqual([
    'preemption_counts_total{namespace="default",name="nginx"} 1',
  ]);
  expect(stage.untouched()).toEqual([]);
});

function section(name: string) {
  return {
    apply: (file: string) => stage.apply(file, "-n", name),
    /** The Deployments of this section, by name. */
    look: async () =>
      Object.fromEntries(
        Object.entries(await stage.deployments()).flatMap(([key, where]) =>
          key.startsWith(`${name}/`) ? [[key.slice(name.length + 1), where]] : [],
        ),
      ),
  };
}

function bindingOfNginx() {
  return stage.kubectl.json("get", "rb", "nginx-deployment", "-n", "default");
}

function printedLabels(policy: string) {
  return {
    "propagationpolicy.karmada.io/name": policy,
    "propagationpolicy.karmada.io/namespace": "default",
  };
}

const lowPriority = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: low, namespace: summary }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  priority: 1
  placement: { clusterAffinity: { clusterNames: [member2] } }
`;
