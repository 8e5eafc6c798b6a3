import { addAccessFlags, type NamespacedFlags } from "../access-flags.ts";
import { type AddCommand, ExitCode, type Output } from "../command.ts";
import { readDuration } from "../durations.ts";
import { controllerGates } from "../feature-gates.ts";
import { addOutputFlag } from "../print/print-objects.ts";
import { type ReconcileRequest, readReconcileFlags } from "./reconcile-flags.ts";

export interface ReconcileFlags extends NamespacedFlags {
  readonly policy?: string;
  readonly selector?: string;
  readonly maxInFlight?: string;
  readonly percent?: string;
  readonly clusterOrder?: string;
  readonly timeout: string;
  readonly plan: boolean;
  readonly featureGates?: string;
  readonly output?: "json" | "yaml";
}

/** `flotilla reconcile`: what waits for its user takes effect, in waves. */
export const addReconcile: AddCommand = (program, output) => {
  addAccessFlags(
    addOutputFlag(
      program
        .command("reconcile")
        .summary("let pending changes of static policies take effect")
        .argument("[what]", "KIND/NAME, KIND and its name, or 'all'")
        .argument("[name]", "the name, where KIND stands alone"),
      ["json", "yaml"],
    ),
    { namespaced: true },
  )
    .description(
      "Lets what is pending take effect, as an edit of each resource would: by name, by policy, by label, or all of it. " +
        "Goes in waves, waits until each is healthy, and stops when one fails. Run again, it goes on where it was.",
    )
    .option("--policy <name>", "what waits because of this policy: NAME, pp/NAME or cpp/NAME")
    .option("-l, --selector <selector>", "only resources with these labels")
    .option("--max-in-flight <count>", "how many resources change at once (default: 10)")
    .option("--percent <share>", "how many of a hundred change at once")
    .option("--cluster-order <names>", "cluster by cluster in this order: a,b,c; all others come last, together")
    .option("--timeout <duration>", "how long a wave may take", "5m")
    .option("--plan", "show what would happen, as 'flotilla plan' does, and stop there", false)
    .addOption(controllerGates())
    .addHelpText(
      "after",
      `
Without -n, 'all', -l and --policy look at every namespace.

While a change goes cluster by cluster, its resources bear the annotation policy.karmada.io/reconcile-released-on, and their
bindings say so. Copies elsewhere stay as they are until it is their turn. Without --cluster-order the command lets the rest out.

Exit codes: 0 all is there and healthy, 1 something failed or was interrupted, 2 misuse; with --plan 3 if something would change.

Examples:
  flotilla reconcile deployment/web -n shop
  flotilla reconcile --policy cpp/default --plan
  flotilla reconcile --policy cpp/default --max-in-flight 5
  flotilla reconcile all -l tier=front --percent 10
  flotilla reconcile all --cluster-order member1,member2`,
    )
    .action(async (what: string | undefined, name: string | undefined, flags: ReconcileFlags) => {
      const request = readReconcileFlags({ what, name }, flags);
      const timeoutMs = readDuration(flags.timeout);
      await reconcile(request, { flags, timeoutMs, output });
    });
};

interface Run {
  readonly flags: ReconcileFlags;
  readonly timeoutMs: number;
  readonly output: Output;
}

async function reconcile(request: ReconcileRequest, { flags, timeoutMs, output }: Run): Promise<void> {
  const [{ connect }, { runReconcile }, { interruption }] = await Promise.all([
    import("../connect.ts"),
    import("./run-reconcile.ts"),
    import("../interruption.ts"),
  ]);
  using connection = await connect(flags);
  using stop = interruption();
  const { signal } = stop;
  const isDone = await runReconcile(request, { connection, flags, timeoutMs, output, signal });
  if (!isDone) throw new ExitCode(1);
}
