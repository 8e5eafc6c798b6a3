import type { Draft } from "#api/meta/object-meta.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { setPermanentId } from "./permanent-id.ts";

/** Gives a binding of either scope its permanent id in place, if it has none. */
export function mutateBinding({ kind, metadata }: Draft, { id }: { readonly id: string }): void {
  const { idLabel } = ResourceBindings.traits[kind as keyof typeof ResourceBindings.traits]; // both kinds of the family
  setPermanentId(metadata, { label: idLabel, id, keep: true });
}
