import { type AddCommand, ExitCode, MisuseError } from "./command.ts";

/** Every suite of the benchmark, with what it measures; `report` runs those of docs/performance. */
export const benchSuites = {
  bars: "what is promised of a fleet in one process: arrival, restart, rest (minutes)",
  store: "writes and reads of the store",
  api: "requests to the API server, in process and over HTTPS",
  scheduling: "placements",
  propagation: "Deployments on their way to members",
  scale: "one edit, a preemption and a restart among a hundred thousand templates (minutes)",
  hold: "the memory that a hundred thousand Deployments in ten members take (half an hour)",
  plan: "plans and reasons over ten thousand templates",
  embedded: "a started fleet, measured from outside",
  sizes: "the same in fleets of up to 100,000 templates and 100 members (most of an hour)",
  outside: "any control plane, measured from outside",
  real: "kube-apiservers with the controllers, measured from outside",
  slope: "cost over the size of the fleet",
  floor: "what the machine itself takes for the same work",
} as const;

interface BenchFlags {
  readonly json: boolean;
  readonly templates?: string;
  readonly members?: string;
  readonly profile?: string;
}

/** `flotilla bench`: the benchmark behind the figures in docs/performance. */
export const addBench: AddCommand = (program) => {
  program
    .command("bench")
    .summary("measure what the README's figures say (in a checkout of the sources)")
    .description(
      "Runs the benchmark behind the figures of README and docs/performance, as 'npm run bench' does. It builds what it measures, so it needs a checkout of the sources, and a machine with nothing else to do.",
    )
    .argument("[suites...]", "suites by name; none: the short ones; 'report': all that docs/performance shows")
    .option("--json", "figures instead of tables", false)
    .option("--templates <count>", "how many Deployments are made by the measurements from outside")
    .option("--members <count|names>", "members of the fleets that are measured from outside")
    .option("--profile <dir>", "where CPU profiles and heap snapshots go")
    .addHelpText("after", helpText())
    .action(async (suites: readonly string[], flags: BenchFlags) => {
      const unknown = suites.find((name) => !Object.hasOwn(benchSuites, name) && name !== "report");
      if (unknown !== undefined)
        throw new MisuseError(
          `cannot measure ${JSON.stringify(unknown)}: there is no such suite`,
          `choose from ${Object.keys(benchSuites).join(", ")}, report`,
        );
      const { runBench } = await import("./run-bench.ts");
      const code = await runBench([...suites, ...wordsOf(flags)]);
      if (code !== 0) throw new ExitCode(code);
    });
};

function wordsOf({ json, ...named }: BenchFlags): readonly string[] {
  return [...(json ? ["--json"] : []), ...Object.entries(named).flatMap(([name, value]) => [`--${name}`, value])];
}

function helpText(): string {
  const lines = Object.entries(benchSuites).map(([name, measures]) => `  ${name.padEnd(12)} ${measures}`);
  return `\nSuites:\n${lines.join("\n")}\n\nExamples:\n  flotilla bench store api\n  flotilla bench plan --json\n  flotilla bench report`;
}
