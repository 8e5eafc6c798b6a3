import type { ObjectKey } from "#api/meta/resource-id.ts";

/** Reads what printKey printed. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
