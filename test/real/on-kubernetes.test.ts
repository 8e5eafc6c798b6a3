import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runGuide } from "#test/docs/run-guide.ts";
import { keepHouse } from "./keep-house.ts";
import { KubeFleet } from "./kube-fleet.ts";

test("the page “On Kubernetes” works as it stands on kube-apiservers", async () => {
  await using fleet = await KubeFleet.start({ members: ["paris"] });
  const [paris] = fleet.members;
  await using _control = await keepHouse(fleet.controlPlane, "control plane");
  await using _member = await keepHouse(paris!, "member");
  const folder = join(fleet.folder, "reader");
  mkdirSync(folder);
  const printed = await runGuide({
    page: "on-kubernetes.md",
    folder,
    files: { "control-plane.kubeconfig": fleet.controlPlane.kubeconfig, "paris.kubeconfig": paris!.kubeconfig },
  });
  expect(printed).toContain("nothing to do: everything is installed");
  expect(printed).toContain("cluster(paris) is joined successfully");
  expect(printed).not.toContain("the token that it gave ends at"); // the secret was filled
  expect(printed).toContain("waits     no fit");
  expect(printed).toContain("policy(default/web) acts on it");
  expect(printed).toContain("member: namespace/karmada-cluster deleted");
  expect(printed).toContain("namespace/karmada-system deleted");
}, 240_000);
