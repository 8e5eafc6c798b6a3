import { expect, test } from "vitest";
import { type Candidate, whyNotToFollow } from "./may-follow.ts";

const web = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
const zone = { apiVersion: "example.io/v1", kind: "Zone", name: "north" };
const secret = (more: Partial<Candidate> = {}): Candidate => ({
  apiVersion: "v1",
  kind: "Secret",
  namespace: "shop",
  name: "token",
  ...more,
});
const configMap = (more: Partial<Candidate> = {}): Candidate => ({ ...secret(), kind: "ConfigMap", ...more });

test.each<[string, Candidate, string | undefined]>([
  ["a ConfigMap of its namespace may", configMap(), undefined],
  ["a Secret of its namespace may", secret({ secretType: "Opaque" }), undefined],
  ["so may one of Helm's", secret({ secretType: "helm.sh/release.v1" }), undefined],
  ["a ConfigMap of another namespace", configMap({ namespace: "b" }), "it is not in the namespace of its referrer"],
  ["a Secret of another namespace", secret({ namespace: "b" }), "it is not in the namespace of its referrer"],
  ["what has no namespace", { ...zone }, "it is not in the namespace of its referrer"],
  ["a cluster's credentials", secret({ namespace: "karmada-cluster" }), "its namespace is the system's own"],
  ["an execution namespace's", configMap({ namespace: "karmada-es-m1" }), "its namespace is the system's own"],
  ["kube-system's", secret({ namespace: "kube-system" }), "its namespace is the system's own"],
  [
    "a service account's token",
    secret({ secretType: "kubernetes.io/service-account-token" }),
    "it is a credential of this control plane",
  ],
  [
    "a bootstrap token",
    secret({ secretType: "bootstrap.kubernetes.io/token" }),
    "it is a credential of this control plane",
  ],
  [
    "the default ServiceAccount",
    { ...secret(), kind: "ServiceAccount", name: "default" },
    "every namespace has one of its own",
  ],
  ["the root certificate", configMap({ name: "kube-root-ca.crt" }), "every namespace has one of its own"],
  ["itself", web, "nothing follows itself"],
])("%s", (_, candidate, expected) => {
  expect(whyNotToFollow(candidate, { namespace: "shop", template: web })).toBe(expected);
});

test.each<[string, Candidate, string | undefined]>([
  ["another cluster-scoped object may", { ...zone, name: "south" }, undefined],
  ["a ConfigMap of any namespace may", configMap(), undefined],
  ["no Secret ever", secret(), "a Secret follows only what is in its own namespace"],
  ["not the system's own", configMap({ namespace: "karmada-system" }), "its namespace is the system's own"],
  [
    "not the system's own namespaces",
    { apiVersion: "v1", kind: "Namespace", name: "karmada-cluster" },
    "its namespace is the system's own",
  ],
])("what follows a cluster-scoped object: %s", (_, candidate, expected) => {
  expect(whyNotToFollow(candidate, { template: zone })).toBe(expected);
});
