/** A kind of template that stories speak of by name alone. */
interface Part {
  readonly plural: string;
  readonly apiVersion: string;
  readonly clusterScoped?: true;
  readonly manifest: (more: { readonly replicas: number; readonly image: string }) => string;
}

/** The kinds that `Given Deployment nginx` may name, with what such a one looks like. */
export const parts: Readonly<Record<string, Part>> = {
  Deployment: {
    plural: "deployments",
    apiVersion: "apps/v1",
    manifest: ({ replicas, image }) =>
      `spec:\n  replicas: ${replicas}\n  selector: { matchLabels: { app: NAME } }\n  template:\n    metadata: { labels: { app: NAME } }\n    spec: { containers: [{ name: main, image: "${image}" }] }`,
  },
  StatefulSet: {
    plural: "statefulsets",
    apiVersion: "apps/v1",
    manifest: ({ replicas, image }) =>
      `spec:\n  replicas: ${replicas}\n  serviceName: NAME\n  selector: { matchLabels: { app: NAME } }\n  template:\n    metadata: { labels: { app: NAME } }\n    spec: { containers: [{ name: main, image: "${image}" }] }`,
  },
  PersistentVolumeClaim: {
    plural: "persistentvolumeclaims",
    apiVersion: "v1",
    manifest: () => "spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }",
  },
  ConfigMap: { plural: "configmaps", apiVersion: "v1", manifest: () => "data: { key: value }" },
  Secret: { plural: "secrets", apiVersion: "v1", manifest: () => "stringData: { key: value }" },
  Service: {
    plural: "services",
    apiVersion: "v1",
    manifest: () => "spec: { selector: { app: NAME }, ports: [{ port: 80 }] }",
  },
  Ingress: {
    plural: "ingresses",
    apiVersion: "networking.k8s.io/v1",
    manifest: () => "spec: { defaultBackend: { service: { name: NAME, port: { number: 80 } } } }",
  },
  ServiceAccount: { plural: "serviceaccounts", apiVersion: "v1", manifest: () => "" },
  ClusterRole: {
    plural: "clusterroles",
    apiVersion: "rbac.authorization.k8s.io/v1",
    clusterScoped: true,
    manifest: () => 'rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]',
  },
};

/** A thing that has been named in the story. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Who plays, by name: a story says `nginx` once it has said `Deployment nginx`. */
export class Cast {
  readonly #subjects = new Map<string, Subject>();

  add(subject: Subject): Subject {
    this.#subjects.set(nameIn(subject), subject);
    this.#subjects.set(subject.name, subject);
    this.#subjects.set(`${subject.kind} ${subject.name}`, subject);
    return subject;
  }

  knows(words: string): boolean {
    return this.#subjects.has(words);
  }

  /** `nginx`, `Deployment nginx`, or `shop/nginx`. */
  find(words: string): Subject {
    const found = this.#subjects.get(words);
    if (found === undefined) throw new Error(`the story has not said what ${JSON.stringify(words)} is`);
    return found;
  }
}

function nameIn({ namespace, name }: Subject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The path of a thing in a cluster. */
export function pathOf({ kind, namespace, name }: Subject): string {
  const { plural } = partOf(kind);
  return namespace === undefined ? `${plural}/${name}` : `${plural}/${namespace}/${name}`;
}

export function partOf(kind: string): Part {
  const part = parts[kind];
  if (part === undefined) throw new Error(`stories do not know the kind ${kind}: give a manifest instead`);
  return part;
}

/** The path of a thing's binding. */
export function bindingPathOf({ kind, namespace, name }: Subject): string {
  const bound = `${name}-${kind.toLowerCase()}`;
  return namespace === undefined ? `clusterresourcebindings/${bound}` : `resourcebindings/${namespace}/${bound}`;
}

/** A thing's manifest. */
export function manifestOf(subject: Subject, more: { readonly replicas: number; readonly image: string }): string {
  const { apiVersion, manifest } = partOf(subject.kind);
  const where = subject.namespace === undefined ? "" : `, namespace: ${subject.namespace}`;
  return `apiVersion: ${apiVersion}\nkind: ${subject.kind}\nmetadata: { name: ${subject.name}${where}, labels: { app: ${subject.name} } }\n${manifest(more).replaceAll("NAME", subject.name)}\n`;
}
