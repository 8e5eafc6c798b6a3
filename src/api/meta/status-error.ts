import { type FieldError, type FieldErrorType, fieldErrorBody, fieldErrorMessage } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";

/** Why a request failed, in Kubernetes' closed vocabulary. */
export type StatusReason =
  | "BadRequest"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Expired"
  | "Invalid"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "TooManyRequests"
  | "InternalError"
  | "ServiceUnavailable"
  | "Timeout"
  | "InsufficientStorage"
  | "";

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A resource or kind with its group, as error texts name it. */
export interface Named {
  readonly group: string;
  /** The plural resource, or for Invalid the Kind. */
  readonly resource: string;
  readonly name?: string | undefined;
}

/** The wire's own error: born in the API server or read from its answer, told apart by reason and code, never by text. */
export class StatusError extends Error {
  readonly reason: StatusReason;
  readonly code: number;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: StatusReason, message: string, details?: StatusDetails) {
    super(message);
    this.name = "StatusError";
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): Status {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: this.message,
      ...(this.reason === "" ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }

  static badRequest(message: string): StatusError {
    return new StatusError(400, "BadRequest", message);
  }

  static unauthorized(): StatusError {
    return new StatusError(401, "Unauthorized", "Unauthorized");
  }

  static forbidden(what: Named, detail: string): StatusError {
    const subject = what.name === undefined || what.name === "" ? qualified(what) : `${qualified(what)} "${what.name}"`;
    return new StatusError(403, "Forbidden", `${subject} is forbidden: ${detail}`, detailsOf(what));
  }

  static notFound(what: Named): StatusError {
    return new StatusError(
      404,
      "NotFound",
      `${qualified(what)} ${goQuote(what.name ?? "")} not found`,
      detailsOf(what),
    );
  }

  /** The path names no resource that is served. */
  static unknownResource(): StatusError {
    return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
  }

  static methodNotAllowed(): StatusError {
    const message = "the server does not allow this method on the requested resource";
    return new StatusError(405, "MethodNotAllowed", message, {});
  }

  /** The same of a custom resource, in words of its own. */
  static verbNotSupported(what: Named, verb: string): StatusError {
    const message = `${verb} is not supported on resources of kind ${goQuote(qualified(what))}`;
    return new StatusError(405, "MethodNotAllowed", message, detailsOf(what));
  }

  static alreadyExists(what: Named): StatusError {
    return new StatusError(
      409,
      "AlreadyExists",
      `${qualified(what)} ${goQuote(what.name ?? "")} already exists`,
      detailsOf(what),
    );
  }

  static conflict(what: Named, detail: string): StatusError {
    const message = `Operation cannot be fulfilled on ${qualified(what)} "${what.name ?? ""}": ${detail}`;
    return new StatusError(409, "Conflict", message, detailsOf(what));
  }

  /** `what.resource` is the Kind here, as Kubernetes has it. */
  static invalid(what: Named, errors: readonly FieldError[]): StatusError {
    const texts = [...new Set(errors.map(fieldErrorMessage))];
    const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
    return new StatusError(422, "Invalid", `${qualified(what)} ${goQuote(what.name ?? "")} is invalid: ${list}`, {
      ...detailsOf(what),
      causes: errors.map((error) => ({
        reason: causeOf[error.type],
        message: fieldErrorBody(error),
        field: error.path === "" ? "<nil>" : error.path,
      })),
    });
  }

  static expired(message: string): StatusError {
    return new StatusError(410, "Expired", message);
  }

  static tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
    return new StatusError(429, "TooManyRequests", message, { retryAfterSeconds });
  }

  static tooLarge(message: string): StatusError {
    return new StatusError(413, "RequestEntityTooLarge", message);
  }

  static internal(message: string): StatusError {
    return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
  }

  /** What exists in Kubernetes and not here: refused by name, never ignored. */
  static notSupported(what: string): StatusError {
    return StatusError.badRequest(`${what} is not supported by this server`);
  }
}

const causeOf: Readonly<Record<FieldErrorType, string>> = {
  required: "FieldValueRequired",
  invalid: "FieldValueInvalid",
  notSupported: "FieldValueNotSupported",
  duplicate: "FieldValueDuplicate",
  forbidden: "FieldValueForbidden",
  notFound: "FieldValueNotFound",
  tooLong: "FieldValueTooLong",
  tooMany: "FieldValueTooMany",
  typeInvalid: "FieldValueTypeInvalid",
  internal: "InternalError",
};

function qualified({ resource, group }: Named): string {
  return group === "" ? resource : `${resource}.${group}`;
}

function detailsOf({ name, group, resource }: Named): StatusDetails {
  return {
    ...(name === undefined || name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(resource === "" ? {} : { kind: resource }),
  };
}
