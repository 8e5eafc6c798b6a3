import { type AddCommand, MisuseError } from "../command.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `flotilla completion SHELL`: a script for the shell. */
export const addCompletion: AddCommand = (program, output) => {
  program
    .command("completion")
    .summary("print a script that completes commands and flags in a shell")
    .argument("<shell>", shells.join(", "))
    .addHelpText(
      "after",
      "\nAs a plugin nothing is to be done: kubectl's own completion asks kubectl_complete-flotilla, which is installed along.\n" +
        "\nExamples:\n  source <(flotilla completion bash)\n  source <(flotilla completion zsh)\n  flotilla completion fish | source",
    )
    .action(async (shell: string) => {
      const { commandWords } = await import("./command-words.ts");
      const words = commandWords(program);
      switch (shell) {
        case "bash":
          return output.line((await import("./bash-script.ts")).bashScript(words).trimEnd());
        case "zsh":
          return output.line((await import("./zsh-script.ts")).zshScript(words).trimEnd());
        case "fish":
          return output.line((await import("./fish-script.ts")).fishScript(words).trimEnd());
        default:
          throw new MisuseError(`cannot complete in ${JSON.stringify(shell)}`, `the shells are ${shells.join(", ")}`);
      }
    });
};
