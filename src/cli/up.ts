import { relative } from "node:path";
import type { RunningFleet } from "#app/control-plane.ts";
import { boundHeapGrowth } from "#app/heap-growth.ts";
import { lineLogger, systemClock, systemRandom } from "#app/system.ts";
import type { AddCommand, Output } from "./command.ts";
import { describeGates, readFeatureGates } from "./feature-gates.ts";
import { readLevel, readPort, untilStopped } from "./long-running.ts";
import { memberNames } from "./member-names.ts";

interface UpFlags {
  readonly members: string;
  readonly data: string;
  readonly port: string;
  readonly memory: boolean;
  readonly featureGates: string;
  readonly logLevel: string;
}

/** `flotilla up`: the embedded control plane and its members, until it is told to stop. */
export const addUp: AddCommand = (program, output) => {
  program
    .command("up")
    .summary("start a control plane and simulated member clusters in this process")
    .description(
      "Starts the embedded control plane and simulated member clusters in one process and writes their kubeconfig. Ctrl-C stops it cleanly; the next start goes on where it was.",
    )
    .option("--members <count|names>", "how many members, or their names separated by commas", "3")
    .option("--data <dir>", "where everything is kept", ".flotilla")
    .option("--port <port>", "port of the control plane; members take the next ones (0: any free ports)", "6443")
    .option("--memory", "keep nothing on disk but the kubeconfig", false)
    .option("--feature-gates <gates>", "what to turn on or off, as NAME=true,NAME=false", "")
    .option("--log-level <level>", "error, info or debug", "error")
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla up\n  flotilla up --members paris,oslo --data /var/lib/flotilla\n  flotilla up --memory --port 0",
    )
    .addHelpText("after", `\nFeature gates with their defaults:\n${describeGates()}`)
    .action(async (flags: UpFlags) => {
      const gates = readFeatureGates(flags.featureGates);
      const { startFleet } = await import("#app/control-plane.ts");
      const fleet = await startFleet({
        members: memberNames(flags.members),
        directory: flags.data,
        port: readPort(flags.port),
        memory: flags.memory,
        pipeline: { gates },
        clock: systemClock,
        random: systemRandom,
        log: lineLogger((line) => process.stderr.write(line), readLevel(flags.logLevel)),
      });
      boundHeapGrowth(systemClock); // not before: what a start reads back is no garbage, and looking for some would only take time
      announce(output, fleet);
      await untilStopped();
      output.line("stopping…");
      await fleet[Symbol.asyncDispose]();
      output.line("stopped");
    });
};

function announce(output: Output, { controlPlane, members, kubeconfig }: RunningFleet): void {
  const shown = relative(process.cwd(), kubeconfig).startsWith("..") ? kubeconfig : relative(process.cwd(), kubeconfig);
  output.line(`control plane  ${controlPlane.url}`);
  for (const { name, url } of members) output.line(`member         ${url}  ${name}`);
  output.line(`kubeconfig     ${shown}`);
  output.line("");
  output.line("Try, in another terminal:");
  output.line(`  export KUBECONFIG=${shown}`);
  output.line("  kubectl get clusters");
  output.line("  kubectl create deployment web --image=nginx --replicas=2");
  output.line(
    members[0] === undefined ? "  kubectl get deployments --watch" : `  kubectl --context ${members[0].name} get nodes`,
  );
  output.line("");
  output.line("ready");
}
