import type { ChildProcess } from "node:child_process";
import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { systemRandom } from "#app/system.ts";
import { readCertificates, writeCertificates } from "#app/webhook/certificate-secret.ts";
import { overlapMs } from "#app/webhook/decide-certificate.ts";
import { createServingCertificate, servingRequest } from "#app/webhook/serving-certificate.ts";
import type { Flotilla } from "#test/cli/program.ts";
import { eventually } from "#test/members/remote-member.ts";
import type { KubeAccess } from "./kube-access.ts";
import type { TcpBalancer } from "./tcp-balancer.ts";

export interface WebhookStage {
  readonly control: KubeAccess;
  readonly flotilla: Flotilla;
  /** What the configurations name. */
  readonly balancer: TcpBalancer;
  /** Of the webhook's account. */
  readonly kubeconfig: string;
}

/** One of several processes of `flotilla webhook`. */
interface Replica {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts a replica behind the balancer. */
export async function startReplica({ flotilla, balancer, kubeconfig }: WebhookStage): Promise<Replica> {
  const flags = ["--secure-port", "0", "--bind-address", "127.0.0.1", "--cert-names", "127.0.0.1"];
  const child = flotilla.start("webhook", "--kubeconfig", kubeconfig, ...flags);
  const port = await new Promise<number>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const said = /https:\/\/127\.0\.0\.1:(\d+)\nready\n/.exec(text);
      if (said !== null) resolve(Number(said[1]));
    });
    child.once("close", (code) => reject(new Error(`the webhook ended with ${code}: ${text}`)));
  });
  balancer.backends = [...balancer.backends, port];
  return { child, port };
}

/** Two replicas behind one address, with one certificate. `first` runs already; one runs afterwards. */
export function describeWebhookReplicas(given: () => WebhookStage & { readonly first: Replica }): void {
  describe("two replicas of the webhook", () => {
    let second: Replica;

    test("share a certificate, which is replaced while requests run: none fails", async () => {
      const stage = given();
      second = await startReplica(stage);
      const { client } = stage.control;
      const ports = [stage.first.port, second.port];
      const before = await Promise.all(ports.map(certificateAt));
      expect(before[0]).toBe(before[1]);
      const stop = new AbortController();
      const running = writePolicies(stage, stop.signal);
      const kept = await readCertificates(client);
      // as if the next one had been told to everybody for an hour but a few seconds
      const nowMs = Date.now() - overlapMs + 10_000;
      const next = await createServingCertificate(servingRequest({ names: ["127.0.0.1"], nowMs }, systemRandom));
      await writeCertificates(client, kept.secret, { ...kept, next });
      await touchConfiguration(stage.control);
      const after = await eventually(
        () => Promise.all(ports.map(certificateAt)),
        (seen) => seen.every((each) => each !== before[0]),
        60_000,
      );
      expect(after[0]).toBe(after[1]);
      stop.abort();
      expect((await running).refused).toEqual([]);
      stage.balancer.cut(); // new connections show the new one, and it is believed
      await isWritten(stage, "believed");
    });

    test("one is killed: the other serves", async () => {
      const stage = given();
      stage.first.child.kill("SIGKILL");
      await isWritten(stage, "killed"); // whatever was under way may be lost; from then on nothing is
      for (let i = 0; i < 10; i++) await writePolicy(stage, `killed-${i}`);
    });

    test("none is left: policies, bindings, works and clusters are refused, and nothing else is", async () => {
      const stage = given();
      second.child.kill("SIGKILL");
      await eventually(
        () => writePolicy(stage, "none").catch(String),
        (answer) => typeof answer === "string",
        60_000,
      );
      const closed = [policy("closed"), binding, work, cluster];
      for (const yaml of closed)
        await expect(stage.control.apply(yaml), yaml).rejects.toThrow(/failed calling webhook/);
      await stage.control.apply(`{ apiVersion: v1, kind: ConfigMap, metadata: { name: open, namespace: default } }`);
      await stage.control.delete("configmaps/default/open");
    });

    test("one is back: they are written again", async () => {
      const stage = given();
      stage.balancer.backends = [];
      await startReplica(stage);
      await isWritten(stage, "back");
    });
  });
}

/** Writes policies one after the other, each over whatever connection there is, until it is told to stop. */
async function writePolicies(stage: WebhookStage, signal: AbortSignal): Promise<{ readonly refused: string[] }> {
  const refused: string[] = [];
  for (let round = 0; !signal.aborted; round++)
    await writePolicy(stage, `round-${round}`).catch((error: unknown) => refused.push(String(error)));
  return { refused };
}

/** Resolves when a policy was written, by whoever tries again. */
async function isWritten(stage: WebhookStage, name: string): Promise<void> {
  await eventually(
    () => writePolicy(stage, name).catch(() => false),
    (written) => written !== false,
    60_000,
  );
}

/** Creates a policy and deletes it. */
async function writePolicy({ control }: WebhookStage, name: string): Promise<void> {
  await control.apply(policy(name));
  await control.patch(`propagationpolicies/default/${name}`, { metadata: { finalizers: null } });
  await control.delete(`propagationpolicies/default/${name}`);
}

/** Makes the replicas look at their certificate now. */
async function touchConfiguration({ client }: KubeAccess): Promise<void> {
  const patch = { metadata: { annotations: { touched: "now" } } };
  const { ValidatingWebhookConfiguration } = kubernetesResources;
  await client.patch(ValidatingWebhookConfiguration, { name: "flotilla" }, { type: "merge", patch });
}

/** The fingerprint of what a server shows. */
function certificateAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

const policy = (name: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: ConfigMap, name: nothing }]
  placement: {}
`;
const binding = `
apiVersion: work.karmada.io/v1alpha2
kind: ResourceBinding
metadata: { name: closed, namespace: default }
spec: { resource: { apiVersion: v1, kind: ConfigMap, name: nothing, namespace: default } }
`;
const work = `
apiVersion: work.karmada.io/v1alpha1
kind: Work
metadata: { name: closed, namespace: default }
spec: { workload: { manifests: [] } }
`;
const cluster = `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: { name: closed }
spec: { syncMode: Push, apiEndpoint: "https://closed.example" }
`;
