import { clusterNamespace } from "#api/cluster/namespaces.ts";
import { dnsLabelErrors } from "#api/meta/names.ts";
import { HintedError } from "#base/hinted-error.ts";
import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import { addClusterKubeconfigFlags, type ClusterKubeconfigFlags, connectToCluster } from "./cluster-kubeconfig.ts";
import { type AddCommand, MisuseError, type Output } from "./command.ts";
import { durationOption } from "./durations.ts";

interface JoinFlags extends AccessFlags, ClusterKubeconfigFlags {
  readonly clusterNamespace: string;
  readonly clusterProvider?: string;
  readonly clusterRegion?: string;
  readonly clusterZones?: string;
  readonly renew: boolean;
  readonly dryRun: boolean;
  readonly timeout: number;
}

const maxNameLength = 48;

/** `flotilla join NAME`: makes a cluster a member. */
export const addJoin: AddCommand = (program, output) => {
  const command = addAccessFlags(program.command("join").argument("<name>", "what the cluster is called from now on"))
    .summary("make a cluster a member of the control plane")
    .description(
      "Creates a service account in the cluster with the rights that sending and watching workloads take, stores its token in the control plane and registers the cluster.",
    );
  addClusterKubeconfigFlags(command, "how to reach the cluster that joins, as its administrator")
    .option("--cluster-namespace <name>", "namespace of the account and of the secrets", clusterNamespace)
    .option("--cluster-provider <name>", "provider of the cluster, for policies to select by")
    .option("--cluster-region <name>", "region of the cluster")
    .option("--cluster-zones <names>", "zones of the cluster, separated by commas")
    .option("--renew", "give a cluster that has joined a new token in the place of the old one", false)
    .option("--dry-run", "only say what would be written", false)
    .addOption(durationOption("--timeout <duration>", "how long to wait for the account's token", "30s"))
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla join paris --cluster-kubeconfig ~/paris.kubeconfig\n  flotilla join oslo --cluster-kubeconfig ~/.kube/config --cluster-context oslo --cluster-region north\n  flotilla join paris --cluster-kubeconfig ~/paris.kubeconfig --renew",
    )
    .action((name: string, flags: JoinFlags) => run(name, { flags, output }));
};

async function run(
  name: string,
  { flags, output }: { readonly flags: JoinFlags; readonly output: Output },
): Promise<void> {
  if (dnsLabelErrors(name).length > 0 || name.length > maxNameLength)
    throw new MisuseError(
      `cannot call a cluster ${JSON.stringify(name)}`,
      `a name has lower-case letters, digits and '-', at most ${maxNameLength}`,
    );
  if (flags.clusterKubeconfig === undefined)
    throw new MisuseError("--cluster-kubeconfig is missing", "it names the kubeconfig of the cluster that joins");
  const [{ connect }, { join }, { renew }, { systemClock }] = await Promise.all([
    import("./connect.ts"),
    import("#app/membership/join.ts"),
    import("#app/membership/renew.ts"),
    import("#app/system.ts"),
  ]);
  using controlPlane = await connect(flags);
  using member = await connectToCluster(flags.clusterKubeconfig, flags);
  const { identity, proxy, server } = member.access;
  if (identity.serverName !== undefined)
    throw new HintedError(
      "cannot join: the kubeconfig has tls-server-name, which a Cluster cannot say",
      "use an address that the cluster's certificate is good for",
    );
  const { expires } = await (flags.renew ? renew : join)(
    {
      cluster: name,
      namespace: flags.clusterNamespace,
      endpoint: server,
      identity,
      proxy,
      provider: flags.clusterProvider,
      region: flags.clusterRegion,
      zones: flags.clusterZones?.split(",").map((zone) => zone.trim()),
    },
    {
      controlPlane: controlPlane.client,
      member: member.client,
      clock: systemClock,
      timeoutMs: flags.timeout,
      dryRun: flags.dryRun,
      report: (where, { kind, metadata }) =>
        flags.dryRun &&
        output.line(
          `${where}: ${kind.toLowerCase()}/${metadata.name} ${flags.renew ? "renewed" : "created"} (dry run)`,
        ),
    },
  );
  if (expires !== undefined)
    output.note(
      `the cluster fills no token secrets; the token that it gave ends at ${expires}: before, repeat with --renew`,
    );
  if (identity.skipVerification === true)
    output.note(
      "the kubeconfig does not have the cluster's certificate checked, and neither will the control plane, if its operator allows that at all",
    );
  if (!flags.dryRun)
    output.line(flags.renew ? `cluster(${name}) has a new token` : `cluster(${name}) is joined successfully`);
}
