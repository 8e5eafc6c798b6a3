import { HintedError } from "#base/hinted-error.ts";
import { addAccessFlags, type NamespacedFlags } from "../access-flags.ts";
import type { AddCommand } from "../command.ts";
import { controllerGates } from "../feature-gates.ts";
import { readObjectWord } from "../kinds/find-resource.ts";
import { addOutputFlag, printDocument } from "../print/print-objects.ts";

interface WhyFlags extends NamespacedFlags {
  readonly cluster?: string;
  readonly featureGates?: string;
  readonly output?: "json" | "yaml";
}

/** `flotilla why KIND/NAME`: the chain of decisions behind one resource. */
export const addWhy: AddCommand = (program, output) => {
  const command = program
    .command("why")
    .summary("explain why a resource is where it is, and why not elsewhere")
    .argument("<kind>", "kind of the resource, or KIND/NAME")
    .argument("[name]", "its name");
  addOutputFlag(addAccessFlags(command, { namespaced: true }), ["json", "yaml"])
    .description(
      "Explains the chain of decisions behind a resource: the policies that mean it and what ranks them, what acts on it, what waits, " +
        "for each cluster whether it is in or out and by what, the overrides that apply there, and how the work and the copy are.",
    )
    .option("--cluster <name>", "only this cluster, with what would have to change")
    .addOption(controllerGates())
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla why deployment/web -n shop\n  flotilla why deployment web -n shop --cluster member3",
    )
    .action(async (word: string, name: string | undefined, flags: WhyFlags) => {
      const what = readObjectWord(word, name);
      const [{ connect }, { askWhy }, { renderWhy }] = await Promise.all([
        import("../connect.ts"),
        import("./ask-plan.ts"),
        import("./render-why.ts"),
      ]);
      using connection = await connect(flags);
      const all = await askWhy({ connection, flags, output }, what);
      const { cluster, output: format } = flags;
      const clusters = all.clusters.filter(({ name }) => cluster === undefined || name === cluster);
      if (cluster !== undefined && clusters.length === 0)
        throw new HintedError(
          `cannot explain ${JSON.stringify(cluster)}: no such cluster, or nothing is placed anywhere`,
          `the clusters are ${all.clusters.map(({ name }) => name).join(", ") || "none"}`,
        );
      const explanation = { ...all, clusters };
      if (format !== undefined) return printDocument(output, explanation, format);
      for (const line of renderWhy(explanation, { paint: output.paint, remedies: cluster !== undefined }))
        output.line(line);
    });
};
