import { dnsLabelErrors } from "#api/meta/names.ts";
import { MisuseError } from "./command.ts";

const maxNameLength = 48;
const maxMembers = 100;

/** `3` means member1 to member3; anything else is a list of names. */
export function memberNames(text: string): readonly string[] {
  if (/^[0-9]+$/.test(text)) {
    const count = Number(text);
    if (count > maxMembers)
      throw new MisuseError(`cannot start ${count} members`, `at most ${maxMembers} fit into one process`);
    return Array.from({ length: count }, (_, index) => `member${index + 1}`);
  }
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (dnsLabelErrors(name).length === 0 && name.length <= maxNameLength && name !== "flotilla") continue;
    throw new MisuseError(
      `cannot call a member ${JSON.stringify(name)}`,
      `a name has lower-case letters, digits and '-', at most ${maxNameLength}, and is not "flotilla"`,
    );
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new MisuseError(`cannot start member ${JSON.stringify(twice)} twice`, "give every member its own name");
  return names;
}
