import type { Fields } from "#api/meta/object-meta.ts";
import type { Clock } from "#base/clock.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Client, NewObject } from "#client/client.ts";
import { type ApplyOutcome, applyObject } from "../apply-object.ts";
import { waitUntil } from "../wait-until.ts";
import { type InstallationOptions, installedObjects, resourceOfInstalled } from "./installed-objects.ts";
import { isInstalled } from "./names.ts";

export interface InstallNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Whether definitions that somebody else made may be taken over. */
  readonly adopt: boolean;
  /** Told of every object as it is written. */
  readonly report: (step: InstallStep) => void;
}

export interface InstallStep {
  readonly object: NewObject;
  readonly outcome: ApplyOutcome;
}

/** Writes what differs, and waits until our kinds are served. How many objects were written; a second run says none. */
export async function install(options: InstallationOptions, needs: InstallNeeds): Promise<number> {
  const objects = installedObjects(options);
  if (!needs.adopt) await expectOwnDefinitions(needs.client, objects);
  let written = 0;
  let served = false;
  for (const object of objects) {
    if (!served && object.kind !== "Namespace" && object.kind !== "CustomResourceDefinition") {
      await untilServed(objects, needs);
      served = true;
    }
    const outcome = await applyObject(needs.client, resourceOfInstalled(object), object);
    if (outcome !== "unchanged") written++;
    needs.report({ object, outcome });
  }
  return written;
}

/** Karmada's definitions have other versions and webhooks of their own: changing them unasked would break it. */
async function expectOwnDefinitions(client: Client, objects: readonly NewObject[]): Promise<void> {
  const strangers: string[] = [];
  for (const object of objects.filter(({ kind }) => kind === "CustomResourceDefinition")) {
    const present = await client.get(resourceOfInstalled(object), { name: object.metadata.name! });
    if (present !== undefined && !isInstalled(present)) strangers.push(present.metadata.name);
  }
  if (strangers.length === 0) return;
  throw new HintedError(
    `cannot install: ${strangers.length} of our kinds are there already and were not installed by Flotilla: ${strangers.slice(0, 3).join(", ")}${strangers.length > 3 ? " …" : ""}`,
    "a control plane of 'flotilla up' needs no installation; where Karmada is installed, --adopt takes its kinds over",
  );
}

async function untilServed(objects: readonly NewObject[], { client, clock, timeoutMs }: InstallNeeds): Promise<void> {
  const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  for (const object of definitions) {
    const name = object.metadata.name!;
    const isServed = async () => isEstablished(await client.get(resourceOfInstalled(object), { name }));
    if (await waitUntil(isServed, { clock, timeoutMs })) continue;
    throw new HintedError(
      `cannot install: ${name} is not served after ${timeoutMs / 1_000} s`,
      `kubectl describe crd ${name} shows why`,
    );
  }
}

function isEstablished(definition: Fields | undefined): boolean {
  const conditions: readonly Fields[] = definition?.["status"]?.conditions ?? [];
  return conditions.some(({ type, status }) => type === "Established" && status === "True");
}
