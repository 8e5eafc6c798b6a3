import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { BindingStatus } from "#api/work/resource-binding.ts";
import type { TemplateDemand } from "#controllers/detector/decide-binding.ts";
import type { ManifestInterpreter } from "#controllers/execution/execution-controller.ts";
import { retainMetadata } from "#controllers/execution/retain-metadata.ts";
import {
  aggregateStatus,
  interpretHealth,
  interpretReplicas,
  reflectStatus,
  retainFields,
} from "#interpreter/interpret-natively.ts";

/** What the native kinds mean, in the form in which the controllers ask. */
export interface Interpreter extends ManifestInterpreter {
  demandOf(template: ApiObject): TemplateDemand;
  aggregateTemplate(
    template: ApiObject,
    items: NonNullable<BindingStatus["aggregatedStatus"]>,
    now: string,
  ): Fields | undefined;
}

const manifestOf = (object: ApiObject | Fields) => object as unknown as Manifest; // an object with its identity

export const nativeInterpreter: Interpreter = {
  demandOf(template) {
    const demand = interpretReplicas(manifestOf(template));
    if (!demand.ok) return {};
    const { replicas, requirements } = demand.value;
    return { replicas, ...(requirements === undefined ? {} : { replicaRequirements: requirements }) };
  },

  retain(desired, observed) {
    const withMetadata = retainMetadata(manifestOf(desired), observed);
    const retained = retainFields(withMetadata, manifestOf(observed));
    return (retained.ok ? retained.value : withMetadata) as Fields; // a manifest
  },

  reflectStatus(observed) {
    const reflected = reflectStatus(manifestOf(observed));
    return reflected.ok ? (reflected.value as Fields | undefined) : undefined; // plain JSON
  },

  /** A kind without a rule is well when it is there; what cannot be read is unknown. */
  health(observed) {
    const health = interpretHealth(manifestOf(observed));
    if (health.ok) return health.value ? "Healthy" : "Unhealthy";
    return health.why === "no rule" ? "Healthy" : "Unknown";
  },

  aggregateTemplate(template, items, now) {
    const aggregated = aggregateStatus(manifestOf(template), { items, now });
    return aggregated.ok ? (aggregated.value["status"] as Fields | undefined) : undefined; // plain JSON
  },
};
