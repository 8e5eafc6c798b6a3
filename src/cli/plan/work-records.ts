import { createHash } from "node:crypto";
import { clusterOfExecutionNamespace } from "#api/cluster/namespaces.ts";
import { resourceOf } from "#api/kind.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { appliedCondition } from "#api/work/condition-reasons.ts";
import { type Work, Works } from "#api/work/work.ts";
import { stringifyJson } from "#base/json.ts";
import type { Client } from "#client/client.ts";

/** What one work says at one moment. */
export interface WorkRecord {
  /** The same for the same manifest. */
  readonly content: string;
  readonly isHeld: boolean;
  /** Why the member has not got it; undefined when it has, or when nobody tried. */
  readonly refusal: string | undefined;
}

/** By `Kind namespace/name in cluster`, as plans name copies. */
export type WorkRecords = ReadonlyMap<string, WorkRecord>;

/** Writes down what is sent where now. */
export async function recordWorks(client: Client): Promise<WorkRecords> {
  const { items } = await client.list(resourceOf(Works));
  return new Map((items as unknown as readonly Work[]).flatMap(recordOf)); // of this kind
}

/** How a copy of a template in a cluster is named. */
export function copyName(
  { kind, namespace, name }: { readonly kind: string; readonly namespace?: string | undefined; readonly name: string },
  cluster: string,
): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name} in ${cluster}`;
}

function recordOf({ metadata, spec, status }: Work): readonly (readonly [string, WorkRecord])[] {
  const cluster = clusterOfExecutionNamespace(metadata.namespace ?? "");
  const [manifest] = (spec.workload?.manifests ?? []) as readonly Fields[]; // one whole manifest each
  if (cluster === undefined || manifest === undefined || metadata.deletionTimestamp !== undefined) return [];
  const applied = status?.conditions?.find(({ type }) => type === appliedCondition.type);
  const record = {
    content: createHash("sha256").update(stringifyJson(spec.workload)).digest("base64"),
    isHeld: spec.suspendDispatching === true,
    refusal: applied?.status === "False" ? applied.message : undefined,
  };
  return [[copyName({ kind: manifest["kind"], ...manifest["metadata"] }, cluster), record]];
}
