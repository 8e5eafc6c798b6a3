/** One recorded question and its answer, as a line of a vector file has it. */
export type Vector = Answer & {
  readonly fn: string;
  /** A label for people; not unique. */
  readonly case: string;
  readonly in: Readonly<Record<string, unknown>>;
};

/** What a function answers: a result, or a failure that is part of its contract. */
export type Answer =
  | { readonly out: unknown; readonly err?: never }
  | { readonly err: string; readonly errClass?: string; readonly out?: never };

/** How our side answers one `fn`. An exception thrown by `answer` fails the vector, whatever the vector expects. */
export interface VectorFunction {
  /** `in` of the vector, read as our types: the vectors are recorded from objects that passed the schema. */
  readonly answer: (input: never) => Answer;
  /** Whether null members of `in` are dropped first, as our API server does before anyone reads an object of a typed kind. */
  readonly typedInput?: boolean;
  readonly rules?: ComparingRules;
  readonly exceptions?: readonly RulingException[];
}

/** The rules of comparing that a function needs beyond plain equality (README of the vectors, "Comparing"). */
export interface ComparingRules {
  /** Rule 3: `{}`, `[]` and null equal an absent member; with "counters" also 0. */
  readonly lenient?: "empty" | "counters";
  /** Rule 5: the time that stands for `<now>`. Without it, any time stamp in whole seconds does. */
  readonly now?: string;
  /** Rule 6: whether the text and class of a failure are compared, or only that the call fails. */
  readonly failureText?: boolean;
  /** Brings both sides into one form before they are compared: sorted lists, parsed texts. */
  readonly canonical?: (out: unknown) => unknown;
}

/** A difference that a ruling makes: expected, counted apart, and never wider than the ruling. */
export interface RulingException {
  readonly ruling: number;
  readonly explains: (vector: Vector, answer: Answer) => boolean;
}

/** The functions of one vector file, by `fn`. */
export type VectorAdapter = Readonly<Record<string, VectorFunction>>;
