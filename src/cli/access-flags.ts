import type { Command } from "commander";

/** How every command that talks to a control plane is told which one. */
export interface AccessFlags {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

export interface NamespacedFlags extends AccessFlags {
  readonly namespace?: string;
}

/** Adds `--kubeconfig` and `--context`, and `-n` where a command is about things in namespaces. */
export function addAccessFlags(
  command: Command,
  { namespaced = false }: { readonly namespaced?: boolean } = {},
): Command {
  command
    .option(
      "--kubeconfig <file>",
      "how to reach the control plane (default: $KUBECONFIG, .flotilla/kubeconfig here, ~/.kube/config, the pod's service account)",
    )
    .option("--context <name>", "context of the kubeconfig, when not its current one");
  return namespaced ? command.option("-n, --namespace <name>", "namespace, when not the context's own") : command;
}
