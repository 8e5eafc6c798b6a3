import * as s from "#schema/schema.ts";

/** core/v1 NodeSelectorRequirement. */
export const NodeSelectorRequirement = s.object(
  {
    key: s.string({ doc: "The key that the requirement is about." }),
    operator: s.string({ doc: "How key and values relate: In, NotIn, Exists, DoesNotExist, Gt or Lt." }),
    values: s.optional(
      s.strings({
        doc: "Needed by In and NotIn, one integer for Gt and Lt, empty for Exists and DoesNotExist.",
        listType: "atomic",
      }),
    ),
  },
  { doc: "A requirement on one key." },
);
export type NodeSelectorRequirement = s.Read<typeof NodeSelectorRequirement>;

/** core/v1 NodeSelector. */
export const NodeSelector = s.object(
  {
    nodeSelectorTerms: s.list(
      s.object(
        {
          matchExpressions: s.optional(
            s.list(NodeSelectorRequirement, { doc: "Requirements on a node's labels.", listType: "atomic" }),
          ),
          matchFields: s.optional(
            s.list(NodeSelectorRequirement, { doc: "Requirements on a node's fields.", listType: "atomic" }),
          ),
        },
        { doc: "Requirements that must all hold. An empty term matches no node.", atomic: true },
      ),
      { doc: "Terms of which at least one must match.", listType: "atomic" },
    ),
  },
  { doc: "Selects nodes.", atomic: true },
);
export type NodeSelector = s.Read<typeof NodeSelector>;
