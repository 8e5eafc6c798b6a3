import { type AccessFlags, addAccessFlags } from "../access-flags.ts";
import { type AddCommand, ExitCode, MisuseError, type Output } from "../command.ts";
import { readFeatureGates } from "../feature-gates.ts";
import { addOutputFlag, printDocument } from "../print/print-objects.ts";
import type { Finding } from "./finding.ts";

interface LintFlags extends AccessFlags {
  readonly filename?: readonly string[];
  readonly live: boolean;
  readonly featureGates: string;
  readonly strict: boolean;
  readonly output?: "json" | "yaml";
}

/** `flotilla lint`: what is wrong with policies before anybody applies them. */
export const addLint: AddCommand = (program, output) => {
  addOutputFlag(addAccessFlags(program.command("lint").summary("find policies that cannot do what they say")), [
    "json",
    "yaml",
  ])
    .description(
      "Finds policies that can never match, that another always comes before, that only their names tell apart, that contradict " +
        "each other, or that no cluster satisfies; and overrides that change nothing.",
    )
    .option("-f, --filename <file...>", "manifests: files, folders, or - for standard input")
    .option(
      "--live",
      "the policies of the control plane, and the clusters that have joined; with -f, as if it were applied",
      false,
    )
    .option("--feature-gates <list>", "gates of the control plane that matter here: StaticPolicy=true", "")
    .option("--strict", "fail on warnings, too", false)
    .addHelpText(
      "after",
      `
Without --live nothing is asked of any server; placements are then not compared with clusters.

Exit codes: 0 nothing is wrong, 1 there are errors (with --strict also: warnings), 2 misuse.

Examples:
  flotilla lint -f policies/
  flotilla lint --live
  flotilla lint -f new-policy.yaml --live --strict`,
    )
    .action(async (flags: LintFlags) => {
      const { filename = [], live, strict, output: format } = flags;
      if (filename.length === 0 && !live)
        throw new MisuseError("cannot lint nothing", "give manifests with -f, or --live");
      const allStatic = readFeatureGates(flags.featureGates).StaticPolicy;
      const [{ gatherLintFacts }, { lintPolicies }] = await Promise.all([
        import("./gather-lint-facts.ts"),
        import("./lint-policies.ts"),
      ]);
      const findings = lintPolicies({ ...(await gatherLintFacts({ files: filename, live, flags })), allStatic });
      if (format === undefined) printFindings(findings, output);
      else await printDocument(output, { findings }, format);
      const failing = findings.filter(({ severity }) => severity === "error" || strict);
      if (failing.length > 0) throw new ExitCode(1);
    });
};

function printFindings(findings: readonly Finding[], { line, paint }: Output): void {
  for (const { code, severity, where, why, advice } of findings) {
    const painted = severity === "error" ? paint.red("error") : paint.yellow("warning");
    line(`${painted} ${code}  ${paint.bold(where)}`);
    line(`  ${why}`);
    line(`  ${paint.dim(advice)}`);
  }
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  line(findings.length === 0 ? "nothing is wrong" : `${errors} errors, ${warnings} warnings`);
}
