import { readFileSync } from "node:fs";
import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { loadBuiltinKinds } from "#app/builtin-kinds.ts";

/** What questions need to know of a type. */
type SampleType = Pick<ResourceType, "group" | "version" | "plural" | "namespaced" | "schema">;

/** An object that Kubernetes accepts, with the type that serves it. */
export interface Sample {
  readonly name: string;
  readonly type: SampleType;
  readonly object: Fields;
  /** Where objects of its kind are created. */
  readonly collection: string;
}

/** Objects of every built-in kind that Kubernetes accepted when it was asked (src/builtin/fixtures), each under a name of its own. */
export function builtinSamples(root: string): readonly Sample[] {
  const text = readFileSync(`${root}/src/builtin/fixtures/kubernetes-creates.json`, "utf8");
  const { answers } = JSON.parse(text) as { readonly answers: readonly Fields[] };
  const types = loadBuiltinKinds().resources;
  return answers
    .filter(({ result }) => result !== undefined)
    .flatMap(({ name, object }, index) => {
      const type = types.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion);
      if (type === undefined) return [];
      const own =
        type.group === "apiextensions.k8s.io" || object.metadata.name !== "a" ? object.metadata.name : `s${index}`;
      const renamed = { ...withoutReach(object), metadata: { ...object.metadata, name: own } };
      return [{ name, type, object: renamed, collection: collectionOf(type) }];
    });
}

/** Webhooks that nobody calls. */
function withoutReach(object: Fields): Fields {
  if (object["webhooks"] === undefined) return object;
  return JSON.parse(JSON.stringify(object).replaceAll('"pods"', '"nothings"')) as Fields; // as it was
}

/** The path under which objects of a type are created, in the namespace default. */
export function collectionOf({ group, version, plural, namespaced }: SampleType): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? "/namespaces/default" : ""}/${plural}`;
}

function apiVersionOf({ group, version }: ResourceType): string {
  return group === "" ? version : `${group}/${version}`;
}
