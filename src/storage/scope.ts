/** What a list or a watch asks for: `part` is the prefix itself, a namespace in it (ends with a slash), or one key. */
export interface Scope {
  readonly prefix: string;
  readonly part: string;
}

/** The beginning of a key up to and with its second slash: `apps/deployments/` of `apps/deployments/shop/web`. */
export function prefixOf(key: string): string {
  const second = secondSlash(key);
  if (second === -1 || second === key.length - 1) {
    throw new RangeError(`cannot use key "${key}": expected <group>/<resource>/<name>`);
  }
  return key.slice(0, second + 1);
}

/** Reads a request's prefix; one without a slash at its end names a whole prefix (`apps/deployments`) or else one key. */
export function scopeOf(text: string): Scope {
  const second = secondSlash(text);
  if (second !== -1) return { prefix: text.slice(0, second + 1), part: text };
  if (!text.includes("/")) throw new RangeError(`cannot use prefix "${text}": expected <group>/<resource>/`);
  return { prefix: `${text}/`, part: `${text}/` };
}

export function isInScope(key: string, { part }: Scope): boolean {
  return part.endsWith("/") ? key.startsWith(part) : key === part;
}

function secondSlash(text: string): number {
  const first = text.indexOf("/");
  return first === -1 ? -1 : text.indexOf("/", first + 1);
}
