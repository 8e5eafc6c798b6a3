import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { workEvents } from "#api/work/event-reasons.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import { type Interpreter, onceKnown } from "#interpreter/interpreter.ts";
import { retainMetadata } from "./retain-metadata.ts";

/** What the kinds in works mean. */
export type ManifestInterpreter = Pick<Interpreter, "retain" | "reflectStatus" | "health">;

/** What a manifest and the member's copy of it mean. */
export interface ManifestMeaning {
  /** What is to be sent, given what is there: fields that belong to the member are kept. */
  readonly desired: Interpretation<Fields>;
  /** What is to be reported; undefined when nothing is. */
  readonly status: Interpretation<Fields | undefined>;
  readonly health: Interpretation<boolean>;
}

/** Reads a manifest and the member's copy: at once, unless a customization has to be asked. */
export function interpretManifest(
  interpreter: ManifestInterpreter,
  { manifest, observed }: { readonly manifest: Fields; readonly observed: ApiObject },
): ManifestMeaning | Promise<ManifestMeaning> {
  const present = observed as unknown as Manifest; // an object with its identity
  const withMetadata = retainMetadata(manifest as unknown as Manifest, observed); // as above
  return onceKnown(interpreter.retain(withMetadata, present), (retained) =>
    onceKnown(interpreter.reflectStatus(present), (reflected) =>
      onceKnown(interpreter.health(present), (health) => ({
        desired: !retained.ok && retained.why === "no rule" ? { ok: true, value: withMetadata as Fields } : retained,
        status: reflected as Interpretation<Fields | undefined>, // plain JSON
        health,
      })),
    ),
  );
}

/** Where nothing is observed there is nothing to keep and nothing to tell. */
export function unobserved(manifest: Fields): ManifestMeaning {
  return { desired: { ok: true, value: manifest }, status: { ok: true, value: undefined }, health: noRule };
}

/** A kind without a rule is well when it is there; what cannot be read is unknown. */
export function healthOf(health: ManifestMeaning["health"]): "Healthy" | "Unhealthy" | "Unknown" {
  if (health.ok) return health.value ? "Healthy" : "Unhealthy";
  return health.why === "no rule" ? "Healthy" : "Unknown";
}

/** What is worth an event: rules that failed to report. What cannot be sent is told by its work. */
export function failuresOf({ status, health }: ManifestMeaning) {
  return [...failed(status, workEvents.reflectStatus.failed), ...failed(health, workEvents.interpretHealth.failed)];
}

const noRule: ManifestMeaning["health"] = { ok: false, why: "no rule", message: "there is nothing to judge" };

function failed(interpreted: Interpretation<unknown>, reason: string) {
  if (interpreted.ok || interpreted.why === "no rule") return [];
  return [{ reason, message: interpreted.message, again: interpreted.why === "unavailable" }];
}
