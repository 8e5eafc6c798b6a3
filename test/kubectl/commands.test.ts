import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import type { KubectlVersion } from "./client-binaries.ts";
import { Kubectl } from "./kubectl.ts";

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: c, image: nginx, ports: [{ containerPort: 80 }] }
`;

const configMap = (data: string, name = "settings") => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }
data: ${data}
`;

const versions: readonly KubectlVersion[] = ["v32", "v36"];

for (const version of versions) {
  describe(`kubectl ${version}`, () => {
    let world: TestFleet;
    let kubectl: Kubectl;

    beforeAll(async () => {
      world = await startTestFleet();
      kubectl = new Kubectl(version, world.kubeconfig);
    });
    afterAll(() => world[Symbol.asyncDispose]());

    test("version, api-versions, api-resources, cluster-info", async () => {
      expect(await kubectl.run("version")).toMatch(/Server Version: v1\.36\.0/);
      const versionsShown = (await kubectl.run("api-versions")).trim().split("\n");
      expect(versionsShown).toEqual(
        expect.arrayContaining([
          "v1",
          "apps/v1",
          "policy.karmada.io/v1alpha1",
          "work.karmada.io/v1alpha2",
          "cluster.karmada.io/v1alpha1",
        ]),
      );
      const resources = await kubectl.run("api-resources");
      expect(resources).toMatch(/^propagationpolicies +pp +policy\.karmada\.io\/v1alpha1 +true +PropagationPolicy$/m);
      expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
      expect(await kubectl.run("api-resources", "--categories=karmada-io", "-o", "name")).toContain(
        "resourcebindings.work.karmada.io",
      );
      expect(await kubectl.run("cluster-info")).toContain("is running at https://127.0.0.1:");
    });

    test("create of every kind that a typed client sends in protobuf", async () => {
      const creations = [
        ["ns", "made"],
        ["deployment", "d2", "--image=nginx"],
        ["configmap", "c3", "--from-literal=a=b"],
        ["secret", "generic", "s1", "--from-literal=a=b"],
        ["sa", "sa1"],
        ["role", "r1", "--verb=get", "--resource=pods"],
        ["rolebinding", "rb1", "--role=r1", "--user=bob"],
        ["clusterrole", "cr1", "--verb=get", "--resource=nodes"],
        ["clusterrolebinding", "crb1", "--clusterrole=cr1", "--user=bob"],
        ["service", "clusterip", "svc1", "--tcp=80:8080"],
        ["job", "j1", "--image=busybox"],
        ["cronjob", "cj1", "--image=busybox", "--schedule=*/5 * * * *"],
        ["quota", "q1", "--hard=pods=5,cpu=1000m"],
        ["pdb", "pdb1", "--selector=app=web", "--min-available=1"],
        ["priorityclass", "pc1", "--value=5"],
        ["ingress", "ing1", "--rule=foo.com/bar=svc1:80"],
      ];
      for (const args of creations) expect(await kubectl.run("create", ...args), args.join(" ")).toMatch(/ created\n$/);
      expect(await kubectl.run("get", "secret", "s1", "-o", "jsonpath={.data.a} {.type}")).toBe("Yg== Opaque");
      expect(await kubectl.run("get", "quota", "q1", "-o", "jsonpath={.spec.hard.cpu}")).toBe("1");
      expect(await kubectl.run("create", "token", "sa1")).toMatch(/^ey/);
      await kubectl.run("run", "p1", "--image=nginx");
      await kubectl.feed(deployment, "create", "-f", "-");
      expect(await kubectl.fails("create", "configmap", "c3", "--from-literal=a=b")).toContain(
        'configmaps "c3" already exists',
      );
    });

    test("get in every output", async () => {
      expect(await kubectl.run("get", "deploy", "web")).toMatch(
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/2 +0 +0 +\S+\n$/,
      );
      expect(await kubectl.run("get", "deploy", "web", "-o", "wide")).toMatch(
        /CONTAINERS +IMAGES +SELECTOR\n.* c +nginx +app=web\n$/,
      );
      expect(await kubectl.run("get", "deploy", "web", "-o", "name")).toBe("deployment.apps/web\n");
      expect(await kubectl.run("get", "deploy", "web", "-o", "yaml")).toContain("progressDeadlineSeconds: 600");
      expect((await kubectl.json("get", "deploy", "web")).spec.strategy.rollingUpdate.maxSurge).toBe("25%");
      expect(await kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.replicas}")).toBe("2");
      expect(
        await kubectl.run(
          "get",
          "deploy",
          "-o",
          "custom-columns=N:.metadata.name,R:.spec.replicas",
          "--no-headers",
          "web",
        ),
      ).toMatch(/^web +2\n$/);
      expect(await kubectl.run("get", "deploy", "web", "-o", "go-template={{.metadata.name}}")).toBe("web");
      expect(await kubectl.run("get", "pods", "-A", "--sort-by=.metadata.name")).toMatch(
        /^NAMESPACE +NAME +READY +STATUS +RESTARTS +AGE\ndefault +p1 +0\/1 +Pending +0 +\S+\n$/,
      );
      expect(await kubectl.run("get", "all")).toContain("deployment.apps/web");
      expect(
        await kubectl.run("get", "deploy", "-l", "app=web", "--field-selector", "metadata.name=web", "-o", "name"),
      ).toBe("deployment.apps/web\n");
      expect(await kubectl.run("get", "deploy", "--show-labels", "web")).toContain("app=web");
      expect(await kubectl.run("get", "--raw", "/healthz")).toBe("ok");
      expect(await kubectl.fails("get", "deploy", "nope")).toContain('deployments.apps "nope" not found');
      expect(await kubectl.fails("get", "pods", "--field-selector", "spec.unknown=1")).toContain(
        "field label not supported: spec.unknown",
      );
    });

    test("describe", async () => {
      expect(await kubectl.run("describe", "deploy", "web")).toMatch(/Replicas: +2 desired \| 0 updated/);
      expect(await kubectl.run("describe", "pod", "p1")).toMatch(/Status: +Pending/);
      expect(await kubectl.run("describe", "ns", "default")).toMatch(/Status: +Active/);
      expect(await kubectl.run("describe", "cm", "c3")).toContain("a:\n----\nb");
      expect(await kubectl.run("describe", "crd", "works.work.karmada.io")).toContain("Established");
    });

    test("apply, client side: create, change, nothing, prune a field, diff", async () => {
      expect(await kubectl.feed(configMap('{ a: "1", gone: x }'), "apply", "-f", "-")).toBe(
        "configmap/settings created\n",
      );
      expect(await kubectl.feed(configMap('{ a: "2" }'), "apply", "-f", "-")).toBe("configmap/settings configured\n");
      const before = await kubectl.json("get", "cm", "settings");
      expect(await kubectl.feed(configMap('{ a: "2" }'), "apply", "-f", "-")).toBe("configmap/settings unchanged\n");
      const after = await kubectl.json("get", "cm", "settings");
      expect(after.metadata.resourceVersion, "a no-op changes nothing").toBe(before.metadata.resourceVersion);
      expect(after.data).toEqual({ a: "2" });
      const file = kubectl.write("diff.yaml", configMap('{ a: "3" }'));
      const diff = await kubectl.try(["diff", "-f", file]);
      expect(diff.code).toBe(1);
      expect(diff.stdout).toMatch(/-\s+a: "2"\n\+\s+a: "3"/);
      expect((await kubectl.try(["diff", "-f", kubectl.write("same.yaml", configMap('{ a: "2" }'))])).code).toBe(0);
      expect(await kubectl.feed(configMap('{ a: "9" }'), "apply", "--dry-run=server", "-f", "-")).toContain(
        "configured (server dry run)",
      );
      expect((await kubectl.json("get", "cm", "settings")).data, "a dry run stores nothing").toEqual({ a: "2" });
    });

    test("apply, server side: create, conflict, force, hand-over from client side, diff", async () => {
      const manifest = configMap('{ a: "1", b: "1" }', "ssa");
      expect(await kubectl.feed(manifest, "apply", "--server-side", "-f", "-")).toBe(
        "configmap/ssa serverside-applied\n",
      );
      const file = kubectl.write("ssa.yaml", configMap('{ a: "2" }', "ssa"));
      const refused = await kubectl.fails("apply", "--server-side", "--field-manager=other", "-f", file);
      expect(refused).toContain('Apply failed with 1 conflict: conflict with "kubectl": .data.a');
      expect(
        await kubectl.run("apply", "--server-side", "--field-manager=other", "--force-conflicts", "-f", file),
      ).toContain("serverside-applied");
      expect((await kubectl.json("get", "cm", "ssa")).data).toEqual({ a: "2", b: "1" });
      // the first manager gives up b by no longer applying it
      await kubectl.feed(configMap("{}", "ssa"), "apply", "--server-side", "-f", "-");
      expect((await kubectl.json("get", "cm", "ssa")).data).toEqual({ a: "2" });
      expect(
        await kubectl.feed(configMap('{ a: "2" }'), "apply", "--server-side", "-f", "-"),
        "what was applied client side moves over",
      ).toContain("serverside-applied");
      const managers = (
        await kubectl.json("get", "cm", "settings", "--show-managed-fields")
      ).metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`);
      expect(managers).toContain("kubectl Apply");
      expect(managers).not.toContain("kubectl-client-side-apply Update");
      const diff = await kubectl.try([
        "diff",
        "--server-side",
        "--force-conflicts",
        "-f",
        kubectl.write("d.yaml", configMap('{ a: "5" }')),
      ]);
      expect(diff.stdout).toMatch(/\+\s+a: "5"/);
      const list = await kubectl.feed(
        deployment.replace("name: web", "name: ssa-web"),
        "apply",
        "--server-side",
        "-f",
        "-",
      );
      expect(list).toBe("deployment.apps/ssa-web serverside-applied\n");
      const part = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ssa-web, annotations: { note: mine } }\n";
      expect(
        await kubectl.feed(part, "apply", "--server-side", "--field-manager=other", "-f", "-"),
        "a part says nothing of the rest",
      ).toBe("deployment.apps/ssa-web serverside-applied\n");
      const { metadata, spec } = await kubectl.json("get", "deployment", "ssa-web", "--show-managed-fields");
      expect(spec.selector).toBeDefined();
      const others = metadata.managedFields?.find(({ manager }) => manager === "other");
      expect(others?.fieldsV1).toEqual({ "f:metadata": { "f:annotations": { "f:note": {} } } });
    });

    test("strict validation names the fields, warn lets them pass", async () => {
      const bad = configMap('{ a: "1" }', "bad").replace("\ndata:", "\ndta:");
      const { code, stderr } = await kubectl.try(["apply", "-f", "-"], { input: bad });
      expect(code).toBe(1);
      expect(stderr).toContain(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dta"',
      );
      const warned = await kubectl.try(["apply", "--validate=warn", "-f", "-"], { input: bad });
      expect(warned.stderr).toContain('Warning: unknown field "dta"');
      expect(warned.stdout).toBe("configmap/bad created\n");
    });

    test("patch: strategic, merge, json, status", async () => {
      await kubectl.run(
        "patch",
        "deploy",
        "web",
        "-p",
        '{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"nginx:2"}]}}}}',
      );
      const { spec } = await kubectl.json("get", "deploy", "web");
      expect(spec.template.spec.containers[0]).toMatchObject({
        name: "c",
        image: "nginx:2",
        ports: [{ containerPort: 80 }],
      });
      await kubectl.run("patch", "deploy", "web", "--type=merge", "-p", '{"spec":{"replicas":3}}');
      await kubectl.run(
        "patch",
        "deploy",
        "web",
        "--type=json",
        "-p",
        '[{"op":"replace","path":"/spec/replicas","value":4}]',
      );
      expect(
        await kubectl.run(
          "patch",
          "deploy",
          "web",
          "--type=json",
          "-p",
          '[{"op":"replace","path":"/spec/replicas","value":4}]',
        ),
      ).toContain("no change");
      await kubectl.run(
        "patch",
        "deploy",
        "web",
        "--subresource=status",
        "--type=merge",
        "-p",
        '{"status":{"replicas":4},"spec":{"replicas":99}}',
      );
      const patched = await kubectl.json("get", "deploy", "web");
      expect([patched.spec.replicas, patched.status.replicas, patched.metadata.generation]).toEqual([4, 4, 4]);
      expect(
        await kubectl.fails("patch", "deploy", "web", "--type=json", "-p", '[{"op":"remove","path":"/spec/nothing"}]'),
      ).toMatch(/the server rejected our request|remove/);
      await kubectl.run("set", "image", "deploy/web", "c=nginx:3");
      await kubectl.run("set", "env", "deploy/web", "A=B");
      await kubectl.run("set", "env", "deploy/web", "A-");
      expect((await kubectl.json("get", "deploy", "web")).spec.template.spec.containers[0].env).toBeUndefined();
    });

    test("edit, scripted", async () => {
      const editor = kubectl.write("editor.sh", '#!/bin/sh\nsed -i "s/nginx:3/nginx:4/" "$1"\n');
      const { stdout, code, stderr } = await kubectl.try(["edit", "deploy", "web"], {
        environment: { KUBE_EDITOR: `sh ${editor}` },
      });
      expect(code, stderr).toBe(0);
      expect(stdout).toBe("deployment.apps/web edited\n");
      expect(
        await kubectl.run("get", "deploy", "web", "-o", "jsonpath={.spec.template.spec.containers[0].image}"),
      ).toBe("nginx:4");
    });

    test("replace, label, annotate, scale, autoscale, expose", async () => {
      await kubectl.run("label", "deploy", "web", "tier=front");
      await kubectl.run("annotate", "deploy", "web", "note=hello");
      await kubectl.run("label", "deploy", "web", "tier-");
      expect(await kubectl.fails("label", "deploy", "web", "tier=a b")).toContain(
        "a valid label must be an empty string or consist of",
      );
      await kubectl.run("scale", "deploy", "web", "--replicas=1");
      await kubectl.run("scale", "deploy", "web", "--replicas=2", "--current-replicas=1");
      expect(await kubectl.fails("scale", "deploy", "web", "--replicas=2", "--current-replicas=7")).toContain(
        "Expected replicas to be 7, was 2",
      );
      await kubectl.run("autoscale", "deploy", "web", "--max=3");
      await kubectl.run("expose", "deploy", "web", "--port=80");
      const service = await kubectl.json("get", "svc", "web");
      expect(service.spec.clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\./);
      const stale = await kubectl.json("get", "cm", "c3");
      await kubectl.run("annotate", "cm", "c3", "touched=yes");
      const conflict = await kubectl.try(["replace", "-f", "-"], { input: JSON.stringify(stale) });
      expect(conflict.stderr).toContain(
        "the object has been modified; please apply your changes to the latest version and try again",
      );
    });

    test("rollout restart, pause, resume, history", async () => {
      await kubectl.run("rollout", "restart", "deploy/web");
      await kubectl.run("rollout", "pause", "deploy/web");
      expect((await kubectl.json("get", "deploy", "web")).spec.paused).toBe(true);
      await kubectl.run("rollout", "resume", "deploy/web");
      const { code, stdout } = await kubectl.try(["rollout", "status", "deploy/web", "--timeout=1s"]);
      expect([code, stdout.split("\n")[0]]).toEqual([1, "Waiting for deployment spec update to be observed..."]);
    });

    test("wait for a condition, for a deletion, for a JSON path", async () => {
      expect(
        await kubectl.run("wait", "--for=condition=Established", "crd/works.work.karmada.io", "--timeout=10s"),
      ).toContain("condition met");
      await kubectl.run("create", "cm", "short-lived");
      const waiting = kubectl.run("wait", "--for=delete", "cm/short-lived", "--timeout=20s");
      await kubectl.run("delete", "cm", "short-lived");
      await waiting;
      const value = kubectl.run("wait", "--for=jsonpath={.data.ready}=yes", "cm/c3", "--timeout=20s");
      await kubectl.run("patch", "cm", "c3", "--type=merge", "-p", '{"data":{"ready":"yes"}}');
      expect(await value).toContain("condition met");
      expect(await kubectl.fails("wait", "--for=condition=Never", "deploy/web", "--timeout=1s")).toContain(
        "timed out waiting for the condition",
      );
    });

    test("get --watch shows changes as they happen", async () => {
      const watch = kubectl.follow("get", "cm", "--watch", "--output-watch-events");
      await watch.next(/ADDED +c3/);
      await kubectl.run("create", "cm", "watched");
      await watch.next(/ADDED +watched +0/);
      await kubectl.run("patch", "cm", "watched", "--type=merge", "-p", '{"data":{"a":"b"}}');
      await watch.next(/MODIFIED +watched +1/);
      await kubectl.run("delete", "cm", "watched");
      await watch.next(/DELETED +watched/);
      watch.stop();
    });

    test("delete with finalizers, by selector, with preconditions of kubectl", async () => {
      await kubectl.feed(
        configMap("{}", "held").replace("name: held", 'name: held, finalizers: ["example.com/hold"]'),
        "create",
        "-f",
        "-",
      );
      await kubectl.run("delete", "cm", "held", "--wait=false");
      const held = await kubectl.json("get", "cm", "held");
      expect(held.metadata.deletionTimestamp).toBeDefined();
      await kubectl.run("patch", "cm", "held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}');
      expect(await kubectl.fails("get", "cm", "held")).toContain("not found");
      for (const name of ["x1", "x2"])
        await kubectl.feed(
          configMap("{}", name).replace(`name: ${name}`, `name: ${name}, labels: { group: x }`),
          "create",
          "-f",
          "-",
        );
      expect((await kubectl.run("delete", "cm", "-l", "group=x")).match(/deleted/g)).toHaveLength(2);
      expect(await kubectl.fails("delete", "ns", "default")).toContain("this namespace may not be deleted");
    });

    test("explain reads our kinds and Kubernetes' own", async () => {
      expect(await kubectl.run("explain", "propagationpolicy.spec.placement.clusterAffinity")).toContain(
        "clusterNames",
      );
      expect(await kubectl.run("explain", "pod.spec.containers.imagePullPolicy")).toMatch(/ENUM|Possible enum values/);
      expect(await kubectl.run("explain", "deploy", "--recursive")).toContain("progressDeadlineSeconds");
    });

    test("auth can-i, whoami, impersonation", async () => {
      expect(await kubectl.run("auth", "can-i", "create", "pods")).toBe("yes\n");
      expect(await kubectl.fails("auth", "can-i", "create", "pods", "--as=bob")).toBe("no\n");
      expect(await kubectl.run("auth", "can-i", "get", "pods", "--as=bob")).toBe("yes\n");
      expect(await kubectl.run("auth", "can-i", "--list", "--as=bob")).toContain(
        "selfsubjectaccessreviews.authorization.k8s.io",
      );
      expect(await kubectl.run("auth", "whoami")).toContain("flotilla-admin");
      expect(await kubectl.fails("get", "secrets", "--as=bob")).toContain(
        'secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" in the namespace "default"',
      );
    });

    test("events in both groups are one storage", async () => {
      await kubectl.feed(
        `
apiVersion: v1
kind: Event
metadata: { name: ev1 }
involvedObject: { apiVersion: apps/v1, kind: Deployment, name: web, namespace: default }
reason: Tested
message: seen from both sides
type: Normal
firstTimestamp: 2026-11-15T10:00:00Z
lastTimestamp: 2026-11-15T10:00:00Z
count: 1
source: { component: test }
`,
        "create",
        "-f",
        "-",
      );
      expect(await kubectl.run("events", "--for=deployment/web")).toContain("seen from both sides");
      expect(await kubectl.run("get", "events")).toMatch(/Normal +Tested +deployment\/web +seen from both sides/);
      const other = await kubectl.json("get", "events.v1.events.k8s.io", "ev1");
      expect([other.note, other.regarding.name]).toEqual(["seen from both sides", "web"]);
    });

    test("a custom resource of one's own: definition, defaults, validation, columns, scale", async () => {
      await kubectl.feed(widgetDefinition, "apply", "-f", "-");
      expect(await kubectl.feed(widget("w1", "{ size: 3 }"), "apply", "-f", "-")).toBe(
        "widget.example.com/w1 created\n",
      );
      const stored = await kubectl.json("get", "widget", "w1");
      expect(stored.spec).toEqual({ size: 3, colour: "blue" });
      expect(await kubectl.run("get", "wd")).toMatch(/^NAME +SIZE +AGE\nw1 +3 +\S+\n$/);
      const refused = await kubectl.try(["apply", "-f", "-"], { input: widget("w2", "{ size: 11, colour: green }") });
      expect(refused.stderr).toContain("spec.size in body should be less than or equal to 10");
      expect(refused.stderr).toContain('spec.colour: Unsupported value: "green": supported values: "blue", "red"');
      await kubectl.run("scale", "widget", "w1", "--replicas=5");
      expect((await kubectl.json("get", "widget", "w1")).spec.size).toBe(5);
      expect(await kubectl.fails("patch", "widget", "w1", "--type=strategic", "-p", "{}")).toMatch(
        /application\/strategic-merge-patch\+json is not supported|Unsupported Media Type|unsupported/i,
      );
      await kubectl.run("patch", "widget", "w1", "--type=merge", "-p", '{"spec":{"size":6}}');
      expect(await kubectl.run("explain", "widget.spec")).toContain("colour");
    });
  });
}

const widgetDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, shortNames: [wd] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.size }
      additionalPrinterColumns:
        - { name: Size, type: integer, jsonPath: .spec.size }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size: { type: integer, minimum: 1, maximum: 10 }
                colour: { type: string, enum: [blue, red], default: blue }
            status:
              type: object
              properties: { size: { type: integer } }
`;

const widget = (name: string, spec: string) => `
apiVersion: example.com/v1
kind: Widget
metadata: { name: ${name} }
spec: ${spec}
`;
