import type { CelType } from "./cel-operators.ts";

const text = "string";
const texts = "list(string)";
const textMap = "map(string, string)";
const time: CelType = undefined; // what can be done with times is not known here

/** The structs that stand for a request and its namespace in expressions, with the types of their fields. */
export const requestStructs: Readonly<Record<string, Readonly<Record<string, CelType>>>> = {
  "kubernetes.GroupVersionKind": { group: text, version: text, kind: text },
  "kubernetes.GroupVersionResource": { group: text, version: text, resource: text },
  "kubernetes.UserInfo": { username: text, uid: text, groups: texts, extra: "map(string, list(string))" },
  "kubernetes.AdmissionRequest": {
    kind: "kubernetes.GroupVersionKind",
    resource: "kubernetes.GroupVersionResource",
    subResource: text,
    requestKind: "kubernetes.GroupVersionKind",
    requestResource: "kubernetes.GroupVersionResource",
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: "kubernetes.UserInfo",
    dryRun: "bool",
    options: "dyn",
  },
  "kubernetes.Namespace": {
    metadata: "kubernetes.NamespaceMetadata",
    spec: "kubernetes.NamespaceSpec",
    status: "kubernetes.NamespaceStatus",
  },
  "kubernetes.NamespaceSpec": { finalizers: texts },
  "kubernetes.NamespaceStatus": { conditions: "list(kubernetes.NamespaceCondition)", phase: text },
  "kubernetes.NamespaceCondition": { status: text, type: text, lastTransitionTime: time, message: text, reason: text },
  "kubernetes.NamespaceMetadata": {
    name: text,
    generateName: text,
    namespace: text,
    labels: textMap,
    annotations: textMap,
    UID: text,
    creationTimestamp: time,
    deletionGracePeriodSeconds: "int",
    deletionTimestamp: time,
    generation: "int",
    resourceVersion: text,
    finalizers: texts,
  },
};
