import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { formatMicroTime } from "#base/clock.ts";

export const leases: ResourceId = {
  group: "coordination.k8s.io",
  version: "v1",
  resource: "leases",
  kind: "Lease",
  namespaced: true,
};

/** The part of a Lease (coordination.k8s.io/v1) that an election writes. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export type Lease = ApiObject & { readonly spec?: LeaseSpec };

/** What is known when somebody who wants to lead looks at the lease. */
export interface LeaseFacts {
  /** As it is now; undefined: there is none. */
  readonly lease: Lease | undefined;
  /** For how long it has been seen unchanged, by our own clock: other machines' clocks say nothing. */
  readonly unchangedMs: number;
  readonly identity: string;
  readonly durationMs: number;
  readonly nowMs: number;
}

export type LeaseDecision =
  | { readonly act: "create" | "update"; readonly spec: LeaseSpec }
  /** Somebody else leads; look again when it has not changed for so long. */
  | { readonly act: "wait"; readonly forMs: number };

/** Takes a lease that is free, ours, or has not been renewed for as long as its holder promised; waits otherwise. */
export function decideLease({ lease, unchangedMs, identity, durationMs, nowMs }: LeaseFacts): LeaseDecision {
  const now = formatMicroTime(nowMs);
  const mine = { holderIdentity: identity, leaseDurationSeconds: Math.ceil(durationMs / 1_000), renewTime: now };
  if (lease === undefined) return { act: "create", spec: { ...mine, acquireTime: now, leaseTransitions: 0 } };
  const { holderIdentity = "", leaseDurationSeconds, acquireTime = now, leaseTransitions = 0 } = lease.spec ?? {};
  if (holderIdentity === identity) return { act: "update", spec: { ...lease.spec, ...mine, acquireTime } };
  const promisedMs = leaseDurationSeconds === undefined ? durationMs : leaseDurationSeconds * 1_000;
  if (holderIdentity !== "" && unchangedMs < promisedMs) return { act: "wait", forMs: promisedMs - unchangedMs };
  return { act: "update", spec: { ...mine, acquireTime: now, leaseTransitions: leaseTransitions + 1 } };
}

/** What a holder writes that steps down: whoever looks next may take it at once. */
export function releasedLease(lease: Lease, nowMs: number): LeaseSpec {
  const now = formatMicroTime(nowMs);
  return { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: now, acquireTime: now };
}
