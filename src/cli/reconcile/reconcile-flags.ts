import { parseLabelSelector } from "#api/meta/parse-label-selector.ts";
import { MisuseError } from "../command.ts";
import { readObjectWord } from "../kinds/find-resource.ts";
import type { WaveLimit } from "./decide-wave.ts";

/** What was asked for, in the words of the user. */
export interface ReconcileRequest {
  readonly what:
    | { readonly by: "name"; readonly kind: string; readonly name: string }
    | { readonly by: "policy"; readonly scope: "namespaced" | "cluster" | "either"; readonly name: string }
    | { readonly by: "all"; readonly selector?: string };
  readonly order: readonly string[];
  readonly limit: WaveLimit;
}

export interface ChoiceFlags {
  readonly policy?: string;
  readonly selector?: string;
  readonly maxInFlight?: string;
  readonly percent?: string;
  readonly clusterOrder?: string;
}

interface ChoiceWords {
  readonly what: string | undefined;
  readonly name: string | undefined;
}

const defaultInFlight = 10;

/** Reads what the flags say; whatever contradicts itself is misuse. */
export function readReconcileFlags(words: ChoiceWords, flags: ChoiceFlags): ReconcileRequest {
  return { what: readChoice(words, flags), order: readOrder(flags.clusterOrder), limit: readLimit(flags) };
}

function readChoice({ what, name }: ChoiceWords, { policy, selector }: ChoiceFlags): ReconcileRequest["what"] {
  if (selector !== undefined) expectSelector(selector);
  const isNamed = what !== undefined && (what !== "all" || name !== undefined);
  if ([isNamed, policy !== undefined, selector !== undefined].filter(Boolean).length > 1 || (what && policy))
    throw new MisuseError("cannot combine KIND/NAME, --policy and -l", "one of them says what is meant");
  if (isNamed) return { by: "name", ...readObjectWord(what, name) };
  if (policy !== undefined) return { by: "policy", ...readPolicyWord(policy) };
  if (what === undefined && selector === undefined)
    throw new MisuseError("cannot tell what to reconcile", "write KIND/NAME, --policy NAME, -l SELECTOR or 'all'");
  return { by: "all", ...(selector !== undefined && { selector }) };
}

function expectSelector(text: string): void {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok)
    throw new MisuseError(
      `cannot read selector ${JSON.stringify(text)}: ${parsed.error}`,
      "write for example tier=front,env!=test",
    );
}

const scopes: Readonly<Record<string, "namespaced" | "cluster">> = {
  pp: "namespaced",
  propagationpolicy: "namespaced",
  cpp: "cluster",
  clusterpropagationpolicy: "cluster",
};

function readPolicyWord(word: string) {
  const [first, second, ...more] = word.split("/");
  if (first && second === undefined) return { scope: "either", name: first } as const;
  const scope = scopes[first!.toLowerCase()];
  if (scope !== undefined && second && more.length === 0) return { scope, name: second };
  throw new MisuseError(`cannot read policy ${JSON.stringify(word)}`, "write NAME, pp/NAME or cpp/NAME");
}

function readOrder(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names = text.split(",").map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined && !names.includes("")) return names;
  throw new MisuseError(`cannot read cluster order ${JSON.stringify(text)}`, "name each cluster once: member1,member2");
}

function readLimit({ maxInFlight, percent }: ChoiceFlags): WaveLimit {
  if (maxInFlight !== undefined && percent !== undefined)
    throw new MisuseError("cannot combine --max-in-flight and --percent", "one of them says how large a wave is");
  if (percent !== undefined) return { percent: wholeNumber(percent, { flag: "--percent", max: 100 }) };
  if (maxInFlight === undefined) return { atOnce: defaultInFlight };
  return { atOnce: wholeNumber(maxInFlight, { flag: "--max-in-flight", max: 1_000 }) };
}

function wholeNumber(text: string, { flag, max }: { readonly flag: string; readonly max: number }): number {
  const number = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= max) return number;
  throw new MisuseError(`cannot use ${flag} ${JSON.stringify(text)}`, `write a whole number from 1 to ${max}`);
}
