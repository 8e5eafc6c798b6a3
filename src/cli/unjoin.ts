import { clusterNamespace } from "#api/cluster/namespaces.ts";
import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import { addClusterKubeconfigFlags, type ClusterKubeconfigFlags, connectToCluster } from "./cluster-kubeconfig.ts";
import type { AddCommand } from "./command.ts";
import { durationOption } from "./durations.ts";

interface UnjoinFlags extends AccessFlags, ClusterKubeconfigFlags {
  readonly clusterNamespace: string;
  readonly force: boolean;
  readonly wait: number;
  readonly dryRun: boolean;
}

/** `flotilla unjoin NAME`: lets a member go. */
export const addUnjoin: AddCommand = (program, output) => {
  const command = addAccessFlags(program.command("unjoin").argument("<name>", "name of the cluster"))
    .summary("let a cluster go, with all that was sent to it")
    .description(
      "Removes what was sent to the cluster (unless policies preserve it), the registration with its credentials and, given the cluster's kubeconfig, the service account there.",
    );
  addClusterKubeconfigFlags(command, "how to reach the cluster, to clean up there, too")
    .option("--cluster-namespace <name>", "namespace of the account and of the secrets", clusterNamespace)
    .option("--force", "let go even when what was sent cannot be removed", false)
    .addOption(durationOption("--wait <duration>", "how long to wait for the cluster to go", "1m"))
    .option("--dry-run", "only say what would go", false)
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla unjoin paris --cluster-kubeconfig ~/paris.kubeconfig\n  flotilla unjoin lost --force --wait 10s",
    )
    .action(async (name: string, flags: UnjoinFlags) => {
      const [{ connect }, { unjoin }, { systemClock }] = await Promise.all([
        import("./connect.ts"),
        import("#app/membership/unjoin.ts"),
        import("#app/system.ts"),
      ]);
      const { clusterKubeconfig } = flags;
      using controlPlane = await connect(flags);
      using member = clusterKubeconfig === undefined ? undefined : await connectToCluster(clusterKubeconfig, flags);
      await unjoin(
        { cluster: name, namespace: flags.clusterNamespace },
        {
          controlPlane: controlPlane.client,
          member: member?.client,
          clock: systemClock,
          timeoutMs: flags.wait,
          force: flags.force,
          dryRun: flags.dryRun,
          report: (where, { kind, metadata }) =>
            output.line(`${where}: ${kind.toLowerCase()}/${metadata.name} deleted${flags.dryRun ? " (dry run)" : ""}`),
        },
      );
      if (member === undefined)
        output.note(
          `the service account karmada-${name} in the cluster was left alone; to remove it: flotilla unjoin ${name} --cluster-kubeconfig FILE`,
        );
    });
};
