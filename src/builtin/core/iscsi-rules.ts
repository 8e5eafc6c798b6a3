import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { isMissing, requiredText } from "../value-rules.ts";

const forms: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};
const malformed = "must be valid format";

/** What is wrong with a disk of a pod that is reached by iSCSI. */
export function podIscsiErrors(source: Fields, path: string): FieldError[] {
  return iscsiErrors(source, path, `${malformed} starting with iqn, eui, or naa`);
}

/** The same of a persistent volume. */
export function persistentIscsiErrors(source: Fields, path: string): FieldError[] {
  return [
    ...iscsiErrors(source, path, malformed),
    ...(source.secretRef == null ? [] : requiredText(`${path}.secretRef.name`, source.secretRef.name)),
  ];
}

/** The name of a volume and its portal together may not be too long for an initiator's name. */
export function portalErrors(source: Fields, name: string, finding: { path: string; value: unknown }): FieldError[] {
  const { initiatorName, targetPortal = "" } = source;
  if (initiatorName == null || byteLength(`${name}:${targetPortal}`) <= 64) return [];
  const message =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  return [invalid(finding.path, finding.value, message)];
}

function iscsiErrors(source: Fields, path: string, otherStart: string): FieldError[] {
  const { iqn, initiatorName, lun = 0 } = source;
  const named = (at: string, name: string) => initiatorErrors(at, name, otherStart);
  return [
    ...requiredText(`${path}.targetPortal`, source.targetPortal),
    ...(isMissing(iqn) ? [required(`${path}.iqn`)] : named(`${path}.iqn`, iqn)),
    ...(lun < 0 || lun > 255 ? [invalid(`${path}.lun`, lun, "must be between 0 and 255, inclusive")] : []),
    ...((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef == null
      ? [required(`${path}.secretRef`)]
      : []),
    ...(initiatorName == null ? [] : named(`${path}.initiatorname`, initiatorName)),
  ];
}

function initiatorErrors(path: string, name: string, otherStart: string): FieldError[] {
  const form = forms[name.slice(0, 3)];
  if (form === undefined) return [invalid(path, name, otherStart)];
  return form.test(name) ? [] : [invalid(path, name, malformed)];
}
