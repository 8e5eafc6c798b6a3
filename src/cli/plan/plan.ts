import { addAccessFlags, type NamespacedFlags } from "../access-flags.ts";
import { type AddCommand, ExitCode, MisuseError } from "../command.ts";
import { readDuration } from "../durations.ts";
import { controllerGates } from "../feature-gates.ts";
import { addOutputFlag, printDocument } from "../print/print-objects.ts";

interface PlanFlags extends NamespacedFlags {
  readonly filename?: readonly string[];
  readonly delete: boolean;
  readonly serverSide: boolean;
  readonly fieldManager: string;
  readonly summary: boolean;
  readonly only?: string;
  readonly live: boolean;
  readonly timeout: string;
  readonly featureGates?: string;
  readonly output?: "json" | "yaml";
}

/** The exit code when something would change. */
const changesCode = 3;

/** `flotilla plan`: what applying or deleting manifests would do, before anybody does it. */
export const addPlan: AddCommand = (program, output) => {
  const command = program.command("plan").summary("show what applying manifests would do; nothing is written");
  addOutputFlag(addAccessFlags(command, { namespaced: true }), ["json", "yaml"])
    .description(
      "Finds out what policies, overrides, workloads and clusters would do to the whole fleet if they were applied or deleted: who is " +
        "claimed by whom and why, what moves, what is created, changed and deleted in which member, which pods restart, what waits. " +
        "The running system's own decisions are taken over a snapshot of it. Nothing is written; the right to read is enough.",
    )
    .option("-f, --filename <file...>", "manifests: files, folders, or - for standard input")
    .option("--delete", "plan the deletion of these objects", false)
    .option("--server-side", "plan kubectl apply --server-side, not plain kubectl apply", false)
    .option("--field-manager <name>", "who would own the fields, with --server-side", "kubectl")
    .option("--summary", "totals and the worst effects alone", false)
    .option("--only <list>", "show only templates with these effects: moves, deletes, restarts")
    .option("--live", "then watch until it has been applied, and say whether it came out as planned", false)
    .option("--timeout <duration>", "how long --live waits", "10m")
    .addOption(controllerGates())
    .addHelpText("after", helpText)
    .action(async (flags: PlanFlags) => {
      const { filename = [], output: format } = flags;
      if (filename.length === 0) throw new MisuseError("cannot plan nothing", "give manifests with -f");
      const [{ connect }, { readManifests }, { askPlan }, { readEffects, hasEffect, renderPlan }] = await Promise.all([
        import("../connect.ts"),
        import("../manifests.ts"),
        import("./ask-plan.ts"),
        import("./render-plan.ts"),
      ]);
      const shown = readEffects(flags.only);
      const timeoutMs = readDuration(flags.timeout);
      const manifests = await readManifests(filename);
      using connection = await connect(flags);
      const again = () => askPlan({ connection, flags, output }, { manifests, ...flags });
      const { recordWorks } = await import("./work-records.ts");
      const before = flags.live ? await recordWorks(connection.client) : new Map();
      const report = await again();
      const filtered = { ...report, templates: report.templates.filter((each) => hasEffect(each, shown)) };
      if (format !== undefined) await printDocument(output, filtered, format);
      else for (const line of renderPlan(filtered, { ...output, summary: flags.summary })) output.line(line);
      const isIdle = report.totals.templates === 0;
      if (isIdle && (flags.live || report.edits.length === 0)) return;
      if (!flags.live) throw new ExitCode(changesCode);
      const { watchOutcome } = await import("./watch-outcome.ts");
      await watchOutcome(connection, { report, before, again, timeoutMs }, output);
    });
};

const helpText = `
Several manifests are planned in the order given, each at rest before the next.

A server that makes no plans, such as a kube-apiserver with 'flotilla controllers', is only read: the plan is then made here, by the same
decisions, and takes the right to list whatever policies may mean. Members are asked where there is a way to them, as by 'flotilla get'.

Exit codes: 0 nothing would change, 3 something would, be it the object of a manifest alone, 1 failed, 2 misuse. With --live: 0 as
planned, 1 otherwise.

Examples:
  flotilla plan -f policy.yaml
  flotilla plan -f team/ --summary
  kustomize build overlays/prod | flotilla plan -f - --only moves,restarts
  flotilla plan -f policy.yaml --delete -o json`;
