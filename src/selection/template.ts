/** What of an object decides which policies are about it. */
export interface Template {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** An object of which only its identity and labels matter. */
export interface SelectableObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** An object as selectors see it. */
export function templateOf({ apiVersion, kind, metadata }: SelectableObject): Template {
  const { name, namespace, labels } = metadata;
  if (namespace === undefined || namespace === "")
    return labels === undefined ? { apiVersion, kind, name } : { apiVersion, kind, name, labels };
  return labels === undefined ? { apiVersion, kind, name, namespace } : { apiVersion, kind, name, namespace, labels };
}

/** One text for one template, whatever its labels. */
export function templateKey({ apiVersion, kind, namespace = "", name }: Template): string {
  return `${apiVersion} ${kind} ${namespace}/${name}`;
}
