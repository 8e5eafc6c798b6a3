import { to } from "./shop-manifests.ts";
import type { World } from "./world.ts";

/** A Deployment in the namespace shop whose pods mount ConfigMaps and Secrets. */
export function mounting(name: string, { configMaps = [], secrets = [], more = "" }: Mounts): string {
  const volumes = [
    ...configMaps.map((each) => `{ name: ${each}, configMap: { name: ${each} } }`),
    ...secrets.map((each) => `{ name: ${each}, secret: { secretName: ${each} } }`),
  ];
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop, labels: { app: ${name} } }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name}, tier: web } }
    spec:
      containers: [{ name: web, image: "nginx:1" }]
      volumes: [${volumes.join(", ")}]
      ${more}
`;
}

interface Mounts {
  readonly configMaps?: readonly string[];
  readonly secrets?: readonly string[];
  /** Further fields of the pod spec, one line. */
  readonly more?: string;
}

export function configMap(name: string, value = "1", namespace = "shop"): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: ${namespace} }
data: { value: "${value}" }
`;
}

export function secret(name: string, { type = "Opaque", namespace = "shop" } = {}): string {
  return `
apiVersion: v1
kind: Secret
metadata: { name: ${name}, namespace: ${namespace} }
type: ${type}
stringData: { value: "1" }
`;
}

export const scopes = ["PropagationPolicy", "ClusterPropagationPolicy"] as const;
export type Scope = (typeof scopes)[number];

/** A policy of either scope for one object of the namespace shop. */
export function policyFor(
  scope: Scope,
  { of, name = of, kind = "Deployment", clusters, deps = true, more = "" }: Claiming,
) {
  const home = scope === "PropagationPolicy" ? ", namespace: shop" : "";
  const apiVersion = kind === "Deployment" ? "apps/v1" : "v1";
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: ${scope}
metadata: { name: ${name}${home} }
spec:
  propagateDeps: ${deps}
  resourceSelectors: [{ apiVersion: ${apiVersion}, kind: ${kind}, namespace: shop, name: ${of} }]
  placement: ${to(...clusters)}
  ${more}
`;
}

interface Claiming {
  readonly of: string;
  readonly name?: string;
  readonly kind?: "Deployment" | "ConfigMap" | "Service";
  readonly clusters: readonly string[];
  readonly deps?: boolean;
  /** Further fields of the spec, one line. */
  readonly more?: string;
}

export function serviceAccount(name: string): string {
  return `
apiVersion: v1
kind: ServiceAccount
metadata: { name: ${name}, namespace: shop }
`;
}

export function service(name: string, selector: Readonly<Record<string, string>>): string {
  return `
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: ${JSON.stringify(selector)}, ports: [{ port: 80 }] }
`;
}

export function ingress(name: string, backend: string): string {
  return `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop }
spec: { rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: ${backend}, port: { number: 80 } } } }] } }] }
`;
}

/** Which members of a world have an object. */
export function placesOf(world: World, path: string): readonly string[] {
  return world.fleet.members.map(({ name }) => name).filter((name) => world.member(name).get(path) !== undefined);
}
