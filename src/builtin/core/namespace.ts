import { labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, namedText } from "#base/field-error.ts";
import { textErrors } from "../value-rules.ts";

const ownFinalizer = "kubernetes";
const standardFinalizers = [ownFinalizer, "orphan", "foregroundDeletion"];
const drawnCharacters = 5;
const nameLabel = "kubernetes.io/metadata.name";

/** Namespaces: they stay, Terminating, until the finalizers in their spec are gone. */
export const namespaceStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  nameRule: "dns-label",
  fieldSelectors: { "status.phase": ({ status }: Fields) => status?.phase ?? "" },
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.status ??= {};
    draft.status.phase ||= "Active";
    nameInLabels(draft);
  },
  prepareForCreate: (draft) => {
    draft.status = { phase: "Active" };
    const finalizers: readonly string[] = draft.spec.finalizers ?? [];
    if (!finalizers.includes(ownFinalizer)) draft.spec.finalizers = [...finalizers, ownFinalizer];
    nameInLabels(draft);
  },
  prepareForUpdate: (draft, old: Fields) => {
    if (old.spec?.finalizers === undefined) delete draft.spec.finalizers;
    else draft.spec.finalizers = old.spec.finalizers;
  },
  prepareStatus: (draft) => {
    if (!draft.status?.phase) draft.status = { ...draft.status, phase: "Active" };
  },
  prepareForDelete: (draft) => {
    draft.status = { ...draft.status, phase: "Terminating" };
  },
  isDeletable: (object: Fields) => (object.spec?.finalizers ?? []).length === 0,
  validate: ({ spec }: Fields) =>
    (spec?.finalizers ?? []).flatMap((finalizer: string) => finalizerErrors("spec.finalizers", finalizer)),
  validateStatus: phaseErrors,
};

/** Upstream writes the phase in capitals. */
function phaseErrors({ metadata, status }: Fields): FieldError[] {
  const [only, when] = metadata.deletionTimestamp == null ? ["Active", "empty"] : ["Terminating", "not empty"];
  const phase: string = status?.phase ?? "";
  if (phase === only) return [];
  return [invalid("status.Phase", namedText(phase), `may only be '${only}' if \`deletionTimestamp\` is ${when}`)];
}

/** A name that was drawn and is no good is told of by itself. */
function nameInLabels({ metadata }: Draft): void {
  const { name = "", generateName } = metadata;
  const drawn = generateName && name.startsWith(generateName) && name.length === generateName.length + drawnCharacters;
  if (drawn && labelValueErrors(name).length > 0) return;
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

function finalizerErrors(path: string, finalizer: string): FieldError[] {
  const errors = textErrors(path, finalizer, qualifiedNameErrors);
  if (finalizer.includes("/") || standardFinalizers.includes(finalizer)) return errors;
  return [...errors, invalid(path, finalizer, "name is neither a standard finalizer name nor is it fully qualified")];
}
