import { PatchFailure } from "./patch-result.ts";

/** One step of a JSON pointer without its escapes. */
export function decodeKey(step: string): string {
  return step.includes("~") ? step.replaceAll(/~[01]/g, (code) => (code === "~1" ? "/" : "~")) : step;
}

/** The position of an existing item; a negative one counts from the end. Without `explain`, undefined where there is none. */
export function itemIndex(items: readonly unknown[], key: string): number | undefined;
export function itemIndex(items: readonly unknown[], key: string, explain: (detail: string) => string): number;
export function itemIndex(
  items: readonly unknown[],
  key: string,
  explain?: (detail: string) => string,
): number | undefined {
  const parsed = parseIndex(key);
  const index = parsed === undefined || parsed >= 0 ? parsed : parsed + items.length;
  if (index !== undefined && index >= 0 && index < items.length) return index;
  if (explain === undefined) return undefined;
  throw new PatchFailure("unprocessable", explain(parsed === undefined ? notANumber(key) : outOfRange(parsed)));
}

export interface NewItem {
  readonly items: unknown[];
  /** A position up to the length, or `-` for the end. */
  readonly key: string;
  readonly value: unknown;
  readonly explain: (detail: string) => string;
}

/** Inserts an item before a position. */
export function addItem({ items, key, value, explain }: NewItem): void {
  if (key === "-") {
    items.push(value);
    return;
  }
  const parsed = parseIndex(key);
  if (parsed === undefined) {
    throw new PatchFailure(
      "unprocessable",
      explain(`value was not a proper array index: '${key}': ${notANumber(key)}`),
    );
  }
  const index = parsed >= 0 ? parsed : parsed + items.length + 1;
  if (index < 0 || index > items.length) throw new PatchFailure("unprocessable", explain(outOfRange(parsed)));
  items.splice(index, 0, value);
}

function parseIndex(key: string): number | undefined {
  return /^[-+]?[0-9]{1,15}$/.test(key) ? Number(key) : undefined;
}

function outOfRange(index: number): string {
  return `Unable to access invalid index: ${index}: invalid index referenced`;
}

function notANumber(key: string): string {
  return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
}
