import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { LiveInformer } from "#runtime/informer.ts";
import { configMaps, publishedAt, settingsIn } from "../published-settings.ts";

interface GateNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** What is known otherwise wins over what is published. */
  readonly given: Partial<FeatureGates>;
}

/** How long to wait for them at the start: who may not read them, or has no controllers yet, still judges. */
const patienceMs = 5_000;

/** The gates of the controllers that work now, as these publish them; the defaults until they do. */
export async function followGates(
  { client, clock, log, given }: GateNeeds,
  signal: AbortSignal,
): Promise<() => FeatureGates> {
  const { namespace, name } = publishedAt;
  const options = { namespace, fieldSelector: `metadata.name=${name}` };
  const informer = new LiveInformer<ApiObject>({ client, resource: configMaps, clock, log, options });
  informer.start(signal);
  await new Promise<void>((resolve) => {
    const cancel = clock.after(patienceMs, resolve);
    void informer.whenSynced().then(() => resolve(cancel()));
  });
  return () => gatesWith({ ...settingsIn(informer.get(publishedAt))?.gates, ...given });
}
