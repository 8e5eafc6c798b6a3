import { unschedulableTaint } from "#api/cluster/taint-keys.ts";
import type { Taint } from "#api/core/taint.ts";
import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import type { AddCommand } from "./command.ts";

interface CordonFlags extends AccessFlags {
  readonly dryRun: boolean;
}

/** `flotilla cordon`: nothing new is placed in a cluster. */
export const addCordon = cordonCommand("cordon");

/** `flotilla uncordon`: the cluster takes part again. */
export const addUncordon = cordonCommand("uncordon");

const words = {
  cordon: { summary: "keep new workloads away from a cluster", done: "cordoned", already: "already cordoned" },
  uncordon: {
    summary: "let workloads be placed in a cluster again",
    done: "uncordoned",
    already: "already uncordoned",
  },
} as const;

function cordonCommand(verb: "cordon" | "uncordon"): AddCommand {
  return (program, output) => {
    const { summary, done, already } = words[verb];
    addAccessFlags(program.command(verb).summary(summary).argument("<cluster>", "name of the cluster"))
      .description(`${summary[0]!.toUpperCase()}${summary.slice(1)}. What runs there stays.`)
      .option("--dry-run", "only say what would happen", false)
      .addHelpText("after", `\nExamples:\n  flotilla ${verb} member1`)
      .action(async (name: string, flags: CordonFlags) => {
        const [{ connect }, { changeCluster }] = await Promise.all([
          import("./connect.ts"),
          import("./change-cluster.ts"),
        ]);
        using connection = await connect(flags);
        const changed = await changeCluster(connection.client, {
          name,
          change: ({ taints = [] }) => cordonedTaints(taints, verb),
          dryRun: flags.dryRun,
        });
        output.line(`${name} cluster ${changed ? done : already}${flags.dryRun ? " (dry run)" : ""}`);
      });
  };
}

function cordonedTaints(
  taints: readonly Taint[],
  verb: "cordon" | "uncordon",
): { taints: readonly Taint[] } | undefined {
  const others = taints.filter(({ key, effect }) => key !== unschedulableTaint || effect !== "NoSchedule");
  const isCordoned = others.length < taints.length;
  if (isCordoned === (verb === "cordon")) return undefined;
  return { taints: verb === "cordon" ? [...taints, { key: unschedulableTaint, effect: "NoSchedule" }] : others };
}
