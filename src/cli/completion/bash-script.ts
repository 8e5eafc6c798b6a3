import { type CommandWords, spellings } from "./command-words.ts";

/** A script that completes commands, flags, formats and files in bash. */
export function bashScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  return `# bash completion for flotilla: source <(flotilla completion bash)
_flotilla() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ "\${COMP_WORDS[i]}" != -* ]]; then
      command="\${COMP_WORDS[i]}"
      break
    fi
  done
  case "$command:$prev" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$command" in
    "") words="${names} --help --version" ;;
${commands.map(({ name, flags }) => `    ${name}) words="${flags.flatMap(spellings).join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _flotilla flotilla
`;
}

function valueCases({ name, flags }: CommandWords): readonly string[] {
  return flags.flatMap((flag) => {
    const { value } = flag;
    if (value === "none") return [];
    const asked = spellings(flag).map((each) => `${name}:${each}`);
    const answer = value === "file" ? "-f" : value === "any" ? "-W ''" : `-W '${value.join(" ")}'`;
    return [`    ${asked.join("|")}) COMPREPLY=($(compgen ${answer} -- "$cur")); return ;;`];
  });
}
