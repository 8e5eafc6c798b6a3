import type { ApiObject } from "#api/meta/object-meta.ts";
import { controlPlaneAnnotation } from "#api/work/template-keys.ts";
import { managedLabel } from "#api/work/work-keys.ts";

/** Whether an object of a member is ours to change and delete: it bears our marks, or those of a system that said no more of itself. */
export function isOurs(object: ApiObject, controlPlaneId: string | undefined): boolean {
  return object.metadata.labels?.[managedLabel] === "true" && ownerBeside(object, controlPlaneId) === undefined;
}

/** The id of the other control plane that a member's object belongs to, if there is one. Two that write to one object would never end (SEC-05). */
export function ownerBeside({ metadata }: ApiObject, controlPlaneId: string | undefined): string | undefined {
  const owner = metadata.annotations?.[controlPlaneAnnotation];
  return owner === controlPlaneId ? undefined : owner;
}
