import { LabelSelector } from "#api/meta/label-selector-schema.ts";
import * as s from "#schema/schema.ts";

const namespaceForms =
  "In a cluster-scoped policy it may be a comma list whose items are names or {prefix}*, blanks around items trimmed; " +
  "a bare *, an empty item, * anywhere but at the end and any other pattern character are refused.";

/** Whom a selector leaves out. */
export const ResourceExclusion = s.object(
  {
    namespace: s.optional(s.string({ doc: `Resources in this namespace are left out. ${namespaceForms}` })),
    name: s.optional(s.string({ doc: "Only the resource of this name is left out." })),
  },
  { doc: "Resources that a selector would select but must not. At least one of the fields is needed." },
);
export type ResourceExclusion = s.Read<typeof ResourceExclusion>;

const fields = {
  apiVersion: s.string({ doc: "The API version of the resources." }),
  kind: s.string({ doc: "The kind of the resources." }),
  namespace: s.optional(
    s.string({
      doc: `The namespace of the resources. Empty means the policy's own namespace in a namespaced policy, and every namespace that is not reserved in a cluster-scoped one. ${namespaceForms}`,
    }),
  ),
  name: s.optional(s.string({ doc: "The name of the resource." })),
};

/** What a policy is about. */
export const ResourceSelector = s.object(
  {
    ...fields,
    labelSelector: s.optional(
      s.described(LabelSelector, "Selects resources by their labels. Ignored when name is set."),
    ),
    exclude: s.optional(
      s.described(ResourceExclusion, "Vetoes resources for this selector; another selector may still select them."),
    ),
  },
  { doc: "Selects resources by type, and by namespace, name or labels." },
);
export type ResourceSelector = s.Read<typeof ResourceSelector>;

/** What a policy is never about. */
export const ExcludeResourceSelector = s.object(fields, {
  doc: "Selects resources that the whole policy leaves out, whatever its other selectors say. At least a namespace or a name is needed.",
});
export type ExcludeResourceSelector = s.Read<typeof ExcludeResourceSelector>;
