import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Stage } from "./stage.ts";

/** Proposal 004: what a workload needs, and what leads to it, goes where it goes. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ proposal: "004-dependencies", members: ["member1", "member2", "member3"] });
});
afterAll(() => stage[Symbol.asyncDispose]());

const needs = [
  { what: "the ConfigMap", object: "configmap/my-config" },
  { what: "the Secret", object: "secret/my-secret" },
  { what: "the Service", object: "service/myapp" },
  { what: "the Ingress", object: "ingress/myapp" },
];

test("the Deployment goes to member1 and member2", async () => {
  await stage.apply("3-myapp.yaml");
  await stage.apply("4-myapp-propagation.yaml");
  await stage.until("myapp to be propagated", () => stage.deployments(), {
    "default/myapp": "myapp-propagation: member1, member2",
  });
});

test("the ConfigMap follows when it is created", async () => {
  await stage.apply("5-my-config.yaml");
  await stage.until("my-config to follow", () => stage.membersWith("configmap/my-config"), ["member1", "member2"]);
  const [template, copy] = await Promise.all(
    ["flotilla", "member2"].map((context) => stage.kubectl.json(`--context=${context}`, "get", "configmap/my-config")),
  );
  expect(copy!["data"]).toEqual(template!["data"]);
});

test("its binding is as printed", async () => {
  const printed = load(readFileSync(stage.path("6-spec-of-the-binding-of-my-config.yaml"), "utf8")) as {
    readonly spec: { readonly requiredBy: readonly object[]; readonly resource: { readonly resourceVersion: string } };
  }; // the sample of the proposal
  const { resourceVersion: _, ...resource } = printed.spec.resource; // every store counts for itself
  const binding = await stage.kubectl.json("get", "rb", "my-config-configmap");
  expect(binding["spec"]).toMatchObject({ requiredBy: printed.spec.requiredBy, resource });
});

describe("story 1: a ConfigMap and a Secret are referred to", () => {
  test("the Secret follows when it is created", async () => {
    await stage.kubectl.run("patch", "deploy", "myapp", "-p", referToSecret);
    await stage.caughtUp();
    expect(await stage.membersWith("secret/my-secret")).toEqual([]);
    await stage.kubectl.run("create", "secret", "generic", "my-secret", "--from-literal=password=s3cret");
    await stage.until("my-secret to follow", () => stage.membersWith("secret/my-secret"), ["member1", "member2"]);
  });
});

test("a Service that selects the pods and an Ingress to it follow (ruling 17)", async () => {
  await stage.supply(dependents);
  for (const object of ["service/myapp", "ingress/myapp"]) {
    await stage.until(`${object} to follow`, () => stage.membersWith(object), ["member1", "member2"]);
  }
  expect(await stage.membersWith("service/other"), "selects other pods").toEqual([]);
});

test("all of them move along with the Deployment", async () => {
  await stage.kubectl.run("patch", "pp", "myapp-propagation", "--type=merge", "-p", moveTo("member2", "member3"));
  await stage.until("myapp to move", () => stage.deployments(), {
    "default/myapp": "myapp-propagation: member2, member3",
  });
  for (const { what, object } of needs) {
    await stage.until(`${what} to move along`, () => stage.membersWith(object), ["member2", "member3"]);
  }
});

test("all of them leave the members with the Deployment, and stay in the control plane", async () => {
  await stage.kubectl.run("delete", "deploy", "myapp", "--timeout=20s");
  await stage.until("myapp to go", () => stage.deployments(), {});
  for (const { what, object } of needs) {
    await stage.until(`${what} to go`, () => stage.membersWith(object), []);
    await stage.kubectl.run("get", object);
  }
  expect(stage.untouched()).toEqual([]);
});

const referToSecret = JSON.stringify({
  spec: {
    template: {
      spec: { containers: [{ name: "nginx", envFrom: [{ secretRef: { name: "my-secret" } }] }] },
    },
  },
});

const moveTo = (...clusterNames: readonly string[]) =>
  JSON.stringify({ spec: { placement: { clusterAffinity: { clusterNames } } } });

const dependents = `
apiVersion: v1
kind: Service
metadata: { name: myapp }
spec: { selector: { app: myapp }, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Service
metadata: { name: other }
spec: { selector: { app: other }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: myapp }
spec:
  rules:
    - host: myapp.example
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: myapp, port: { number: 80 } } }
`;
