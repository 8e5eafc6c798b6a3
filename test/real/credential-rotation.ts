import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ControllersReplica } from "#app/controllers-replica.ts";
import { fleetMetrics } from "#app/fleet-metrics.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { inClusterAccess } from "#cli/kubeconfig/in-cluster.ts";
import { eventually } from "#test/members/remote-member.ts";
import { ControllersProcess } from "./controllers-process.ts";
import type { KubeAccess } from "./kube-access.ts";
import type { KubeFleet } from "./kube-fleet.ts";

export interface RotationStage {
  readonly fleet: KubeFleet;
  readonly access: KubeAccess;
  /** Makes work for whoever leads, which it writes under its name. */
  readonly makeWork: (prefix: string) => Promise<void>;
}

/** Credentials that are replaced while controllers use them, by others for the same rights: whose writes they are tells which are in use. */
export function describeCredentialRotation(given: () => RotationStage): void {
  /** Makes work until somebody of that name has done some. */
  const isAtWork = async (user: string, prefix: string): Promise<void> => {
    const { fleet, makeWork } = given();
    let round = 0;
    const look = async () => {
      await makeWork(`${prefix}-${round++}`);
      return fleet.controlPlane
        .writes()
        .some((each) => each.user.username === user && each.verb === "create" && each.objectRef?.resource === "works");
    };
    await eventually(look, (is) => is, 120_000);
  };

  describe("credentials that are replaced are taken up without a restart", () => {
    test("the files of a client certificate that a kubeconfig names", async () => {
      const { fleet, access } = given();
      await access.apply(rightsOfGroup);
      const user = { "client-certificate": "client.crt", "client-key": "client.key" };
      const process = new ControllersProcess(fleet, "certified", { user });
      const folder = join(fleet.folder, "certified");
      const putFiles = async (name: string) => {
        const { certificate, privateKey } = await fleet.controlPlane.issueCertificate(name, group);
        mkdirSync(folder, { recursive: true });
        replaceFile(join(folder, "client.crt"), certificate); // for a moment the two do not fit
        replaceFile(join(folder, "client.key"), privateKey);
      };
      await putFiles("certified-1");
      await process.start();
      try {
        const { pid } = process;
        await isAtWork("certified-1", "certified-before");
        await putFiles("certified-2");
        await isAtWork("certified-2", "certified-after");
        expect(process.pid).toBe(pid);
      } finally {
        await process.stop();
      }
    });

    test("the token of a pod's service account", async () => {
      const { fleet } = given();
      const mount = join(fleet.folder, "mount");
      mkdirSync(mount, { recursive: true });
      const { url, pki } = fleet.controlPlane;
      writeFileSync(join(mount, "ca.crt"), pki.ca.certificate);
      const accounts = ["pod-1", "pod-2"].map((name) => new ControllersProcess(fleet, name));
      for (const account of accounts) await account.createAccount();
      const putToken = async (account: ControllersProcess) =>
        replaceFile(join(mount, "token"), await account.requestToken());
      const [before, after] = accounts as [ControllersProcess, ControllersProcess];
      await putToken(before);
      const env = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: new URL(url).port };
      await using _replica = await ControllersReplica.start({
        readAccess: async () => inClusterAccess({ env, mount, nowMs: () => systemClock.nowMs() })!,
        election: {
          times: { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 },
          lease: { namespace: "karmada-system", name: "flotilla-controllers" },
        },
        rules: { allowLoopback: true },
        options: {},
        clock: systemClock,
        random: systemRandom,
        log: silentLogger,
        metrics: fleetMetrics(),
      });
      await isAtWork(before.user, "pod-before");
      await putToken(after);
      await isAtWork(after.user, "pod-after");
    });
  });
}

/** As kubelet does: whoever reads finds the old or the new. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.next`, text, { mode: 0o600 });
  renameSync(`${file}.next`, file);
}

const group = "certificate-holders";
const rightsOfGroup = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${group} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: flotilla-controllers }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: ${group} }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ${group}, namespace: karmada-system }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: flotilla-controllers }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: ${group} }]
`;
