import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { Kubectl } from "./kubectl.ts";

/** helm 3 comes with kubectl 1.32, helm 4 (server-side apply for everything) with 1.36. */
for (const version of ["v32", "v36"] as const) {
  describe(`helm that comes with kubectl ${version}`, () => {
    let world: TestFleet;
    let client: Kubectl;
    let chart: string;

    beforeAll(async () => {
      world = await startTestFleet();
      client = new Kubectl(version, world.kubeconfig);
      chart = writeChart(client.folder);
    });
    afterAll(() => world[Symbol.asyncDispose]());

    const helm = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await client.helm(...args);
      expect(code, `helm ${args.join(" ")}: ${stderr}`).toBe(0);
      return stdout;
    };

    test("install, upgrade, rollback, history, uninstall", async () => {
      await helm("install", "shop", chart, "--set", "replicas=2");
      expect((await client.json("get", "deploy", "shop")).spec.replicas).toBe(2);
      expect(await helm("list", "-o", "json")).toContain('"status":"deployed"');
      await helm("upgrade", "shop", chart, "--set", "replicas=5", "--set", "greeting=hello");
      expect((await client.json("get", "cm", "shop")).data).toEqual({ greeting: "hello" });
      await helm("rollback", "shop", "1");
      expect((await client.json("get", "deploy", "shop")).spec.replicas).toBe(2);
      expect(JSON.parse(await helm("history", "shop", "-o", "json"))).toHaveLength(3);
      await helm("uninstall", "shop");
      expect(await client.fails("get", "deploy", "shop")).toContain("not found");
    });

    test("a chart with a custom resource definition", async () => {
      mkdirSync(join(chart, "crds"), { recursive: true });
      writeFileSync(join(chart, "crds", "gadgets.yaml"), definition);
      await helm("install", "with-crd", chart);
      expect(await client.run("get", "crd", "gadgets.example.org", "-o", "name")).toContain("gadgets.example.org");
    });
  });
}

function writeChart(folder: string): string {
  const chart = join(folder, "chart");
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), 'apiVersion: v2\nname: shop\nversion: 0.1.0\nkubeVersion: ">= 1.30.0"\n');
  writeFileSync(join(chart, "values.yaml"), "replicas: 1\ngreeting: hi\n");
  writeFileSync(
    join(chart, "templates", "all.yaml"),
    `
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }} }
data: { greeting: {{ .Values.greeting }} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }} }
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata: { labels: { app: {{ .Release.Name }} } }
    spec: { containers: [{ name: web, image: nginx }] }
`,
  );
  return chart;
}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.example.org }
spec:
  group: example.org
  scope: Namespaced
  names: { plural: gadgets, kind: Gadget }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;
