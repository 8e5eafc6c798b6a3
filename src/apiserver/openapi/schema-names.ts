import { isJsonObject } from "#base/json.ts";
import type { PublishedSchemas } from "#schema/published-schema.ts";

export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const metaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/** Which component schema describes a kind. */
export class SchemaNames {
  readonly #byKind = new Map<string, string>();

  constructor(published: PublishedSchemas) {
    for (const [name, schema] of Object.entries(published)) {
      const marks = schema["x-kubernetes-group-version-kind"];
      // DeleteOptions and WatchEvent carry every group version; they are named by `meta`.
      if (!Array.isArray(marks) || name.startsWith(metaPrefix)) continue;
      for (const mark of marks) if (isJsonObject(mark)) this.#byKind.set(kindKey(mark), name);
    }
  }

  /** The published schema of a kind, or nothing for a kind that must bring its own. */
  published(kind: KindName): string | undefined {
    return this.#byKind.get(kindKey(kind));
  }

  /** As published, else reversed-group style as for CRDs: `io.karmada.policy.v1alpha1.PropagationPolicy`. */
  of(kind: KindName): string {
    return this.published(kind) ?? [...kind.group.split(".").reverse(), kind.version, kind.kind].join(".");
  }

  /** A schema of meta/v1: `DeleteOptions`, `Status`, `ObjectMeta`, … */
  meta(name: string): string {
    return metaPrefix + name;
  }
}

/** A reference as documents write it. */
export function reference(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function kindKey({ group, version, kind }: Readonly<Record<string, unknown>> | KindName): string {
  return `${group}/${version}/${kind}`;
}
