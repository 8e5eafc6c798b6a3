import { deletionRefusal } from "#admission/deletion-protection.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "#apiserver/admission.ts";
import { namedKind, namedResource } from "#apiserver/core.ts";
import type { FieldError } from "#base/field-error.ts";
import { type AdmissionFamily, type AdmissionNeeds, admissionFamilies } from "./admission-families.ts";

/** What Karmada's webhooks do, in process: completes and judges the kinds of the control plane, and guards what is protected. */
export function karmadaAdmission(needs: AdmissionNeeds): AdmissionPlugin {
  const families = new Map(
    admissionFamilies(needs).flatMap((family) => family.kinds.map(({ group, kind }) => [`${group}/${kind}`, family])),
  );
  const familyOf = ({ type, subresource }: AdmissionRequest): AdmissionFamily | undefined =>
    subresource === undefined ? families.get(`${type.group}/${type.kind}`) : undefined;
  return {
    name: "karmada",
    mutate(request) {
      const { object } = request;
      if (object !== undefined) refuse(request, familyOf(request)?.mutate?.(object, request));
      return undefined;
    },
    validate(request) {
      if (request.operation === "DELETE") expectUnprotected(request);
      else refuse(request, familyOf(request)?.validate?.(request));
      return undefined;
    },
  };
}

function refuse({ type, name }: AdmissionRequest, errors: readonly FieldError[] | undefined): void {
  if (errors !== undefined && errors.length > 0) throw StatusError.invalid(namedKind(type, name), errors);
}

function expectUnprotected({ type, name, old }: AdmissionRequest): void {
  const refusal = old === undefined ? undefined : deletionRefusal(old.metadata);
  if (refusal !== undefined) throw StatusError.forbidden(namedResource(type, name), refusal);
}
