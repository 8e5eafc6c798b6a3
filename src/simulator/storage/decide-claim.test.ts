import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { printPlan, type Sketch, sketch, statusIn } from "#test/world/simulated-objects.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { type ClaimFacts, decideClaim, decideVolume, provisioner } from "./decide-claim.ts";

const claim = (given: Sketch = {}) =>
  sketch("PersistentVolumeClaim", {
    name: "data",
    ...given,
    spec: {
      accessModes: ["ReadWriteOnce"],
      volumeMode: "Filesystem",
      resources: { requests: { storage: "5Gi" } },
      ...given.spec,
    },
    status: { phase: "Pending", ...given.status },
  });
const volume = (name: string, storage: string, given: Sketch = {}) =>
  sketch("PersistentVolume", {
    name,
    ...given,
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage },
      persistentVolumeReclaimPolicy: "Retain",
      ...given.spec,
    },
  });
const reference = (uid?: string) => ({ namespace: "default", name: "data", ...(uid === undefined ? {} : { uid }) });
const mine = (given: Sketch = {}) =>
  volume("v", "5Gi", { ...given, spec: { claimRef: reference("uid-data"), ...given.spec } });
const old: Fields = { storageClassName: "" };

const rows: Readonly<Record<string, { reason: string; given: Partial<ClaimFacts>; expect: readonly string[] }>> = {
  "a new claim": { reason: "a volume is made for it", given: {}, expect: ["create PersistentVolume pvc-uid-data"] },
  "its volume is there": {
    reason: "the claim names it",
    given: { volume: mine() },
    expect: ["update PersistentVolumeClaim data"],
  },
  "it names its volume": {
    reason: "it is bound",
    given: { claim: claim({ spec: { volumeName: "v" } }), volume: mine() },
    expect: ["status PersistentVolumeClaim data"],
  },
  "it asks for no class": {
    reason: "the smallest existing volume that is large enough",
    given: {
      claim: claim({ spec: old }),
      free: [volume("big", "20Gi"), volume("small", "1Gi"), volume("right", "6Gi")],
    },
    expect: ["update PersistentVolume right"],
  },
  "no existing volume fits": {
    reason: "it waits",
    given: { claim: claim({ spec: old }), free: [volume("small", "1Gi")] },
    expect: [],
  },
  "it names a volume that is not there": {
    reason: "it waits",
    given: { claim: claim({ spec: { volumeName: "v" } }) },
    expect: [],
  },
  "it names a free volume": {
    reason: "the volume is reserved for it",
    given: { claim: claim({ spec: { volumeName: "v" } }), volume: volume("v", "9Gi") },
    expect: ["update PersistentVolume v"],
  },
  "a volume is kept for it by name": {
    reason: "the volume learns which claim it is",
    given: { volume: mine({ spec: { claimRef: reference() } }) },
    expect: ["update PersistentVolume v"],
  },
  "its volume is another's": {
    reason: "nobody's data is given away",
    given: {
      claim: claim({ spec: { volumeName: "v" } }),
      volume: mine({ spec: { claimRef: reference("uid-other") } }),
    },
    expect: [],
  },
  "being deleted": { reason: "nothing new for what goes", given: { claim: claim({ deleted: true }) }, expect: [] },
};
for (const [name, { reason, given, expect: expected }] of Object.entries(rows)) {
  test(name, () =>
    expect(printPlan(decideClaim({ claim: claim(), volume: undefined, free: [], ...given })), reason).toEqual(expected),
  );
}

test("a bound claim has the capacity of its volume", () => {
  const plan = decideClaim({ claim: claim({ spec: { volumeName: "v" } }), volume: mine(), free: [] });
  expect(statusIn(plan)).toEqual({ phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "5Gi" } });
});

const made = { annotations: { "pv.kubernetes.io/provisioned-by": provisioner } };
const phases: Readonly<Record<string, { volume: SimulatedObject; claim?: SimulatedObject; expect: string }>> = {
  "a volume with its claim is Bound": { volume: mine(), claim: claim(), expect: "Bound" },
  "a volume without a claim is Available": { volume: volume("v", "1Gi"), expect: "Available" },
  "a volume that somebody made outlives its claim": { volume: mine(), expect: "Released" },
  "a volume of an earlier claim of the same name is not that of the new one": {
    volume: mine({ spec: { claimRef: reference("uid-before") } }),
    claim: claim(),
    expect: "Released",
  },
  "a volume that was made for a claim and is to be kept outlives it": { volume: mine(made), expect: "Released" },
};
for (const [name, { volume: given, claim: holder, expect: phase }] of Object.entries(phases)) {
  test(name, () => expect(statusIn(decideVolume(given, holder))).toEqual({ phase }));
}

test("a volume that was made for a claim goes with it", () => {
  const given = mine({ ...made, spec: { persistentVolumeReclaimPolicy: "Delete" } });
  expect(printPlan(decideVolume(given, undefined))).toEqual(["delete PersistentVolume v: its claim is gone"]);
});
