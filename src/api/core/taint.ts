import * as s from "#schema/schema.ts";

/** core/v1 Taint. */
export const Taint = s.object(
  {
    key: s.string({ doc: "The taint's key." }),
    value: s.optional(s.string({ doc: "The taint's value." })),
    effect: s.string({
      doc: "What happens to what does not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.",
    }),
    timeAdded: s.optional(s.time({ doc: "When the taint was added; set for NoExecute." })),
  },
  { doc: "Keeps away, or drives out, what does not tolerate it." },
);
export type Taint = s.Read<typeof Taint>;
