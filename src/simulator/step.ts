import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { jsonEquals } from "#base/json.ts";
import type { NewObject } from "#client/client.ts";
import type { SimulatedObject } from "./simulated-object.ts";

/** One write to a member. All controllers share the vocabulary, so that one small function carries out every plan. */
export type Step =
  | { readonly do: "create"; readonly resource: ResourceId; readonly object: NewObject }
  /** Replaces everything but the status, unless somebody was faster. */
  | { readonly do: "update"; readonly resource: ResourceId; readonly object: ApiObject }
  /** Replaces the status, unless somebody was faster. */
  | { readonly do: "writeStatus"; readonly resource: ResourceId; readonly object: ApiObject; readonly status: Fields }
  /** Merges into the object whatever else became of it meanwhile. */
  | { readonly do: "patch"; readonly resource: ResourceId; readonly object: ApiObject; readonly patch: Fields }
  | {
      readonly do: "delete";
      readonly resource: ResourceId;
      readonly object: ApiObject;
      readonly because: string;
      readonly graceSeconds?: number;
    }
  | { readonly do: "bind"; readonly pod: ApiObject; readonly node: string }
  /** Steps that do not depend on each other. */
  | { readonly do: "together"; readonly steps: readonly Step[] };

/** The write that brings a status up to date: none when it is. */
export function statusSteps(resource: ResourceId, object: SimulatedObject, status: Fields): readonly Step[] {
  return jsonEquals(object.status ?? {}, status) ? [] : [{ do: "writeStatus", resource, object, status }];
}

/** Many steps as one; none as none. */
export function together(steps: readonly Step[]): readonly Step[] {
  return steps.length > 1 ? [{ do: "together", steps }] : steps;
}
