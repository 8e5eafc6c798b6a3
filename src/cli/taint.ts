import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import { type AddCommand, MisuseError } from "./command.ts";

interface TaintFlags extends AccessFlags {
  readonly overwrite: boolean;
  readonly dryRun: boolean;
}

/** `flotilla taint clusters NAME… TAINT…`, as kubectl taints nodes. */
export const addTaint: AddCommand = (program, output) => {
  addAccessFlags(
    program
      .command("taint")
      .summary("change the taints of clusters")
      .argument("<kind>", "clusters")
      .argument("<names-and-taints...>", "names of clusters, then key=value:Effect, key:Effect, key:Effect- or key-"),
  )
    .description("Adds taints to clusters, or takes them away. A trailing '-' takes away.")
    .option("--overwrite", "allow taints to get another value", false)
    .option("--dry-run", "only say what would happen", false)
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla taint clusters member1 dedicated=web:NoSchedule\n  flotilla taint clusters member1 dedicated:NoSchedule-\n  flotilla taint clusters member1 member2 dedicated-",
    )
    .action(async (kind: string, words: readonly string[], flags: TaintFlags) => {
      const { names, taints } = split(kind, words);
      const { readTaintChanges, taintsAfter } = await import("./taint-changes.ts");
      const changes = readTaintChanges(taints, flags.overwrite);
      const [{ connect }, { changeCluster }] = await Promise.all([
        import("./connect.ts"),
        import("./change-cluster.ts"),
      ]);
      using connection = await connect(flags);
      for (const name of names) {
        const changed = await changeCluster(connection.client, {
          name,
          change: ({ taints: present = [] }) => {
            const next = taintsAfter(present, changes);
            return next && { taints: next };
          },
          dryRun: flags.dryRun,
        });
        const done = changes.add.length > 0 ? "tainted" : "untainted";
        output.line(`cluster/${name} ${changed ? done : "unchanged"}${flags.dryRun ? " (dry run)" : ""}`);
      }
    });
};

function split(kind: string, words: readonly string[]) {
  if (!["cluster", "clusters", "clusters.cluster.karmada.io"].includes(kind))
    throw new MisuseError(
      `cannot taint ${JSON.stringify(kind)}`,
      "write: flotilla taint clusters NAME KEY=VALUE:EFFECT",
    );
  const first = words.findIndex((word) => /[=:]|-$/.test(word));
  const names = words.slice(0, Math.max(first, 0));
  if (names.length > 0) return { names, taints: words.slice(first) };
  throw new MisuseError(
    "cannot taint: names of clusters and taints are needed",
    "flotilla taint clusters NAME KEY=VALUE:EFFECT",
  );
}
