import { HintedError } from "#base/hinted-error.ts";
import type { ServedResource } from "#client/discovery.ts";
import { MisuseError } from "../command.ts";

/**
 * The resource that a word means, as kubectl reads it: its plural, singular or short name or its kind, alone or with its group
 * (`deployments.apps`) or version and group (`deployments.v1.apps`). What the server names first comes first.
 */
export function findResource(word: string, served: readonly ServedResource[]): ServedResource {
  const [name, ...rest] = word.toLowerCase().split(".");
  const suffix = rest.join(".");
  const named = served.filter((each) => namesOf(each).includes(name!));
  const found =
    suffix === ""
      ? named[0]
      : named.find(
          ({ group, version }) => group === suffix || `${version}.${group}` === suffix || suffix === `${version}.`,
        );
  if (found !== undefined) return found;
  throw new HintedError(`cannot find a kind ${JSON.stringify(word)} on the server`, hint(name!, served));
}

/** `KIND/NAME` taken apart; or `KIND NAME`, two words, as kubectl takes them, too. */
export function readObjectWord(word: string, second?: string): { readonly kind: string; readonly name: string } {
  const [kind, name, ...more] = [...word.split("/"), ...(second === undefined ? [] : [second])];
  if (kind && name && !name.includes("/") && more.length === 0) return { kind, name };
  const typed = second === undefined ? word : `${word} ${second}`;
  throw new MisuseError(`cannot read ${JSON.stringify(typed)}`, "write KIND/NAME, for example deployment/web");
}

function namesOf({ resource, kind, singular, shortNames = [] }: ServedResource): readonly string[] {
  return [resource, kind.toLowerCase(), ...(singular === undefined ? [] : [singular]), ...shortNames];
}

function hint(name: string, served: readonly ServedResource[]): string {
  const near = served.find((each) => namesOf(each).some((known) => isNear(known, name)));
  return near === undefined ? "see 'kubectl api-resources'" : `did you mean ${near.resource}?`;
}

/** Whether two words differ by one slip: a letter more, less, other, or two exchanged. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 3) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (
    Math.max(left.length, right.length) <= 1 || (left.length === 2 && left[0] === right[1] && left[1] === right[0])
  );
}
