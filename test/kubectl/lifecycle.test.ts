import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { http } from "#test/world/http.ts";
import type { KubectlVersion } from "./client-binaries.ts";
import { Kubectl } from "./kubectl.ts";

const versions: readonly KubectlVersion[] = ["v32", "v36"];

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

const widget = (name: string, namespace: string) => `
apiVersion: example.com/v1
kind: Widget
metadata: { name: ${name}, namespace: ${namespace} }
`;

for (const version of versions) {
  describe(`kubectl ${version}`, () => {
    let world: TestFleet;
    let kubectl: Kubectl;

    beforeAll(async () => {
      world = await startTestFleet();
      kubectl = new Kubectl(version, world.kubeconfig);
    });
    afterAll(() => world[Symbol.asyncDispose]());

    /** Asks again until it is as it should be, for as long as a person would. */
    async function eventually(look: () => Promise<void>, seconds = 10): Promise<void> {
      const until = Date.now() + seconds * 1_000;
      for (;;) {
        try {
          return await look();
        } catch (error: unknown) {
          if (Date.now() > until) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    }

    const namesOf = async (...args: readonly string[]) =>
      (await kubectl.run("get", ...args, "-o", "name"))
        .split("\n")
        .filter((line) => line !== "" && !line.endsWith("/kube-root-ca.crt"));

    test("a namespace goes about five seconds after the request, with everything in it", async () => {
      await kubectl.feed(definition, "apply", "-f", "-");
      await kubectl.run("create", "ns", "shop");
      await kubectl.run("create", "configmap", "settings", "--from-literal=a=b", "-n", "shop");
      await kubectl.run("create", "deployment", "web", "--image=nginx", "-n", "shop");
      await kubectl.feed(widget("w", "shop"), "apply", "-f", "-");
      const asked = Date.now();
      await kubectl.run("delete", "ns", "shop", "--wait=false");
      expect(await kubectl.run("get", "ns", "shop", "-o", "jsonpath={.status.phase}")).toBe("Terminating");

      // second thoughts: asking again and editing both work
      await kubectl.run("delete", "ns", "shop", "--wait=false");
      await kubectl.run("label", "ns", "shop", "going=yes");
      const refused = await http(world.fleet.controlPlane, "/api/v1/namespaces/shop/configmaps", {
        method: "POST",
        body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late" } }),
      });
      expect([refused.code, refused.json.reason]).toEqual([403, "Forbidden"]);
      expect(refused.json.details.causes).toEqual([
        { reason: "NamespaceTerminating", message: "namespace shop is being terminated", field: "metadata.namespace" },
      ]);
      expect(await kubectl.fails("create", "configmap", "late", "-n", "shop")).toContain(
        "unable to create new content in namespace shop because it is being terminated",
      );
      expect(await namesOf("configmaps", "-n", "shop")).toEqual(["configmap/settings"]);

      await kubectl.run("wait", "--for=delete", "ns/shop", "--timeout=20s");
      const tookMs = Date.now() - asked;
      expect(tookMs).toBeGreaterThan(3_900); // the request's time is in whole seconds
      expect(tookMs).toBeLessThan(20_000);
      expect(await namesOf("widgets", "-A")).toEqual([]);
      await kubectl.run("create", "ns", "shop");
      expect(await namesOf("configmaps,deployments,widgets", "-n", "shop")).toEqual([]);
    });

    test("delete --cascade: background, foreground and orphan", async () => {
      for (const [cascade, left] of [
        ["background", []],
        ["foreground", []],
        ["orphan", ["configmap/child", "configmap/grandchild"]],
      ] as const) {
        const namespace = `cascade-${cascade}`;
        await kubectl.run("create", "ns", namespace);
        await family(namespace);
        await kubectl.run("delete", "configmap", "parent", "-n", namespace, `--cascade=${cascade}`, "--timeout=20s");
        await eventually(async () => expect(await namesOf("configmaps", "-n", namespace)).toEqual(left));
      }
      const owners = "jsonpath={.metadata.ownerReferences[*].name}";
      expect(await kubectl.run("get", "configmap", "child", "-n", "cascade-orphan", "-o", owners)).toBe("");
      expect(await kubectl.run("get", "configmap", "grandchild", "-n", "cascade-orphan", "-o", owners)).toBe("child");
    });

    /** parent ← child ← grandchild, as a Deployment, its ReplicaSet and a Pod are. */
    async function family(namespace: string): Promise<void> {
      let owner: string | undefined;
      for (const name of ["parent", "child", "grandchild"]) {
        const uid =
          owner && (await kubectl.run("get", "configmap", owner, "-n", namespace, "-o", "jsonpath={.metadata.uid}"));
        const reference = `{ apiVersion: v1, kind: ConfigMap, name: ${owner}, uid: ${uid}, controller: true, blockOwnerDeletion: true }`;
        const owners = owner === undefined ? "" : `\n  ownerReferences: [${reference}]`;
        await kubectl.feed(
          `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}${owners}\n`,
          "create",
          "-f",
          "-",
        );
        owner = name;
      }
    }

    test("a definition takes its instances along", async () => {
      await kubectl.feed(definition, "apply", "-f", "-");
      await kubectl.feed(widget("one", "default"), "apply", "-f", "-");
      await kubectl.run("delete", "crd", "widgets.example.com", "--timeout=20s");
      // kubectl remembers the resource for a while, the server does not
      expect(await kubectl.fails("get", "widgets")).toContain("the server could not find the requested resource");
      await kubectl.feed(definition, "apply", "-f", "-");
      await eventually(async () => expect(await namesOf("widgets")).toEqual([]));
    });

    test("every namespace has a default service account and the root certificate, and gets them back", async () => {
      await kubectl.run("create", "ns", "team");
      const look = async () => {
        expect(await namesOf("serviceaccounts", "-n", "team")).toEqual(["serviceaccount/default"]);
        const data = await kubectl.run(
          "get",
          "configmap",
          "kube-root-ca.crt",
          "-n",
          "team",
          "-o",
          "jsonpath={.data.ca\\.crt}",
        );
        expect(data.trim()).toBe(world.fleet.controlPlane.pki.ca.certificate.trim());
      };
      await eventually(look);
      await kubectl.run("delete", "serviceaccount", "default", "-n", "team");
      await kubectl.run("delete", "configmap", "kube-root-ca.crt", "-n", "team");
      await eventually(look);
    });

    test("a token secret is filled, its token works over HTTPS, and both end with the service account", async () => {
      await kubectl.run("create", "serviceaccount", "robot");
      await kubectl.run(
        "create",
        "clusterrolebinding",
        "robot",
        "--clusterrole=view",
        "--serviceaccount=default:robot",
      );
      await kubectl.feed(
        "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/service-account-token\nmetadata:\n  name: robot-token\n  annotations: { kubernetes.io/service-account.name: robot }\n",
        "apply",
        "-f",
        "-",
      );
      await eventually(async () => expect(await field("{.data.token}")).not.toBe(""));
      expect(Buffer.from(await field("{.data.namespace}"), "base64").toString()).toBe("default");
      expect(Buffer.from(await field("{.data.ca\\.crt}"), "base64").toString()).toContain("BEGIN CERTIFICATE");
      const uid = await kubectl.run("get", "serviceaccount", "robot", "-o", "jsonpath={.metadata.uid}");
      expect(await field("{.metadata.annotations.kubernetes\\.io/service-account\\.uid}")).toBe(uid);

      const token = Buffer.from(await field("{.data.token}"), "base64").toString();
      const ask = (path: string) => http(world.fleet.controlPlane, path, { token });
      expect((await ask("/api/v1/namespaces/default/configmaps")).code).toBe(200);
      const secrets = await ask("/api/v1/namespaces/default/secrets");
      expect(secrets.json.message).toBe(
        'secrets is forbidden: User "system:serviceaccount:default:robot" cannot list resource "secrets" in API group "" in the namespace "default"',
      );
      const whoami = await kubectl.run(
        "auth",
        "whoami",
        "--token",
        token,
        "--kubeconfig",
        anonymous(),
        "-o",
        "jsonpath={.status.userInfo.username}",
      );
      expect(whoami).toBe("system:serviceaccount:default:robot");

      await kubectl.run("delete", "serviceaccount", "robot");
      expect((await ask("/api/v1/namespaces/default/configmaps")).code).toBe(401);
      await eventually(async () =>
        expect(await kubectl.fails("get", "secret", "robot-token")).toContain('secrets "robot-token" not found'),
      );
    });

    const field = (path: string) => kubectl.run("get", "secret", "robot-token", "-o", `jsonpath=${path}`);

    /** The cluster without the administrator's certificate, which would win over a token. */
    function anonymous(): string {
      const { url, pki } = world.fleet.controlPlane;
      const ca = Buffer.from(pki.ca.certificate).toString("base64");
      return kubectl.write(
        "anonymous.yaml",
        `apiVersion: v1\nkind: Config\nclusters: [{ name: c, cluster: { server: "${url}", certificate-authority-data: ${ca} } }]\ncontexts: [{ name: c, context: { cluster: c, user: "" } }]\ncurrent-context: c\n`,
      );
    }

    test("the administrator may act as a service account, which may do what it may", async () => {
      await kubectl.run("create", "serviceaccount", "reader");
      await kubectl.run("create", "rolebinding", "reader", "--clusterrole=view", "--serviceaccount=default:reader");
      const as = "--as=system:serviceaccount:default:reader";
      expect(await kubectl.run("auth", "can-i", "list", "configmaps", as)).toBe("yes\n");
      expect(await kubectl.fails("auth", "can-i", "delete", "configmaps", as)).toContain("no");
      await kubectl.run("get", "configmaps", as);
      expect(await kubectl.fails("get", "configmaps", "-n", "kube-system", as)).toContain(
        'User "system:serviceaccount:default:reader" cannot list resource "configmaps"',
      );
    });

    test("an aggregated cluster role grants what its parts grant", async () => {
      await kubectl.feed(
        `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: whole }
aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part-of: whole } }] }
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: part, labels: { part-of: whole } }
rules: [{ apiGroups: [""], resources: [nodes], verbs: [list] }]
`,
        "apply",
        "-f",
        "-",
      );
      await kubectl.run("create", "clusterrolebinding", "whole", "--clusterrole=whole", "--user=ann");
      await eventually(async () =>
        expect(await kubectl.run("auth", "can-i", "list", "nodes", "--as=ann")).toContain("yes"),
      );
      expect(await kubectl.run("get", "clusterrole", "whole", "-o", "jsonpath={.rules[*].resources[*]}")).toBe("nodes");
      await kubectl.run("label", "clusterrole", "part", "part-of-");
      await eventually(async () =>
        expect(await kubectl.fails("auth", "can-i", "list", "nodes", "--as=ann")).toContain("no"),
      );
    });
  });
}

describe("in a member", () => {
  let world: TestFleet;
  let kubectl: Kubectl;

  beforeAll(async () => {
    world = await startTestFleet({ members: ["paris"] });
    kubectl = new Kubectl("v36", world.kubeconfig);
    await kubectl.run("config", "use-context", "paris");
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test("a Deployment that is deleted takes its replica set and its running pods along", async () => {
    await kubectl.run("create", "deployment", "web", "--image=nginx", "--replicas=3");
    await kubectl.run("wait", "--for=condition=Available", "deployment/web", "--timeout=20s");
    await kubectl.run("delete", "deployment", "web", "--cascade=foreground", "--timeout=20s");
    expect(await kubectl.run("get", "deployments,replicasets,pods", "-o", "name")).toBe("");
  });

  test("a namespace with running pods goes", async () => {
    await kubectl.run("create", "ns", "shop");
    await kubectl.run("create", "deployment", "web", "--image=nginx", "--replicas=3", "-n", "shop");
    await kubectl.run("wait", "--for=condition=Available", "deployment/web", "-n", "shop", "--timeout=20s");
    await kubectl.run("delete", "ns", "shop", "--timeout=30s");
    expect(await kubectl.run("get", "pods", "-A", "-o", "name")).toBe("");
  });
});
