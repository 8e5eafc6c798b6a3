import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { writeAccountKubeconfig } from "#test/cli/account-kubeconfig.ts";
import { Flotilla, saying } from "#test/cli/program.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { eventually } from "#test/members/remote-member.ts";
import { keepHouse } from "./keep-house.ts";
import { KubeAccess } from "./kube-access.ts";
import type { KubeCluster } from "./kube-cluster.ts";
import { KubeFleet } from "./kube-fleet.ts";
import { TcpBalancer } from "./tcp-balancer.ts";
import { describeWebhookReplicas, startReplica } from "./webhook-replicas.ts";

/** The commands as an administrator runs them, on real kube-apiservers; what runs has the rights that `install` gave it. */
let fleet: KubeFleet;
let control: KubeAccess;
let flotilla: Flotilla;
let balancer: TcpBalancer;
let port: number;

beforeAll(async () => {
  fleet = await KubeFleet.start({ members: ["paris"] });
  control = new KubeAccess(fleet.controlPlane);
  flotilla = new Flotilla({ KUBECONFIG: fleet.controlPlane.kubeconfig });
  balancer = await TcpBalancer.listen();
  port = balancer.port;
}, 120_000);
afterAll(async () => {
  flotilla?.stop();
  await balancer?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

function accountFile(cluster: KubeCluster, account: string): Promise<string> {
  const { url: server, pki } = cluster;
  const file = join(fleet.folder, `${account}.kubeconfig`);
  return writeAccountKubeconfig({ account, client: cluster.client("test"), server, ca: pki.ca.certificate, file });
}

const policy = (name: string, more = "") => `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: { clusterAffinity: { clusterNames: [paris] }${more} }
`;
const work = `
apiVersion: work.karmada.io/v1alpha1
kind: Work
metadata: { name: early, namespace: default }
spec: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: early, namespace: default } }] } }
`;
const binding = `
apiVersion: work.karmada.io/v1alpha2
kind: ResourceBinding
metadata: { name: early, namespace: default }
spec: { resource: { apiVersion: v1, kind: ConfigMap, name: early, namespace: default } }
`;
const refusal = (write: Promise<unknown>): Promise<StatusError> =>
  write.then(
    () => Promise.reject(new Error("it was accepted")),
    (error: unknown) => (error instanceof StatusError ? error : Promise.reject(error)),
  );

describe("flotilla install", () => {
  test("makes a kube-apiserver a control plane; the second time there is nothing to do", async () => {
    const first = await flotilla.run("install", "--webhook-url", `https://127.0.0.1:${port}`);
    expect([first.code, first.err]).toEqual([0, "25 objects written\n"]);
    const second = await flotilla.run("install", "--webhook-url", `https://127.0.0.1:${port}`);
    expect([second.code, second.err]).toEqual([0, "nothing to do: everything is installed\n"]);
  });

  test("prepares what the manifests of deploy/ need, and these are what a kube-apiserver takes", async () => {
    const kubectl = new Kubectl("v36", fleet.controlPlane.kubeconfig);
    const folder = join(import.meta.dirname, "..", "..", "deploy");
    const printed = await kubectl.run("apply", "--dry-run=server", "--validate=strict", "-f", folder);
    expect(
      printed
        .trim()
        .split("\n")
        .map((line) => line.replace(/ created.*/, "")),
    ).toEqual([
      "deployment.apps/flotilla-controllers",
      "poddisruptionbudget.policy/flotilla-controllers",
      "service/flotilla-webhook",
      "deployment.apps/flotilla-webhook",
      "poddisruptionbudget.policy/flotilla-webhook",
    ]);
  });

  test("fails closed until the webhook runs", async () => {
    expect((await refusal(control.apply(policy("early")))).message).toContain("failed calling webhook");
    const admin = new Kubectl("v36", fleet.controlPlane.kubeconfig);
    for (const manifest of [work, binding])
      expect(await admin.feed(manifest, "create", "-f", "-").catch(String)).toContain("failed calling webhook");
  });

  test("the controllers write works and bindings nevertheless, which they judge themselves", async () => {
    const controllers = new Kubectl("v36", await accountFile(fleet.controlPlane, "flotilla-controllers"));
    for (const manifest of [work, binding]) await controllers.feed(manifest, "create", "-f", "-");
    await controllers.run("delete", "-n", "default", "works/early", "resourcebindings/early");
  });
});

let webhookKubeconfig: string;
let first: Awaited<ReturnType<typeof startReplica>>;
const webhookStage = () => ({ control, flotilla, balancer, kubeconfig: webhookKubeconfig });

describe("flotilla webhook", () => {
  test("is believed by the kube-apiserver, with the rights of its own account", async () => {
    webhookKubeconfig = await accountFile(fleet.controlPlane, "flotilla-webhook");
    first = await startReplica(webhookStage());
    await eventually(
      () => control.apply(policy("web")).catch((error: unknown) => error),
      (outcome) => outcome === undefined,
    );
    const found = await control.get("propagationpolicies/default/web");
    expect(found?.["metadata"].labels["propagationpolicy.karmada.io/permanent-id"]).toMatch(/^[-0-9a-f]{36}$/);
    expect(found?.["metadata"].finalizers).toEqual(["karmada.io/propagation-policy-controller"]);
  });

  test("refuses with all that is wrong", async () => {
    const error = await refusal(control.apply(policy("bad", ", clusterAffinities: [{ affinityName: a }]")));
    expect([error.code, error.reason]).toEqual([422, "Invalid"]);
    expect(error.details?.causes?.[0]?.field).toContain("spec.placement");
  });

  test("asks the kube-apiserver who may read a secret", async () => {
    const role = "rbac.authorization.k8s.io";
    await control.apply(`
apiVersion: ${role}/v1
kind: ClusterRole
metadata: { name: clusters }
rules: [{ apiGroups: [cluster.karmada.io], resources: [clusters], verbs: ["*"] }]
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: jane, namespace: karmada-system }
---
apiVersion: ${role}/v1
kind: ClusterRoleBinding
metadata: { name: jane }
roleRef: { apiGroup: ${role}, kind: ClusterRole, name: clusters }
subjects: [{ kind: ServiceAccount, name: jane, namespace: karmada-system }]
`);
    const jane = await accountFile(fleet.controlPlane, "jane");
    const { err, code } = await flotilla.run(
      "join",
      "x",
      "--kubeconfig",
      jane,
      "--cluster-kubeconfig",
      fleet.member("paris").kubeconfig,
      "--timeout",
      "1s",
    );
    expect([code, err]).toEqual([1, expect.stringContaining("forbidden")]);
    const cluster = { apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", metadata: { name: "x" } };
    const spec = {
      syncMode: "Push",
      apiEndpoint: "https://x.example",
      secretRef: { namespace: "karmada-cluster", name: "x" },
    };
    const kubectl = await refusal(asJane(jane, { ...cluster, spec }));
    expect(kubectl.message).toContain("must be allowed to get the secret");
  });
});

async function asJane(kubeconfig: string, object: object): Promise<void> {
  const { connect } = await import("#cli/connect.ts");
  using connection = await connect({ kubeconfig });
  const clusters = {
    group: "cluster.karmada.io",
    version: "v1alpha1",
    resource: "clusters",
    kind: "Cluster",
    namespaced: false,
  };
  await connection.client.create(clusters, object as Parameters<typeof connection.client.create>[1]);
}

describeWebhookReplicas(() => ({ ...webhookStage(), first }));

describe("a fleet of kube-apiservers", () => {
  test("is joined, and gets workloads by controllers that have the rights of their account alone", async () => {
    const kubeconfig = await accountFile(fleet.controlPlane, "flotilla-controllers");
    const flags = ["--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:0", "--allow-loopback-members"];
    await saying(flotilla.start("controllers", "--kubeconfig", kubeconfig, ...flags), /^running$/m);
    for (const { name, kubeconfig: file } of fleet.members) {
      // no controller fills token secrets here: the token is asked for
      const joined = await flotilla.run("join", name, "--cluster-kubeconfig", file, "--timeout", "2s");
      expect([joined.code, joined.out]).toEqual([0, `cluster(${name}) is joined successfully\n`]);
      expect(joined.err).toContain("the token that it gave ends at");
    }
    await control.apply(`
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: nginx }] } }
`);
    for (const member of fleet.members) {
      const there = new KubeAccess(member);
      await eventually(
        () => there.get("deployments/default/web"),
        (found) => found !== undefined,
        60_000,
      );
    }
  }, 120_000);

  test("a member whose token is worth nothing gets a new one, and what was edited meanwhile arrives", async () => {
    const { name, kubeconfig: file } = fleet.member("paris");
    const key = { namespace: "karmada-cluster", name };
    const { Secret } = kubernetesResources;
    const spoilt = Buffer.from("spoilt").toString("base64");
    await control.client.patch(Secret, key, { type: "merge", patch: { data: { token: spoilt } } });
    await control.patch("deployments/default/web", { spec: { replicas: 3 } });
    const stranger = await flotilla.run("join", name, "--renew", "--cluster-kubeconfig", fleet.controlPlane.kubeconfig);
    expect([stranger.code, stranger.err]).toEqual([1, expect.stringContaining("leads to another cluster")]);
    const renewed = await flotilla.run("join", name, "--renew", "--cluster-kubeconfig", file, "--timeout", "2s");
    expect([renewed.code, renewed.out]).toEqual([0, `cluster(${name}) has a new token\n`]);
    const secret = await control.client.get(Secret, key);
    expect(secret?.["data"]).not.toMatchObject({ token: spoilt });
    expect(secret?.metadata.ownerReferences?.map(({ kind }) => kind)).toEqual(["Cluster"]);
    const there = new KubeAccess(fleet.member(name));
    await eventually(
      () => there.get("deployments/default/web"),
      (found) => found?.["spec"].replicas === 3,
      60_000,
    );
  }, 120_000);

  test("is cordoned and tainted", async () => {
    expect(await flotilla.output("cordon", "paris")).toBe("paris cluster cordoned\n");
    expect(await flotilla.output("uncordon", "paris")).toBe("paris cluster uncordoned\n");
    expect(await flotilla.output("taint", "clusters", "paris", "a=b:NoSchedule")).toBe("cluster/paris tainted\n");
    expect(await flotilla.output("taint", "clusters", "paris", "a-")).toBe("cluster/paris untainted\n");
  });

  test("cannot be uninstalled while clusters are joined", async () => {
    const { code, err } = await flotilla.run("uninstall");
    expect([code, err]).toEqual([1, expect.stringContaining("a cluster is joined: paris")]);
  });

  test("a member's account makes nobody an administrator", async () => {
    const { client } = new KubeAccess(fleet.member("paris"));
    const role = await client.get(kubernetesResources.ClusterRole, {
      name: "karmada-controller-manager:karmada-paris",
    });
    expect(JSON.stringify(role?.["rules"])).not.toMatch(/escalate|bind"|impersonate|"verbs":\["\*"\]/);
  });

  test("is let go, and what was installed is removed, while policies are still there", async () => {
    const file = fleet.member("paris").kubeconfig;
    // a cluster waits for its namespace, which somebody has to empty
    await using _house = await keepHouse(fleet.controlPlane, "control plane");
    const left = await flotilla.run("unjoin", "paris", "--cluster-kubeconfig", file, "--wait", "60s");
    expect([left.code, left.err]).toEqual([0, ""]);
    expect(left.out).toContain("member: clusterrole/karmada-controller-manager:karmada-paris deleted");
    expect(await new KubeAccess(fleet.member("paris")).get("deployments/default/web")).toBeUndefined();
    expect(await control.get("propagationpolicies/default/web")).toBeDefined();
    const gone = await flotilla.run("uninstall");
    expect([gone.code, gone.err]).toEqual([0, ""]);
    const { client } = control;
    const definitions = (await client.list(kubernetesResources.CustomResourceDefinition)).items;
    expect(definitions.map(({ metadata }) => metadata.name)).toEqual([]);
    const template = await control.get("deployments/default/web");
    expect(Object.keys(template?.["metadata"].labels ?? {})).toEqual([]); // released by the controllers before their rights went
  }, 120_000);
});
