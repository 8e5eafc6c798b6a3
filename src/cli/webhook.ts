import { type AccessFlags, addAccessFlags } from "./access-flags.ts";
import { type AddCommand, MisuseError, type Output } from "./command.ts";
import { controllerGates, readGivenGates } from "./feature-gates.ts";
import { readLevel, readPort, untilStopped } from "./long-running.ts";

interface WebhookFlags extends AccessFlags {
  readonly bindAddress: string;
  readonly securePort: number;
  readonly certNames?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly featureGates: string;
  readonly logLevel: ReturnType<typeof readLevel>;
}

/** `flotilla webhook`: admission for an API server, until it is told to stop. */
export const addWebhook: AddCommand = (program, output) => {
  addAccessFlags(program.command("webhook"))
    .summary("judge and complete what users write to a Kubernetes API server (after 'flotilla install')")
    .description(
      "Serves the admission webhook over TLS. It makes its certificate itself, shares it with its other replicas in a secret and replaces it in time, unless it is given files. Any number of replicas may run.",
    )
    .option("--bind-address <address>", "where to listen", "0.0.0.0")
    .option("--secure-port <port>", "port to listen on (0: any free one)", readPort, 8443)
    .option(
      "--cert-names <names>",
      "names and addresses by which API servers reach it, separated by commas (default: those of its Service)",
    )
    .option("--tls-cert-file <file>", "certificate that somebody else keeps; it is read again when it changes")
    .option("--tls-private-key-file <file>", "its private key")
    .addOption(controllerGates().default("", "as these have published them"))
    .option("--log-level <level>", "error, info or debug", readLevel, "info")
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla webhook\n  flotilla webhook --secure-port 9443 --cert-names admission.example.com\n  flotilla webhook --tls-cert-file tls.crt --tls-private-key-file tls.key",
    )
    .action((flags: WebhookFlags) => run(flags, output));
};

async function run(flags: WebhookFlags, output: Output): Promise<void> {
  const [{ findAccess }, { startWebhook }, { serviceNames }, { lineLogger, systemClock, systemRandom }] =
    await Promise.all([
      import("./connect.ts"),
      import("#app/webhook/start-webhook.ts"),
      import("#app/installation/names.ts"),
      import("#app/system.ts"),
    ]);
  const certificate = certificateOf(flags, serviceNames);
  const stopping = new AbortController();
  const stopped = untilStopped().then(() => stopping.abort());
  const start = {
    readAccess: () => findAccess(flags, { mayRunPlugins: false }),
    host: flags.bindAddress,
    port: flags.securePort,
    certificate,
    gates: readGivenGates(flags.featureGates),
    clock: systemClock,
    random: systemRandom,
    log: lineLogger((line) => process.stderr.write(line), flags.logLevel),
  };
  const webhook = await startWebhook(start, stopping.signal).catch((error: unknown) => {
    if (stopping.signal.aborted) return undefined; // told to stop before it had begun
    throw error;
  });
  if (webhook === undefined) return;
  output.line(`webhook        https://${flags.bindAddress}:${webhook.port}`);
  output.line("ready");
  await stopped;
  output.line("stopping…");
  await webhook[Symbol.asyncDispose]();
}

function certificateOf({ tlsCertFile, tlsPrivateKeyFile, certNames }: WebhookFlags, names: readonly string[]) {
  if (
    (tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined) ||
    (tlsCertFile !== undefined && certNames !== undefined)
  )
    throw new MisuseError(
      "--tls-cert-file and --tls-private-key-file go together, and not with --cert-names",
      "give both files, or none to have a certificate made",
    );
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined)
    return { certificateFile: tlsCertFile, privateKeyFile: tlsPrivateKeyFile };
  return { names: certNames === undefined ? names : certNames.split(",").map((each) => each.trim()) };
}
