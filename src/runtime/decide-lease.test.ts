import { describe, expect, test } from "vitest";
import { decideLease, type Lease, type LeaseFacts, type LeaseSpec, releasedLease } from "./decide-lease.ts";

const now = "2026-11-15T15:00:00.000000Z";
const nowMs = Date.parse(now);
const before = "2026-11-15T14:00:00.000000Z";

function lease(spec: LeaseSpec): Lease {
  const metadata = { name: "l", namespace: "n", uid: "u", resourceVersion: "1", creationTimestamp: before };
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
}

function decide(facts: Partial<LeaseFacts>) {
  return decideLease({ lease: undefined, unchangedMs: 0, identity: "me", durationMs: 15_000, nowMs, ...facts });
}

const theirs: LeaseSpec = {
  holderIdentity: "them",
  leaseDurationSeconds: 15,
  acquireTime: before,
  renewTime: before,
  leaseTransitions: 3,
};
const mine = { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: now };

describe("a lease", () => {
  const rows: readonly [string, Partial<LeaseFacts>, object][] = [
    ["is created where there is none", {}, { act: "create", spec: { ...mine, acquireTime: now, leaseTransitions: 0 } }],
    [
      "is renewed by its holder, who goes on since when it was",
      { lease: lease({ ...theirs, holderIdentity: "me" }) },
      { act: "update", spec: { ...mine, acquireTime: before, leaseTransitions: 3 } },
    ],
    [
      "is left to a holder who has been heard of, whatever the time stamps say",
      { lease: lease(theirs), unchangedMs: 14_999 },
      { act: "wait", forMs: 1 },
    ],
    [
      "is taken from a holder who has not been heard of for its duration",
      { lease: lease(theirs), unchangedMs: 15_000 },
      { act: "update", spec: { ...mine, acquireTime: now, leaseTransitions: 4 } },
    ],
    [
      "lasts as long as its holder promised, not as we would",
      { lease: lease({ ...theirs, leaseDurationSeconds: 60 }), unchangedMs: 15_000 },
      { act: "wait", forMs: 45_000 },
    ],
    [
      "is taken at once when it was released",
      { lease: lease(releasedLease(lease(theirs), nowMs)) },
      { act: "update", spec: { ...mine, acquireTime: now, leaseTransitions: 4 } },
    ],
    [
      "without a spec is free",
      { lease: lease({}) },
      { act: "update", spec: { ...mine, acquireTime: now, leaseTransitions: 1 } },
    ],
  ];
  for (const [title, facts, decision] of rows) test(title, () => expect(decide(facts)).toEqual(decision));
});
