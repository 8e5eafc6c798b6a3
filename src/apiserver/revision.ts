import { StatusError } from "#api/meta/status-error.ts";

/** A resourceVersion as a client sends it: undefined when absent or empty, 0 for "any"; throws for anything but digits. */
export function parseRevision(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) {
    throw StatusError.badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}
