/**
 * Lists and maps that a client sends empty are kept as if they were not there, for that is how they are printed once they are stored;
 * messages about what was sent still tell the two apart. What was empty is remembered beside the members of the object that had it,
 * where nobody meets it who does not ask.
 */
const sentEmpty = Symbol("sent empty");

type Marked = { readonly [sentEmpty]?: Readonly<Record<string, unknown>> };

/** Remembers that a member of an object was sent empty. */
export function markEmpty(holder: object, field: string, empty: object): void {
  const marks = { ...(holder as Marked)[sentEmpty], [field]: Array.isArray(empty) ? [] : {} };
  Object.defineProperty(holder, sentEmpty, { value: marks, configurable: true });
}

/** A member as it was sent. */
export function asSent(holder: object | undefined, field: string): unknown {
  const value = (holder as Record<string, unknown> | undefined)?.[field];
  return value ?? (holder as Marked | undefined)?.[sentEmpty]?.[field];
}

/** Forgets that members of an object were sent empty. */
export function forgetEmpty(holder: object, fields: readonly string[]): void {
  const marks = Object.entries((holder as Marked)[sentEmpty] ?? {}).filter(([field]) => !fields.includes(field));
  Object.defineProperty(holder, sentEmpty, { value: Object.fromEntries(marks), configurable: true });
}

/** The copy of an object, with what is remembered of it. */
export function rememberingAs<T extends object>(original: object, copy: T): T {
  const marks = (original as Marked)[sentEmpty];
  return marks === undefined ? copy : Object.defineProperty(copy, sentEmpty, { value: marks, configurable: true });
}
