import type { Fields } from "#api/meta/object-meta.ts";
import { canonicalMembers, canonicalRequirements, canonicalResourceList } from "./canonical-quantities.ts";

/** Puts every amount in a pod's spec into canonical form. */
export function canonicalPodQuantities(spec: Fields): void {
  canonicalResourceList(spec.overhead);
  canonicalRequirements(spec.resources);
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const container of spec[list] ?? []) {
      canonicalRequirements(container.resources);
      for (const variable of container.env ?? []) canonicalMembers(variable.valueFrom?.resourceFieldRef, "divisor");
    }
  }
  for (const volume of spec.volumes ?? []) {
    canonicalMembers(volume.emptyDir, "sizeLimit");
    canonicalRequirements(volume.ephemeral?.volumeClaimTemplate?.spec?.resources);
    const downward = [
      volume.downwardAPI,
      ...(volume.projected?.sources ?? []).map((source: Fields) => source.downwardAPI),
    ];
    for (const source of downward) {
      for (const item of source?.items ?? []) canonicalMembers(item.resourceFieldRef, "divisor");
    }
  }
}
