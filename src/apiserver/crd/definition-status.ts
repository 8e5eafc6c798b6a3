import { type Verdict, withConditions } from "#api/meta/with-condition.ts";
import { formatTime } from "#base/clock.ts";
import type { Definition, DefinitionCondition, DefinitionNames, DefinitionStatus } from "./definition.ts";

/**
 * The status of a definition as soon as it is written: names accepted or not, established or not. Kubernetes lets controllers find
 * out later; here a definition that was acknowledged is served, so that nobody has to wait for it.
 */
export function definitionStatus(
  definition: Definition,
  others: readonly Definition[],
  nowMs: number,
): DefinitionStatus {
  const conflict = nameConflict(definition, others);
  const established = conflict === undefined;
  const verdicts: Verdict<DefinitionCondition>[] = [
    established
      ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
      : { type: "NamesAccepted", status: "False", reason: conflict.reason, message: conflict.message },
    established
      ? {
          type: "Established",
          status: "True",
          reason: "InitialNamesAccepted",
          message: "the initial names have been accepted",
        }
      : { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" },
  ];
  const old = definition.status ?? {};
  const storage = definition.spec.versions.find((version) => version.storage)?.name;
  return {
    conditions: withConditions<DefinitionCondition>(old.conditions ?? [], verdicts, formatTime(nowMs)),
    acceptedNames: established ? definition.spec.names : (old.acceptedNames ?? { plural: "", kind: "" }),
    storedVersions: [...new Set([...(old.storedVersions ?? []), ...(storage === undefined ? [] : [storage])])],
  };
}

function nameConflict({ spec, metadata }: Definition, others: readonly Definition[]) {
  const rivals = others.filter((other) => other.spec.group === spec.group && other.metadata.name !== metadata.name);
  const taken = new Map(
    rivals.flatMap((rival) => allNames(rival.spec.names).map((name) => [name, rival.metadata.name])),
  );
  const kinds = new Set(rivals.flatMap(({ spec: { names } }) => [names.kind, names.listKind ?? `${names.kind}List`]));
  const clash = allNames(spec.names).find((name) => taken.has(name));
  if (clash !== undefined) return { reason: "PluralConflict", message: `"${clash}" is already in use` };
  const { kind, listKind = `${kind}List` } = spec.names;
  const kindClash = [kind, listKind].find((name) => kinds.has(name));
  return kindClash === undefined ? undefined : { reason: "KindConflict", message: `"${kindClash}" is already in use` };
}

function allNames({ plural, singular, shortNames = [] }: DefinitionNames): readonly string[] {
  return [plural, ...(singular === undefined ? [] : [singular]), ...shortNames];
}
