import type { Manifest } from "#api/meta/manifest.ts";
import type { Component, ReplicaRequirements } from "#api/work/replica-requirements.ts";
import { isJsonObject, type JsonObject, jsonEquals, RawNumber } from "#base/json.ts";
import { parseQuantity } from "#base/quantity.ts";
import type { Dependency } from "#interpreter/dependencies.ts";
import type { ReplicaDemand } from "#interpreter/replicas.ts";
import { LuaError } from "./lua-error.ts";

/** Reads what a function returned; throws a LuaError that names what is wrong with it. */
export type ReadResult<T> = (results: readonly unknown[]) => T;

const maxReplicas = 2 ** 31 - 1;
const maxDependencies = 1_000;
const maxComponents = 1_000;

export const readReplicas: ReadResult<ReplicaDemand> = ([replicas, requirements]) => {
  const wanted = requirements === undefined ? null : requirements;
  return {
    replicas: count(replicas, "the number of replicas"),
    ...(wanted === null ? {} : { requirements: requirementsIn(wanted) }),
  };
};

export const readComponents: ReadResult<readonly Component[]> = ([components]) =>
  listIn(components, { what: "components", max: maxComponents }).map((component) => {
    const { name, replicas, replicaRequirements: wanted = null } = component;
    return {
      name: text(name, "the name of a component"),
      replicas: count(replicas, `the replicas of ${name}`),
      ...(wanted === null ? {} : { replicaRequirements: requirementsIn(wanted) }),
    };
  });

export const readHealth: ReadResult<boolean> = ([healthy]) => {
  if (typeof healthy !== "boolean") throw new LuaError(`the health is not a boolean: ${shown(healthy)}`);
  return healthy;
};

export const readStatus: ReadResult<JsonObject | undefined> = ([status]) => {
  if (status === undefined || status === null) return undefined;
  if (!isJsonObject(status)) throw new LuaError(`the status is not an object: ${shown(status)}`);
  return status;
};

/** Each says what it is and which one: by name or by labels. */
export const readDependencies: ReadResult<readonly Dependency[]> = ([dependencies]) =>
  listIn(dependencies ?? [], { what: "dependencies", max: maxDependencies }).map((each) => {
    const { namespace = null, name = null, labelSelector = null } = each;
    if ((name === null || name === "") && labelSelector === null)
      throw new LuaError(`a dependency has neither a name nor a labelSelector: ${shown(each)}`);
    if (labelSelector !== null && !isJsonObject(labelSelector))
      throw new LuaError(`the labelSelector of a dependency is not an object: ${shown(labelSelector)}`);
    return {
      apiVersion: text(each["apiVersion"], "the apiVersion of a dependency"),
      kind: text(each["kind"], "the kind of a dependency"),
      ...(namespace === null || namespace === ""
        ? {}
        : { namespace: text(namespace, "the namespace of a dependency") }),
      ...(name === null || name === "" ? {} : { name: text(name, "the name of a dependency") }),
      ...(labelSelector === null ? {} : { labelSelector }),
    } as Dependency; // a selector's own shape is judged by whoever compiles it
  });

/** The same object with other content: what it is and which one cannot be changed. */
export function readSameObject(original: Manifest): ReadResult<Manifest> {
  return ([object]) => {
    if (!isJsonObject(object)) throw new LuaError(`the result is not an object: ${shown(object)}`);
    const { metadata } = object;
    if (!isJsonObject(metadata)) throw new LuaError("the result has no metadata");
    const before = [original.apiVersion, original.kind, ...identity(original.metadata)];
    const after = [object["apiVersion"], object["kind"], ...identity(metadata)];
    if (!jsonEquals(before, after))
      throw new LuaError(`the result is another object: ${shown(after)} instead of ${shown(before)}`);
    return object as unknown as Manifest; // its identity is that of one
  };
}

function identity(metadata: Manifest["metadata"] | JsonObject): readonly unknown[] {
  return [metadata["name"], metadata["namespace"] ?? "", metadata["uid"] ?? ""];
}

function requirementsIn(value: unknown): ReplicaRequirements {
  if (!isJsonObject(value)) throw new LuaError(`the requirements are not an object: ${shown(value)}`);
  const { resourceRequest = null, nodeClaim = null } = value;
  if (nodeClaim !== null && !isJsonObject(nodeClaim))
    throw new LuaError(`nodeClaim is not an object: ${shown(nodeClaim)}`);
  if (resourceRequest === null) return value as unknown as ReplicaRequirements; // the API server judges the rest
  if (!isJsonObject(resourceRequest)) throw new LuaError(`resourceRequest is not an object: ${shown(resourceRequest)}`);
  for (const [resource, amount] of Object.entries(resourceRequest)) {
    const written = amount instanceof RawNumber ? amount.token : String(amount);
    if (parseQuantity(written) === undefined) throw new LuaError(`${resource} is not an amount: ${shown(amount)}`);
  }
  const request = Object.fromEntries(Object.entries(resourceRequest).map(([name, amount]) => [name, String(amount)]));
  return { ...value, resourceRequest: request } as unknown as ReplicaRequirements; // as above
}

/** A list of objects; Lua's empty table is an empty list. */
function listIn(value: unknown, { what, max }: { readonly what: string; readonly max: number }): readonly JsonObject[] {
  if (isJsonObject(value) && Object.keys(value).length === 0) return [];
  if (!Array.isArray(value)) throw new LuaError(`the ${what} are not a list: ${shown(value)}`);
  if (value.length > max) throw new LuaError(`there are ${value.length} ${what}, at most ${max} are possible`);
  return value.map((item) => {
    if (!isJsonObject(item)) throw new LuaError(`one of the ${what} is not an object: ${shown(item)}`);
    return item;
  });
}

function count(value: unknown, what: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > maxReplicas)
    throw new LuaError(`${what} is not a whole number from 0 to ${maxReplicas}: ${shown(value)}`);
  return value;
}

function text(value: unknown, what: string): string {
  if (typeof value !== "string" || value === "") throw new LuaError(`${what} is not a text: ${shown(value)}`);
  return value;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200);
}
