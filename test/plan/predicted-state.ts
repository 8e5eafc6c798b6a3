import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { isJsonObject } from "#base/json.ts";
import { covers } from "#controllers/execution/compare-objects.ts";
import type { Outcome } from "#plan/outcome.ts";
import { differences } from "#test/world/masked-state.ts";
import type { World } from "#test/world/world.ts";
import { settleEvictions } from "./settled-evictions.ts";

const planned = [
  "deployments",
  "statefulsets",
  "configmaps",
  "secrets",
  "services",
  "clusterroles",
  "propagationpolicies",
  "clusterpropagationpolicies",
  "overridepolicies",
  "clusteroverridepolicies",
  "resourcebindings",
  "clusterresourcebindings",
  "works",
  "clusters",
  "namespaces",
];
const inMembers = ["deployments", "statefulsets", "configmaps", "secrets", "services", "clusterroles", "namespaces"];

export type Objects = ReadonlyMap<string, Fields>;

/** Everything that a plan speaks of, by `cluster plural/namespace/name`; the control plane's cluster has no name. */
export function stateOf(world: World): Objects {
  const found = new Map<string, Fields>();
  for (const plural of planned) for (const object of world.list(plural)) found.set(nameOf("", plural, object), object);
  for (const { name } of world.fleet.members)
    for (const plural of inMembers)
      for (const object of world.member(name).list(plural)) found.set(nameOf(name, plural, object), object);
  return found;
}

/** Where what happened is not what a plan said, as lines for people. */
export function disagreements({ objects, members }: Outcome, before: Objects, after: Objects): readonly string[] {
  const said = new Map<string, ApiObject | undefined>([
    ...objects.map(
      ({ resource, ...each }) => [nameOf("", resource.resource, each.after ?? each.before!), each.after] as const,
    ),
    ...members.map(
      ({ cluster, resource, ...each }) =>
        [nameOf(cluster, resource.resource, each.after ?? each.before!), each.after] as const,
    ),
  ]);
  settleEvictions({ said, before, after });
  const names = new Set([...before.keys(), ...after.keys(), ...said.keys()]);
  return [...names]
    .filter((name) => !isIgnored(name))
    .flatMap((name) => {
      const expected = said.has(name) ? said.get(name) : stays(said, name) ? before.get(name) : undefined;
      const actual = after.get(name);
      if (expected === undefined || actual === undefined)
        return expected === actual
          ? []
          : [`${name}: ${expected ? "planned" : "not planned"}, ${actual ? "there" : "not there"}`];
      if (!name.startsWith(" ") && said.has(name)) {
        const [wanted, found] = [masked(expected), masked(actual)];
        return covers(found, wanted) ? [] : [`${name}: ${differences(wanted, found).slice(0, 8).join("; ")}`];
      }
      return differences(masked(expected), masked(actual))
        .slice(0, 4)
        .map((line) => `${name}: ${line}`);
    });
}

/** A namespace that goes takes along what is there and not ours: a plan does not know of it. */
function stays(said: ReadonlyMap<string, ApiObject | undefined>, name: string): boolean {
  const [cluster = "", path = ""] = name.split(" ");
  const namespace = `${cluster} namespaces//${path.split("/")[1]}`;
  return !said.has(namespace) || said.get(namespace) !== undefined;
}

function nameOf(cluster: string, plural: string, { metadata }: Fields): string {
  return `${cluster} ${plural}/${metadata.namespace ?? ""}/${metadata.name}`;
}

/** What every namespace has of its own is none of a plan's business. */
function isIgnored(name: string): boolean {
  return name.endsWith("/kube-root-ca.crt") || / serviceaccounts\//.test(name);
}

const passing: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "managedFields",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "timeAdded",
  "lastTransitionTime",
  "clusterIP",
  "clusterIPs",
  "deployment.kubernetes.io/revision",
]);
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** That nothing waits is said only where something did: whoever looks later need not say it. */
const isPending = ({ type, status }: Fields) => type === "PolicyPending" && status === "True";

/** An object without what nobody can know before, and without what members report. */
function masked({ status, ...object }: Fields): Fields {
  const pending = (status?.conditions ?? []).filter(isPending);
  const known = object.kind?.endsWith("ResourceBinding") ? { status: { conditions: pending } } : {};
  return mask({ ...object, ...known }) as Fields;
}

/** Servers drop empty maps. */
function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function mask(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(ids, "<id>");
  if (Array.isArray(value)) return value.map(mask);
  if (!isJsonObject(value as never)) return value;
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([key, each]) => !passing.has(key) && each !== undefined && !isEmpty(each))
      .map(([key, each]) => [key, mask(each)]),
  );
}
