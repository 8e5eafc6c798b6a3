import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { isMissing, requiredText } from "../value-rules.ts";

const forms: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

/** What is wrong with a disk that is reached by iSCSI, of a pod or a persistent volume. */
export function iscsiErrors(source: Fields, path: string): FieldError[] {
  const { iqn, initiatorName, lun = 0 } = source;
  return [
    ...requiredText(`${path}.targetPortal`, source.targetPortal),
    ...requiredText(`${path}.iqn`, iqn),
    ...(isMissing(iqn) ? [] : initiatorErrors(`${path}.iqn`, iqn)),
    ...(lun < 0 || lun > 255 ? [invalid(`${path}.lun`, lun, "must be between 0 and 255, inclusive")] : []),
    ...((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef == null
      ? [required(`${path}.secretRef`)]
      : []),
    ...(initiatorName == null ? [] : initiatorErrors(`${path}.initiatorname`, initiatorName)),
  ];
}

function initiatorErrors(path: string, name: string): FieldError[] {
  const form = forms[name.slice(0, 3)];
  if (form === undefined) return [invalid(path, name, "must be valid format starting with iqn, eui, or naa")];
  return form.test(name) ? [] : [invalid(path, name, "must be valid format")];
}
