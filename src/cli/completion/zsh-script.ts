import type { CommandWords, FlagWords } from "./command-words.ts";

/** A script that completes commands, flags, formats and files in zsh, with what they do. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef flotilla
# zsh completion for flotilla: source <(flotilla completion zsh)
_flotilla() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${commands.map(commandCase).join("\n")}
  esac
}
compdef _flotilla flotilla
`;
}

function commandCase({ name, flags }: CommandWords): string {
  return `    ${name}) _arguments ${[...flags.map(argument), "'*::argument:_default'"].join(" ")} ;;`;
}

function argument({ long, short, description, value }: FlagWords): string {
  const text = description.replaceAll(/[[\]\\]/g, "\\$&");
  const action = value === "file" ? "_files" : value === "any" || value === "none" ? " " : `(${value.join(" ")})`;
  const follows = value === "none" ? "" : `:value:${action}`;
  const name =
    short === undefined ? quoted(`${long}[${text}]${follows}`) : `{${short},${long}}${quoted(`[${text}]${follows}`)}`;
  return name;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
