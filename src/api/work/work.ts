import { ageColumn, defineKind, type ReadKind } from "#api/kind.ts";
import { Condition } from "#api/meta/condition.ts";
import * as s from "#schema/schema.ts";

const ManifestStatus = s.object(
  {
    identifier: s.object(
      {
        ordinal: s.integer({ doc: "The manifest's place in the list; tells apart manifests that cannot be parsed." }),
        group: s.optional(s.string({ doc: "The API group of the object." })),
        version: s.string({ doc: "The API version of the object." }),
        kind: s.string({ doc: "The kind of the object." }),
        resource: s.string({ doc: "The resource of the object; left empty." }),
        namespace: s.optional(s.string({ doc: "The namespace of the object." })),
        name: s.string({ doc: "The name of the object." }),
      },
      { doc: "Which manifest is meant." },
    ),
    status: s.optional(s.rawObject({ doc: "The status of the object, as the interpreter reflects it." })),
    health: s.optional(s.oneOf(["Healthy", "Unhealthy", "Unknown"], { doc: "How the object fares." })),
  },
  { doc: "The state of one object in the member." },
);

/** What a member shall have. */
export const WorkSpec = s.object(
  {
    workload: s.optional(
      s.object(
        {
          manifests: s.optional(
            s.list(
              s.json({ doc: "An object as the member shall have it; anything else is reported when it is applied." }),
              {
                doc: "The objects. The system writes exactly one.",
              },
            ),
          ),
        },
        { doc: "What is applied in the member." },
      ),
    ),
    suspendDispatching: s.optional(
      s.boolean({ doc: "Whether changes are kept from the member. Deletion is not. Unset means no." }),
    ),
    preserveResourcesOnDeletion: s.optional(
      s.boolean({ doc: "Whether the member keeps the object when the work is deleted. Unset means no." }),
    ),
  },
  { doc: "What a member shall have." },
);
export type WorkSpec = s.Read<typeof WorkSpec>;

/** What a member has. */
export const WorkStatus = s.object(
  {
    conditions: s.optional(s.list(Condition, { doc: "Applied, and Dispatching." })),
    manifestStatuses: s.optional(s.list(ManifestStatus, { doc: "The state of each object in the member." })),
  },
  { doc: "What the member has." },
);
export type WorkStatus = s.Read<typeof WorkStatus>;

export const Works = defineKind({
  group: "work.karmada.io",
  version: "v1alpha1",
  kind: "Work",
  plural: "works",
  shortNames: ["wk"],
  categories: ["karmada-io"],
  namespaced: true,
  doc: "What one member cluster shall have; lives in the execution namespace of that cluster.",
  spec: WorkSpec,
  status: WorkStatus,
  columns: [
    { name: "WORKLOAD-KIND", type: "string", jsonPath: ".spec.workload.manifests[*].kind" },
    { name: "APPLIED", type: "string", jsonPath: '.status.conditions[?(@.type=="Applied")].status' },
    ageColumn,
  ],
});
export type Work = ReadKind<typeof Works>;
