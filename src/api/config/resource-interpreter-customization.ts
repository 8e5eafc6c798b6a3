import { ageColumn, defineKind, type ReadKind } from "#api/kind.ts";
import * as s from "#schema/schema.ts";

function script(does: string, entry: string): s.OptionalField<{ readonly luaScript: string }> {
  return s.optional(
    s.object(
      { luaScript: s.string({ doc: `Lua with the function ${entry}.` }) },
      { doc: `${does} Unset means the built-in way.` },
    ),
  );
}

export const ResourceInterpreterCustomizations = defineKind({
  group: "config.karmada.io",
  version: "v1alpha1",
  kind: "ResourceInterpreterCustomization",
  plural: "resourceinterpretercustomizations",
  shortNames: ["ric"],
  categories: ["karmada-io"],
  namespaced: false,
  doc: "Tells in Lua what a kind means: its replicas, health, status and dependencies.",
  spec: s.object(
    {
      target: s.object(
        {
          apiVersion: s.string({ doc: "The API version of the kind." }),
          kind: s.string({ doc: "The kind." }),
        },
        { doc: "The kind that is described." },
      ),
      customizations: s.object(
        {
          retention: script("What of the member's object is kept.", "Retain(desiredObj, observedObj)"),
          replicaResource: script("How many replicas there are and what one needs.", "GetReplicas(obj)"),
          componentResource: script("The kinds of pods of a workload that has several.", "GetComponents(obj)"),
          replicaRevision: script("How a number of replicas is written.", "ReviseReplica(obj, desiredReplica)"),
          statusReflection: script("What of the member's status is collected.", "ReflectStatus(observedObj)"),
          statusAggregation: script("How statuses become one.", "AggregateStatus(desiredObj, statusItems)"),
          healthInterpretation: script("Whether an object is healthy.", "InterpretHealth(observedObj)"),
          dependencyInterpretation: script("What an object refers to.", "GetDependencies(desiredObj)"),
        },
        { doc: "The scripts." },
      ),
    },
    { doc: "A kind, and what it means." },
  ),
  columns: [
    { name: "TARGET-API-VERSION", type: "string", jsonPath: ".spec.target.apiVersion" },
    { name: "TARGET-KIND", type: "string", jsonPath: ".spec.target.kind" },
    ageColumn,
  ],
});
export type ResourceInterpreterCustomization = ReadKind<typeof ResourceInterpreterCustomizations>;
