import type { Command } from "commander";
import type { Connection } from "./connect.ts";

/** How a cluster is reached that is not the control plane. */
export interface ClusterKubeconfigFlags {
  readonly clusterKubeconfig?: string;
  readonly clusterContext?: string;
  readonly trustClusterKubeconfig: boolean;
}

/** Adds `--cluster-kubeconfig` with what it is for, and what belongs to it. */
export function addClusterKubeconfigFlags(command: Command, purpose: string): Command {
  return command
    .option("--cluster-kubeconfig <file>", purpose)
    .option("--cluster-context <name>", "context of that kubeconfig, when not its current one")
    .option(
      "--trust-cluster-kubeconfig",
      "run the program and send the token file that it names without asking; $KUBECONFIG and ~/.kube/config are trusted anyway",
      false,
    );
}

/** Connects to that cluster; such a file may come from anybody. */
export async function connectToCluster(kubeconfig: string, flags: ClusterKubeconfigFlags): Promise<Connection> {
  const [{ connect }, { askPerson }] = await Promise.all([import("./connect.ts"), import("./ask-person.ts")]);
  const asking = flags.trustClusterKubeconfig ? {} : { ask: askPerson };
  return connect({ kubeconfig, context: flags.clusterContext }, asking);
}
