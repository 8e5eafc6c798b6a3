import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FeatureGates } from "#api/feature-gates.ts";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { KubeTheatre } from "./kube-theatre.ts";

/** A fleet of real API servers behind one kubeconfig: the context `flotilla` is the control plane, the others are members. */
export interface KubeWorld extends AsyncDisposable {
  readonly kubeconfig: string;
  /** What the controllers tell. */
  metrics(): Promise<string>;
}

/** Starts a fleet with the controllers at work. */
export async function startKubeWorld(members: readonly string[], gates: Partial<FeatureGates>): Promise<KubeWorld> {
  const theatre = await KubeTheatre.open({ members });
  const { fleet } = theatre;
  const kubeconfig = join(fleet.folder, "kubeconfig");
  const contexts = fleet.members.map(({ name, url, pki }) => ({ name, server: url, pki }));
  const { url, pki } = fleet.controlPlane;
  writeFileSync(kubeconfig, renderKubeconfig([{ name: "flotilla", server: url, pki }, ...contexts]), { mode: 0o600 });
  await theatre.play(gates);
  return {
    kubeconfig,
    metrics: async () => theatre.metrics.text(),
    [Symbol.asyncDispose]: () => theatre[Symbol.asyncDispose](),
  };
}
