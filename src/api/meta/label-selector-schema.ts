import * as s from "#schema/schema.ts";

/** metav1.LabelSelector. */
export const LabelSelector = s.object(
  {
    matchLabels: s.optional(s.stringMap({ doc: "Labels that must be there with exactly these values." })),
    matchExpressions: s.optional(
      s.list(
        s.object(
          {
            key: s.string({ doc: "The label's key." }),
            operator: s.string({ doc: "How the label relates to the values: In, NotIn, Exists or DoesNotExist." }),
            values: s.optional(
              s.strings({
                doc: "Needed by In and NotIn, refused by Exists and DoesNotExist.",
                listType: "atomic",
              }),
            ),
          },
          { doc: "A requirement on one label." },
        ),
        { doc: "Requirements on labels; all must hold.", listType: "atomic" },
      ),
    ),
  },
  { doc: "Selects by labels. An empty selector selects everything.", atomic: true },
);
