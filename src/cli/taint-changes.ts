import type { Taint } from "#api/core/taint.ts";
import { labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import { HintedError } from "#base/hinted-error.ts";
import { jsonEquals } from "#base/json.ts";
import { MisuseError } from "./command.ts";

/** What to do to the taints of a cluster. */
export interface TaintChanges {
  readonly add: readonly Taint[];
  /** Without an effect: all of that key. */
  readonly remove: readonly { readonly key: string; readonly effect?: string }[];
  /** Whether a taint with the same key and effect may get another value. */
  readonly overwrite: boolean;
}

const effects: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Reads `key=value:Effect`, `key:Effect`, `key:Effect-` and `key-`, as kubectl taint does. */
export function readTaintChanges(texts: readonly string[], overwrite: boolean): TaintChanges {
  const add: Taint[] = [];
  const remove: TaintChanges["remove"][number][] = [];
  for (const text of texts) {
    const isRemoval = text.endsWith("-");
    const { key, value, effect } = parts(isRemoval ? text.slice(0, -1) : text, text);
    if (isRemoval) remove.push({ key, ...(effect !== undefined && { effect }) });
    else if (effect === undefined) throw unreadable(text);
    else add.push({ key, ...(value !== undefined && { value }), effect });
  }
  const twice = add.find((taint, at) => add.findIndex((other) => isSame(taint, other)) !== at);
  if (twice !== undefined)
    throw new MisuseError(`cannot add taint ${twice.key}:${twice.effect} twice`, "give each key and effect once");
  const both = remove.find((each) => add.some((taint) => isMeant(taint, each)));
  if (both !== undefined)
    throw new MisuseError(`cannot both add and remove taint ${both.key}`, "do one after the other");
  return { add, remove, overwrite };
}

/** The taints afterwards, in their order, new ones last. Undefined when nothing changes. */
export function taintsAfter(
  taints: readonly Taint[],
  { add, remove, overwrite }: TaintChanges,
): readonly Taint[] | undefined {
  const missing = remove.find((each) => !taints.some((taint) => isMeant(taint, each)));
  if (missing !== undefined)
    throw new HintedError(`there is no taint ${named(missing)}`, "list them with kubectl get cluster -o yaml");
  const differs = (taint: Taint) =>
    taints.some((old) => isSame(old, taint) && (old.value ?? "") !== (taint.value ?? ""));
  const clash = add.find(differs);
  if (clash !== undefined && !overwrite)
    throw new HintedError(`there is a taint ${named(clash)} already, with another value`, "change it with --overwrite");
  const kept = taints.filter((taint) => !remove.some((each) => isMeant(taint, each)));
  const changed = kept.map((taint) => add.find((each) => isSame(each, taint) && differs(each)) ?? taint);
  const next = [...changed, ...add.filter((taint) => !kept.some((old) => isSame(old, taint)))];
  return jsonEquals(next, taints) ? undefined : next;
}

function parts(text: string, whole: string): { key: string; value: string | undefined; effect: string | undefined } {
  const [, key = "", value, effect] = /^([^=:]+)(?:=([^:]*))?(?::([A-Za-z]+))?$/.exec(text) ?? [];
  if (key === "" || (effect !== undefined && !effects.includes(effect))) throw unreadable(whole);
  if (qualifiedNameErrors(key).length > 0 || (value !== undefined && labelValueErrors(value).length > 0))
    throw unreadable(whole);
  return { key, value, effect };
}

function unreadable(text: string): MisuseError {
  const hint = `write key=value:Effect to add, key:Effect- or key- to remove; effects are ${effects.join(", ")}`;
  return new MisuseError(`cannot read taint ${JSON.stringify(text)}`, hint);
}

function isSame(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

function isMeant(taint: Taint, { key, effect }: { readonly key: string; readonly effect?: string }): boolean {
  return taint.key === key && (effect === undefined || taint.effect === effect);
}

function named({ key, effect }: { readonly key: string; readonly effect?: string }): string {
  return effect === undefined ? key : `${key}:${effect}`;
}
