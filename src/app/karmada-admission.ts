import { deletionRefusal } from "#admission/deletion-protection.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ReviewPlugin, ReviewRequest } from "#apiserver/admission.ts";
import { namedKind, namedResource } from "#apiserver/core.ts";
import type { FieldError } from "#base/field-error.ts";
import { type AdmissionFamily, type AdmissionNeeds, admissionFamilies } from "./admission-families.ts";

/** What Karmada's webhooks do, in process or as a webhook: completes and judges the kinds of the control plane, and guards what is protected. */
export function karmadaAdmission(needs: AdmissionNeeds): ReviewPlugin {
  const families = new Map(
    admissionFamilies(needs).flatMap((family) => family.kinds.map(({ group, kind }) => [`${group}/${kind}`, family])),
  );
  const familyOf = ({ type, subresource }: ReviewRequest): AdmissionFamily | undefined =>
    subresource === undefined ? families.get(`${type.group}/${type.kind}`) : undefined;
  return {
    name: "karmada",
    mutate(request) {
      const { object } = request;
      if (object !== undefined) refuse(request, familyOf(request)?.mutate?.(object, request));
      return undefined;
    },
    validate(request) {
      if (request.operation === "DELETE") return expectUnprotected(request);
      const errors = familyOf(request)?.validate?.(request);
      if (errors instanceof Promise) return errors.then((found) => refuse(request, found));
      return refuse(request, errors);
    },
  };
}

function refuse({ type, name }: ReviewRequest, errors: readonly FieldError[] | undefined): undefined {
  if (errors !== undefined && errors.length > 0) throw StatusError.invalid(namedKind(type, name), errors);
}

function expectUnprotected({ type, name, old }: ReviewRequest): undefined {
  const refusal = old === undefined ? undefined : deletionRefusal(old.metadata);
  if (refusal !== undefined) throw StatusError.forbidden(namedResource(type, name), refusal);
}
