import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { clientErrors, reviewVersionErrors } from "../admissionregistration/webhook-rules.ts";
import { isMissing } from "../value-rules.ts";

/** What is wrong with how objects get from one version of a definition to another. */
export function conversionErrors({ conversion, preserveUnknownFields }: Fields, path: string): FieldError[] {
  const { strategy, webhook } = (conversion ?? {}) as Fields; // decoded as such
  const errors: FieldError[] = [];
  if (strategy !== "None" && preserveUnknownFields === true)
    errors.push(
      invalid(`${path}.strategy`, namedText(strategy ?? ""), "must be None if spec.preserveUnknownFields is true"),
    );
  if (isMissing(strategy)) errors.push(required(`${path}.strategy`));
  else if (strategy !== "None" && strategy !== "Webhook")
    errors.push(notSupported(`${path}.strategy`, namedText(strategy), ["None", "Webhook"]));
  return [
    ...errors,
    ...(strategy === "Webhook" ? webhookErrors(webhook ?? {}, path) : strayErrors(webhook ?? {}, path)),
  ];
}

function webhookErrors({ clientConfig, conversionReviewVersions }: Fields, path: string): FieldError[] {
  const versions: readonly string[] = conversionReviewVersions ?? [];
  const at = `${path}.conversionReviewVersions`;
  return [
    ...(clientConfig == null
      ? [required(`${path}.webhookClientConfig`, "required when strategy is set to Webhook")]
      : clientErrors(clientConfig, `${path}.webhookClientConfig`)),
    ...(versions.length === 0 ? [required(at)] : reviewVersionErrors(versions, at)),
  ];
}

function strayErrors({ clientConfig, conversionReviewVersions }: Fields, path: string): FieldError[] {
  const detail = "should not be set when strategy is not set to Webhook";
  return [
    ...(clientConfig == null ? [] : [forbidden(`${path}.webhookClientConfig`, detail)]),
    ...((conversionReviewVersions ?? []).length === 0 ? [] : [forbidden(`${path}.conversionReviewVersions`, detail)]),
  ];
}
