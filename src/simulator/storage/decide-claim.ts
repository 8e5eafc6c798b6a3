import { selectsLabels } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { compareBytes } from "#base/byte-order.ts";
import type { Plan } from "#base/plan.ts";
import { compareQuantities, parseQuantity } from "#base/quantity.ts";
import { memberResources } from "../member-resources.ts";
import { isBeingDeleted, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps } from "../step.ts";

export interface ClaimFacts {
  readonly claim: SimulatedObject;
  /** The volume that the claim names or that names the claim. */
  readonly volume: SimulatedObject | undefined;
  /** Volumes that nobody has claimed; looked at by claims that want an existing one. */
  readonly free: readonly SimulatedObject[];
}

const { persistentVolumeClaims: claims, persistentVolumes: volumes } = memberResources;
export const provisioner = "simulator.flotilla.io/provisioner";

/** A claim is bound to a volume that is made for it, or, when it asks for no class, to one that is there. */
export function decideClaim({ claim, volume, free }: ClaimFacts): Plan<Step> {
  if (isBeingDeleted(claim)) return { steps: [] };
  if (volume === undefined) return { steps: claim.spec["volumeName"] ? [] : provision(claim, free) };
  if (volume.spec["claimRef"]?.uid !== claim.metadata.uid) {
    const asked = volume.spec["claimRef"] === undefined || volume.spec["claimRef"].uid === undefined;
    return { steps: asked ? [reserve(claim, volume)] : [] };
  }
  if (claim.spec["volumeName"] !== volume.metadata.name) return { steps: [bind(claim, volume)] };
  const status = {
    ...claim.status,
    phase: "Bound",
    accessModes: volume.spec["accessModes"],
    capacity: volume.spec["capacity"],
  };
  return { steps: statusSteps(claims, claim, status) };
}

/** A volume is bound, free, or left over; one that was made for a claim goes with it. */
export function decideVolume(volume: SimulatedObject, claim: SimulatedObject | undefined): Plan<Step> {
  if (isBeingDeleted(volume)) return { steps: [] };
  const reference = volume.spec["claimRef"];
  const held = claim !== undefined && claim.metadata.uid === reference?.uid;
  const made = volume.metadata.annotations?.["pv.kubernetes.io/provisioned-by"] === provisioner;
  if (reference?.uid !== undefined && !held && made && volume.spec["persistentVolumeReclaimPolicy"] === "Delete") {
    return { steps: [{ do: "delete", resource: volumes, object: volume, because: "its claim is gone" }] };
  }
  const phase = held ? "Bound" : reference?.uid === undefined ? "Available" : "Released";
  const before: Fields = volume.status ?? {};
  return { steps: before["phase"] === phase ? [] : statusSteps(volumes, volume, { ...before, phase }) };
}

function provision(claim: SimulatedObject, free: readonly SimulatedObject[]): readonly Step[] {
  const { storageClassName: storageClass, selector } = claim.spec;
  if (storageClass !== "" && selector == null) return [{ do: "create", resource: volumes, object: newVolume(claim) }];
  const fitting = free.filter((volume) => fits(claim, volume)).toSorted(smallestFirst);
  return fitting[0] === undefined ? [] : [reserve(claim, fitting[0])];
}

function newVolume(claim: SimulatedObject) {
  const { accessModes, resources, storageClassName, volumeMode } = claim.spec;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: `pvc-${claim.metadata.uid}`,
      annotations: { "pv.kubernetes.io/provisioned-by": provisioner },
    },
    spec: {
      accessModes,
      capacity: { storage: resources.requests.storage },
      claimRef: referenceTo(claim),
      persistentVolumeReclaimPolicy: "Delete",
      ...(storageClassName === undefined ? {} : { storageClassName }),
      volumeMode,
      hostPath: { path: `/simulated/${claim.metadata.namespace}/${claim.metadata.name}` },
    },
  };
}

function reserve(claim: SimulatedObject, volume: SimulatedObject): Step {
  const spec = { ...volume.spec, claimRef: referenceTo(claim) };
  return { do: "update", resource: volumes, object: { ...volume, spec } };
}

function bind(claim: SimulatedObject, volume: SimulatedObject): Step {
  const annotations = { ...claim.metadata.annotations, "pv.kubernetes.io/bind-completed": "yes" };
  const spec = { ...claim.spec, volumeName: volume.metadata.name };
  return { do: "update", resource: claims, object: { ...claim, metadata: { ...claim.metadata, annotations }, spec } };
}

function referenceTo({ metadata }: SimulatedObject): Fields {
  const { name, namespace, uid } = metadata;
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid };
}

function fits({ spec }: SimulatedObject, volume: SimulatedObject): boolean {
  const modes: readonly string[] = spec["accessModes"] ?? [];
  const room = storageOf(volume);
  const wanted = parseQuantity(String(spec["resources"]?.requests?.storage ?? "0"));
  return (
    (volume.spec["storageClassName"] ?? "") === (spec["storageClassName"] ?? "") &&
    modes.every((mode) => volume.spec["accessModes"]?.includes(mode)) &&
    (spec["selector"] == null || selectsLabels(spec["selector"], volume.metadata.labels)) &&
    room !== undefined &&
    wanted !== undefined &&
    compareQuantities(room, wanted) >= 0
  );
}

function smallestFirst(a: SimulatedObject, b: SimulatedObject): number {
  const [left, right] = [storageOf(a), storageOf(b)];
  const bySize = left === undefined || right === undefined ? 0 : compareQuantities(left, right);
  return bySize || compareBytes(a.metadata.name, b.metadata.name);
}

function storageOf({ spec }: SimulatedObject) {
  return parseQuantity(String(spec["capacity"]?.storage ?? "0"));
}
