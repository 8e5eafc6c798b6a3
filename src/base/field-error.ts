/** What is wrong with one field, in the words Kubernetes uses; only the API server turns it into a Status. */
export interface FieldError {
  /** As users write it: `spec.ports[0].name`, `metadata.labels[a/b]`. Empty for the whole object. */
  readonly path: string;
  readonly type: FieldErrorType;
  /** The offending value; shown for `invalid`, `notSupported` and `duplicate`. */
  readonly value?: unknown;
  /** For `notSupported`: the sorted, quoted list of supported values. */
  readonly detail: string;
}

export type FieldErrorType =
  | "required"
  | "invalid"
  | "notSupported"
  | "duplicate"
  | "forbidden"
  | "notFound"
  | "tooLong"
  | "tooMany"
  | "typeInvalid"
  | "internal";
