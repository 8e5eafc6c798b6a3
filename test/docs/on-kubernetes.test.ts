import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { startBareServer } from "#test/cli/bare-server.ts";
import { startRemoteMember } from "#test/members/remote-member.ts";
import { runGuide } from "./run-guide.ts";

test("the guide “On Kubernetes” works as it stands", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-guide-"));
  await using control = await startBareServer("control-plane");
  await using paris = await startRemoteMember("paris");
  const { url: server, pki } = paris.cluster;
  const file = join(folder, "paris");
  writeFileSync(file, renderKubeconfig([{ name: "paris", server, pki }]));
  try {
    const printed = await runGuide({
      page: "on-kubernetes.md",
      folder,
      files: { "control-plane.kubeconfig": control.kubeconfig, "paris.kubeconfig": file },
    });
    expect(printed).toContain("nothing to do: everything is installed");
    expect(printed).toContain("cluster(paris) is joined successfully");
    expect(printed).toContain("paris cluster cordoned");
    expect(printed).toContain("waits     no fit");
    expect(printed).toContain("policy(default/web) acts on it");
    expect(printed).toContain("member: namespace/karmada-cluster deleted");
    expect(printed).toContain("namespace/karmada-system deleted");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
