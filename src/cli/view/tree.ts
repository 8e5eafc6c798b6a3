import { addAccessFlags, type NamespacedFlags } from "../access-flags.ts";
import type { AddCommand } from "../command.ts";
import { readObjectWord } from "../kinds/find-resource.ts";
import { addOutputFlag, printDocument } from "../print/print-objects.ts";

interface TreeFlags extends NamespacedFlags {
  readonly output?: "json" | "yaml";
}

/** `flotilla tree KIND/NAME`: from the template to its copies in members. */
export const addTree: AddCommand = (program, output) => {
  addOutputFlag(
    addAccessFlags(
      program
        .command("tree")
        .summary("show a resource, its policy, binding, works and copies, with their health")
        .argument("<kind>", "kind of the resource, or KIND/NAME")
        .argument("[name]", "its name"),
      { namespaced: true },
    ),
    ["json", "yaml"],
  )
    .description(
      "Shows the way of a resource: the policy that claims it, its binding and where it is scheduled, the works, what the members " +
        "report of their copies, and what follows it. All of it is read from the control plane.",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  flotilla tree deployment/web -n shop\n  flotilla tree clusterrole/reader -o json",
    )
    .action(async (word: string, second: string | undefined, flags: TreeFlags) => {
      const { kind, name } = readObjectWord(word, second);
      const [{ connect }, { readTree }, { treeLines }] = await Promise.all([
        import("../connect.ts"),
        import("./read-tree.ts"),
        import("./tree-lines.ts"),
      ]);
      using connection = await connect(flags);
      const tree = await readTree(connection, { kind, name });
      if (flags.output !== undefined) return printDocument(output, tree, flags.output);
      for (const line of treeLines(tree, output.paint)) output.line(line);
    });
};
