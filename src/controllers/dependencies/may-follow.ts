import { isSkippedNamespace } from "#controllers/detector/propagatable.ts";

/** What of an object decides whether it may follow a workload. */
export interface Candidate {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** The `type` of a Secret, once it is known. */
  readonly secretType?: string | undefined;
}

/** The workload that it would follow. */
export interface Referrer {
  /** The namespace of its binding, which is what rights are given for; absent for cluster-scoped ones. */
  readonly namespace?: string | undefined;
  readonly template: Candidate;
}

interface Rule {
  readonly because: string;
  readonly forbids: (candidate: Candidate, referrer: Referrer) => boolean;
}

const credentialTypes: ReadonlySet<string> = new Set([
  "kubernetes.io/service-account-token",
  "bootstrap.kubernetes.io/token",
]);

/** In the order in which they are told. */
const rules: readonly Rule[] = [
  { because: "nothing follows itself", forbids: (candidate, { template }) => isSame(candidate, template) },
  {
    because: "its namespace is the system's own",
    forbids: ({ kind, namespace, name }) => isSkippedNamespace(kind === "Namespace" ? name : namespace),
  },
  {
    because: "it is not in the namespace of its referrer",
    forbids: ({ namespace }, referrer) => referrer.namespace !== undefined && namespace !== referrer.namespace,
  },
  {
    because: "a Secret follows only what is in its own namespace",
    forbids: (candidate, { namespace }) => isSecret(candidate) && candidate.namespace !== namespace,
  },
  {
    because: "every namespace has one of its own",
    forbids: ({ apiVersion, kind, name }) =>
      apiVersion === "v1" &&
      ((kind === "ServiceAccount" && name === "default") || (kind === "ConfigMap" && name === "kube-root-ca.crt")),
  },
  {
    because: "it is a credential of this control plane",
    forbids: (candidate) => isSecret(candidate) && credentialTypes.has(candidate.secretType ?? ""),
  },
];

/** Why an object must not follow a workload; undefined when it may. Holds whatever a pod spec, a script or an annotation names. */
export function whyNotToFollow(candidate: Candidate, referrer: Referrer): string | undefined {
  return rules.find(({ forbids }) => forbids(candidate, referrer))?.because;
}

function isSecret({ apiVersion, kind }: Candidate): boolean {
  return apiVersion === "v1" && kind === "Secret";
}

function isSame(a: Candidate, b: Candidate): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}
