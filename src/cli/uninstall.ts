import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import type { AddCommand } from "./command.ts";
import { durationOption } from "./durations.ts";

interface UninstallFlags extends AccessFlags {
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly timeout: number;
}

/** `flotilla uninstall`: removes what `flotilla install` wrote. */
export const addUninstall: AddCommand = (program, output) => {
  addAccessFlags(program.command("uninstall"))
    .summary("remove what 'flotilla install' installed")
    .description(
      "Removes our kinds with all their objects, the webhook configurations, service accounts, rights and namespaces. Refuses while clusters are joined.",
    )
    .option("--dry-run", "only say what would go", false)
    .option("--force", "drop our finalizers, where no controllers run that would release them", false)
    .addOption(durationOption("--timeout <duration>", "how long to wait for each kind to be gone", "1m"))
    .addHelpText("after", "\nExamples:\n  flotilla uninstall --dry-run\n  flotilla uninstall")
    .action(async (flags: UninstallFlags) => {
      const [{ connect }, { uninstall }, { systemClock }] = await Promise.all([
        import("./connect.ts"),
        import("#app/installation/uninstall.ts"),
        import("#app/system.ts"),
      ]);
      using connection = await connect(flags);
      const gone = await uninstall({
        client: connection.client,
        clock: systemClock,
        timeoutMs: flags.timeout,
        force: flags.force,
        dryRun: flags.dryRun,
        report: ({ kind, metadata }) =>
          output.line(`${kind.toLowerCase()}/${metadata.name} deleted${flags.dryRun ? " (dry run)" : ""}`),
      });
      if (gone === 0) output.note("nothing to do: nothing is installed");
    });
};
