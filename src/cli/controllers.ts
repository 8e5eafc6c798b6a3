import { systemNamespace } from "#api/cluster/namespaces.ts";
import type { ReplicaNeeds } from "#app/controllers-replica.ts";
import { type LogLevel, lineLogger, systemClock, systemRandom } from "#app/system.ts";
import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import { type AddCommand, MisuseError, type Output } from "./command.ts";
import { durationOption } from "./durations.ts";
import { describeGates, readFeatureGates } from "./feature-gates.ts";
import { readBindAddress, readLevel, untilStopped } from "./long-running.ts";

interface ControllersFlags extends AccessFlags {
  readonly leaderElect: string | boolean;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectResourceNamespace: string;
  readonly leaderElectResourceName: string;
  readonly clusterStatusUpdateFrequency: number;
  readonly clusterFailureThreshold: number;
  readonly clusterSuccessThreshold: number;
  readonly gracefulEvictionTimeout: number;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly allowLoopbackMembers: boolean;
  readonly allowInsecureMembers: boolean;
  readonly featureGates: string;
  readonly logLevel: LogLevel;
}

/** `flotilla controllers`: every controller, against any API server on which Flotilla is installed, until it is told to stop. */
export const addControllers: AddCommand = (program, output) => {
  addAccessFlags(program.command("controllers"))
    .summary("run the controllers against a Kubernetes API server")
    .description(
      "Runs every controller against the API server that the kubeconfig or the pod's service account names. Of several replicas one works; the others take over when it ends. 'flotilla install' comes before.",
    )
    .option("--leader-elect [boolean]", "elect one of several replicas by a Lease", "true")
    .addOption(
      durationOption(
        "--leader-elect-lease-duration <duration>",
        "how long others wait for a leader that does not renew",
        "15s",
      ),
    )
    .addOption(
      durationOption(
        "--leader-elect-renew-deadline <duration>",
        "how long a leader goes on without having renewed",
        "10s",
      ),
    )
    .addOption(durationOption("--leader-elect-retry-period <duration>", "how often a leader renews", "2s"))
    .option("--leader-elect-resource-namespace <name>", "namespace of the Lease", systemNamespace)
    .option("--leader-elect-resource-name <name>", "name of the Lease", "flotilla-controllers")
    .addOption(
      durationOption("--cluster-status-update-frequency <duration>", "how often members are asked how they are", "10s"),
    )
    .addOption(
      durationOption(
        "--cluster-failure-threshold <duration>",
        "how long a member may fail before it counts as not ready",
        "30s",
      ),
    )
    .addOption(
      durationOption(
        "--cluster-success-threshold <duration>",
        "how long a member must be well before it counts as ready again",
        "0s",
      ),
    )
    .addOption(
      durationOption(
        "--graceful-eviction-timeout <duration>",
        "how long a copy waits for its replacement elsewhere",
        "10m",
      ),
    )
    .option("--metrics-bind-address <address>", "where /metrics is answered; 0: nowhere", ":8080")
    .option(
      "--health-probe-bind-address <address>",
      "where /healthz, /livez and /readyz are answered; 0: nowhere",
      ":10357",
    )
    .option("--allow-loopback-members", "let members be on this very machine: for trials", false)
    .option("--allow-insecure-members", "let members say insecureSkipTLSVerification", false)
    .option("--feature-gates <gates>", "what to turn on or off, as NAME=true,NAME=false", "")
    .option("--log-level <level>", "error, info or debug", readLevel, "info")
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla controllers --kubeconfig control-plane.kubeconfig\n  flotilla controllers --leader-elect=false --metrics-bind-address 127.0.0.1:8080",
    )
    .addHelpText("after", `\nFeature gates with their defaults:\n${describeGates()}`)
    .action((flags: ControllersFlags) => run(flags, output));
};

async function run(flags: ControllersFlags, output: Output): Promise<void> {
  const addresses = [flags.metricsBindAddress, flags.healthProbeBindAddress].map(readBindAddress);
  const [{ findAccess }, { ControllersReplica }, { fleetMetrics }, { servePages }, { boundHeapGrowth, replicaHeap }] =
    await Promise.all([
      import("./connect.ts"),
      import("#app/controllers-replica.ts"),
      import("#app/fleet-metrics.ts"),
      import("#app/controllers-pages.ts"),
      import("#app/heap-growth.ts"),
    ]);
  boundHeapGrowth(systemClock, replicaHeap);
  const metrics = fleetMetrics();
  const stopped = untilStopped();
  await using replica = await ControllersReplica.start({
    ...needsOf(flags),
    readAccess: () => findAccess(flags, { mayRunPlugins: false }),
    metrics,
  });
  await using pages = await servePages({ replica, metrics, metricsAt: addresses[0], healthAt: addresses[1] });
  for (const { what, port } of pages.listening) output.line(`${what} port ${port}`);
  output.line("running");
  await stopped;
  output.line("stopping…");
}

function needsOf(flags: ControllersFlags): Omit<ReplicaNeeds, "readAccess" | "metrics"> {
  return {
    election: electionOf(flags),
    rules: {
      allowLoopback: flags.allowLoopbackMembers,
      allowInsecureTls: flags.allowInsecureMembers,
    },
    options: {
      gates: readFeatureGates(flags.featureGates),
      clusterStatusPeriodMs: flags.clusterStatusUpdateFrequency,
      clusterFailureThresholdMs: flags.clusterFailureThreshold,
      clusterSuccessThresholdMs: flags.clusterSuccessThreshold,
      gracefulEvictionTimeoutMs: flags.gracefulEvictionTimeout,
    },
    clock: systemClock,
    random: systemRandom,
    log: lineLogger((line) => process.stderr.write(line), flags.logLevel),
  };
}

function electionOf(flags: ControllersFlags): ReplicaNeeds["election"] {
  if (flags.leaderElect === false || flags.leaderElect === "false") return undefined;
  if (flags.leaderElect !== true && flags.leaderElect !== "true")
    throw new MisuseError(`cannot read --leader-elect=${flags.leaderElect}`, "write true or false");
  const times = {
    durationMs: flags.leaderElectLeaseDuration,
    renewDeadlineMs: flags.leaderElectRenewDeadline,
    retryMs: flags.leaderElectRetryPeriod,
  };
  if (times.durationMs <= times.renewDeadlineMs || times.renewDeadlineMs <= times.retryMs || times.retryMs < 100)
    throw new MisuseError(
      "cannot elect a leader with these times",
      "the lease duration must be longer than the renew deadline, and that longer than the retry period",
    );
  return { times, lease: { namespace: flags.leaderElectResourceNamespace, name: flags.leaderElectResourceName } };
}
