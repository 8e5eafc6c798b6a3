import * as s from "#schema/schema.ts";

const reasonPattern = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";
const typePattern =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

const fields = {
  type: s.string({
    doc: "What is being said: CamelCase, or with a domain in front.",
    maxLength: 316,
    pattern: typePattern,
  }),
  status: s.oneOf(["True", "False", "Unknown"], { doc: "Whether it holds." }),
  observedGeneration: s.optional(s.int64({ doc: "The metadata.generation that this was said of.", minimum: 0 })),
  lastTransitionTime: s.time({ doc: "When the status last changed." }),
};

/** metav1.Condition. */
export const Condition = s.object(
  {
    ...fields,
    reason: s.string({
      doc: "Why, in one word that programs may rely on.",
      minLength: 1,
      maxLength: 1024,
      pattern: reasonPattern,
    }),
    message: s.string({ doc: "Why, for people.", maxLength: 32768 }),
  },
  { doc: "One aspect of the state of an object." },
);
export type Condition = s.Read<typeof Condition>;

/** A condition that may come without words, as Karmada's clusters accept it. */
export const LooseCondition = s.object(
  {
    ...fields,
    reason: s.defaulted(s.string({ doc: "Why, in one word that programs may rely on.", maxLength: 1024 }), ""),
    message: s.defaulted(s.string({ doc: "Why, for people.", maxLength: 32768 }), ""),
  },
  { doc: "One aspect of the state of an object." },
);
export type LooseCondition = s.Read<typeof LooseCondition>;
