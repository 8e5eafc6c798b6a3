import { afterAll, beforeAll, expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import { publishSettings } from "#app/published-settings.ts";
import { eventually } from "#test/members/remote-member.ts";
import { freePort } from "#test/real/program.ts";
import { startTestFleet } from "#test/world/fleet.ts";
import { http, type ServedCluster } from "#test/world/http.ts";
import { type BareServer, startBareServer } from "./bare-server.ts";
import { Flotilla } from "./program.ts";
import { startWebhookProcess } from "./webhook-process.ts";

let server: BareServer;
let flotilla: Flotilla;
let port: number;
let written = 0;

beforeAll(async () => {
  server = await startBareServer("plain");
  flotilla = new Flotilla({ KUBECONFIG: server.kubeconfig });
  port = await freePort();
  await flotilla.output("install", "--webhook-url", `https://127.0.0.1:${port}`);
});
afterAll(async () => {
  flotilla.stop();
  await server[Symbol.asyncDispose]();
});

/** What whoever writes a policy that preempts is told. */
async function remarks(cluster: ServedCluster): Promise<readonly string[]> {
  const selector = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  const policy = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: `p${written++}` },
    spec: { resourceSelectors: [selector], preemption: "Always" },
  };
  const path = "/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies";
  const { code, headers } = await http(cluster, path, { method: "POST", body: JSON.stringify(policy) });
  expect(code).toBe(201);
  return [headers["warning"] ?? []].flat();
}
const remark = expect.stringContaining(
  "spec.preemption has no effect: the controllers run with feature gate PropagationPolicyPreemption off",
);
const publish = (gates: Parameters<typeof gatesWith>[0]) =>
  publishSettings(server.client, { gates: gatesWith(gates), gracefulEvictionTimeoutMs: 600_000 });

test("the webhook goes by the gates of the controllers that work now, and by its own flag first", async () => {
  const webhook = await startWebhookProcess({ server, flotilla, port });
  expect(await remarks(server.cluster)).toEqual([remark]);
  const told = (expected: number) =>
    eventually(
      () => remarks(server.cluster),
      (seen) => seen.length === expected,
    );
  await publish({ PropagationPolicyPreemption: true });
  await told(0);
  await publish({ PropagationPolicyPreemption: false });
  expect(await told(1)).toEqual([remark]);
  webhook.kill("SIGTERM");
  await new Promise((resolve) => webhook.once("close", resolve));
  await startWebhookProcess({ server, flotilla, port, flags: ["--feature-gates", "PropagationPolicyPreemption=true"] });
  expect(await remarks(server.cluster)).toEqual([]);
});

test.each([true, false])("so does the embedded control plane: preemption %s", async (isOn) => {
  await using fleet = await startTestFleet({ gates: { PropagationPolicyPreemption: isOn } });
  expect(await remarks(fleet.fleet.controlPlane)).toEqual(isOn ? [] : [remark]);
});
