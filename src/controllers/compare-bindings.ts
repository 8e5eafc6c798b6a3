import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { jsonEqualsBut } from "#base/json.ts";

/** Whether a binding of that name belongs to another object: one that was deleted and made anew, or a kind of the same name. */
export function isForeign(binding: Binding, object: ApiObject): boolean {
  const owner = binding.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner !== undefined && owner.uid !== object.metadata.uid;
}

/** Whether two states say the same but for the revision of what is bound: works follow that itself, so it alone is not worth a write. */
export function sameButRevision(wanted: Binding, present: Binding): boolean {
  return (
    jsonEqualsBut(wanted.spec, present.spec, resourceAlone) &&
    jsonEqualsBut(wanted.spec.resource, present.spec.resource, revision) &&
    jsonEqualsBut(wanted, present, specAlone)
  );
}

const specAlone: ReadonlySet<string> = new Set(["spec"]);
const resourceAlone: ReadonlySet<string> = new Set(["resource"]);
const revision: ReadonlySet<string> = new Set(["resourceVersion"]);
