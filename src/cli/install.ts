import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import { type AddCommand, MisuseError, type Output } from "./command.ts";
import { durationOption } from "./durations.ts";
import { addOutputFlag } from "./print/print-objects.ts";

interface InstallFlags extends AccessFlags {
  readonly dryRun: boolean;
  readonly output?: "yaml" | "json" | "name";
  readonly webhook: boolean;
  readonly webhookUrl?: string;
  readonly adopt: boolean;
  readonly timeout: number;
}

/** `flotilla install`: makes an API server a control plane. */
export const addInstall: AddCommand = (program, output) => {
  addOutputFlag(addAccessFlags(program.command("install")), ["yaml", "json", "name"])
    .summary("install our kinds, rights and webhook configurations on a Kubernetes API server")
    .description(
      "Writes our kinds, namespaces, service accounts with their rights, and the configurations of the webhook. What is as it should be is not written again. Afterwards run 'flotilla controllers' and 'flotilla webhook'.",
    )
    .option("--dry-run", "write nothing; with -o yaml print what would be written", false)
    .option("--webhook-url <url>", "where the webhook is, when not behind its Service in the cluster", readUrl)
    .option(
      "--no-webhook",
      "leave the webhook's configurations out: policies are then neither judged nor completed beyond their schemas",
    )
    .option("--adopt", "take over our kinds where somebody else has installed them", false)
    .addOption(durationOption("--timeout <duration>", "how long to wait for our kinds to be served", "1m"))
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla install\n  flotilla install --dry-run -o yaml | kubectl diff -f -\n  flotilla install --webhook-url https://admission.example.com:8443",
    )
    .action((flags: InstallFlags) => run(flags, output));
};

async function run(flags: InstallFlags, output: Output): Promise<void> {
  const options = { webhook: flags.webhook, url: flags.webhookUrl };
  if (flags.dryRun) {
    const { installedObjects } = await import("#app/installation/installed-objects.ts");
    const { printDocuments } = await import("./print/print-documents.ts");
    return printDocuments(output, installedObjects(options), flags.output ?? "name");
  }
  if (flags.output !== undefined && flags.output !== "name")
    throw new MisuseError(`-o ${flags.output} goes with --dry-run`, "add --dry-run to print what would be written");
  const [{ connect }, { install }, { systemClock }] = await Promise.all([
    import("./connect.ts"),
    import("#app/installation/install.ts"),
    import("#app/system.ts"),
  ]);
  using connection = await connect(flags);
  const written = await install(options, {
    client: connection.client,
    clock: systemClock,
    timeoutMs: flags.timeout,
    adopt: flags.adopt,
    report: ({ object, outcome }) => output.line(`${object.kind.toLowerCase()}/${object.metadata.name} ${outcome}`),
  });
  output.note(written === 0 ? "nothing to do: everything is installed" : `${written} objects written`);
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" && url.search === "" && url.hash === "" && url.username === "") return text;
  throw new MisuseError(`cannot use ${JSON.stringify(text)} as the webhook's address`, "write https://host:port");
}
