import { addAccessFlags, type NamespacedFlags } from "../access-flags.ts";
import { type AddCommand, ExitCode, MisuseError } from "../command.ts";
import { addPlaceFlags, membersHelp, readGetFlags } from "./get.ts";

interface DescribeFlags extends NamespacedFlags {
  readonly clusters?: string;
  readonly operationScope?: string;
}

/** `flotilla describe`: everything about one object, in the control plane and in members. */
export const addDescribe: AddCommand = (program, output) => {
  addPlaceFlags(
    addAccessFlags(
      program
        .command("describe")
        .summary("show one object of the control plane and of members in detail")
        .argument("<kind>", "kind of the object, or KIND/NAME")
        .argument("[name]", "its name"),
      { namespaced: true },
    ),
  )
    .description(
      "Shows one object with its conditions, its fields and the events about it, in each cluster that has it.",
    )
    .addHelpText(
      "after",
      `${membersHelp}

Examples:
  flotilla describe deployment/web -n shop
  flotilla describe deployment web -n shop --operation-scope all`,
    )
    .action(async (kind: string, name: string | undefined, flags: DescribeFlags) => {
      const request = readGetFlags(kind, name, flags);
      if (request.name === undefined)
        throw new MisuseError("cannot describe all of a kind", "write KIND/NAME; 'flotilla get' shows many");
      const { runDescribe } = await import("./run-describe.ts");
      if (!(await runDescribe({ ...request, name: request.name }, { flags, output }))) throw new ExitCode(1);
    });
};
