import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { type Kind, resourceOf } from "#api/kind.ts";
import { type Override, OverridePolicies } from "#api/policy/override-policy.ts";
import { type Policy, PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { HintedError } from "#base/hinted-error.ts";
import { isJsonObject } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import type { AccessFlags } from "../access-flags.ts";
import { connect } from "../connect.ts";
import { type Manifest, readManifests } from "../manifests.ts";
import type { LintFacts } from "./lint-policies.ts";

export interface LintSources {
  readonly files: readonly string[];
  readonly live: boolean;
  readonly flags: AccessFlags;
}

/** What is to be looked at: manifests, what the control plane has, or what it would have with the manifests. */
export async function gatherLintFacts({ files, live, flags }: LintSources): Promise<LintFacts> {
  const given = await readManifests(files);
  const present = live ? await readLive(flags) : [];
  const isReplaced = (object: Manifest) => given.some((each) => identityOf(each) === identityOf(object));
  const all = [...present.filter((each) => !isReplaced(each)), ...given];
  const of = (...kinds: readonly Kind[]) => all.filter((each) => kinds.some((kind) => isOf(each, kind)));
  const clusters = of(Clusters) as unknown as readonly Cluster[]; // read by name, with care
  return {
    policies: of(PropagationPolicies.namespaced, PropagationPolicies.cluster).map(withSpec) as unknown as Policy[], // their kinds
    overrides: of(OverridePolicies.namespaced, OverridePolicies.cluster).map(withSpec) as unknown as Override[], // their kinds
    clusters: live || clusters.length > 0 ? clusters : undefined,
  };
}

async function readLive(flags: AccessFlags): Promise<readonly Manifest[]> {
  using connection = await connect(flags);
  const { client } = connection;
  const { namespaced, cluster } = PropagationPolicies;
  const kinds = [namespaced, cluster, OverridePolicies.namespaced, OverridePolicies.cluster, Clusters];
  return (await Promise.all(kinds.map((kind) => listAll(client, kind)))).flat();
}

async function listAll(client: Client, kind: Kind): Promise<readonly Manifest[]> {
  const { items } = await client.list(resourceOf(kind));
  const apiVersion = `${kind.group}/${kind.version}`;
  return items.map((item) => ({ ...item, apiVersion, kind: kind.kind }));
}

function isOf({ apiVersion, kind }: Manifest, { group, version, kind: own }: Kind): boolean {
  return kind === own && apiVersion === `${group}/${version}`;
}

/** A namespaced policy without a namespace is about the default one, as `kubectl apply` would have it. */
function withSpec(object: Manifest): Manifest {
  const isNamespaced = [PropagationPolicies.namespaced, OverridePolicies.namespaced].some((kind) => isOf(object, kind));
  expectSelectors(object);
  const metadata = isNamespaced ? { namespace: "default", ...object.metadata } : object.metadata;
  return { ...object, metadata, spec: { ...(object["spec"] as object | undefined) } };
}

/** What is not even shaped like a policy is the server's to refuse, with better words. */
function expectSelectors({ kind, metadata, ...object }: Manifest): void {
  const spec = object["spec"] ?? {};
  const lists = isJsonObject(spec) ? [spec["resourceSelectors"] ?? [], spec["excludeResourceSelectors"] ?? []] : [null];
  const isSelector = (each: unknown) =>
    isJsonObject(each) && typeof each["apiVersion"] === "string" && typeof each["kind"] === "string";
  if (lists.every((list) => Array.isArray(list) && list.every(isSelector))) return;
  throw new HintedError(
    `cannot read ${kind} ${metadata.name}: its selectors are not as the kind has them`,
    "try 'kubectl apply --dry-run=server' on it first",
  );
}

function identityOf({ apiVersion, kind, metadata }: Manifest): string {
  return `${apiVersion} ${kind} ${metadata.namespace ?? ""}/${metadata.name}`;
}
