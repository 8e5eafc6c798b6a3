import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { LiveInformer } from "#runtime/informer.ts";
import { webhookConfiguration } from "../installation/names.ts";

export interface BundleNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The authorities that the configurations of the webhook tell API servers to believe. */
export class PublishedBundle {
  readonly #client: Client;
  readonly #informers: readonly LiveInformer<ApiObject>[];

  constructor(needs: BundleNeeds) {
    const { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } = kubernetesResources;
    this.#client = needs.client;
    this.#informers = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration].map(
      (resource) => new LiveInformer<ApiObject>({ ...needs, resource }),
    );
  }

  /** Follows the configurations, and calls back whenever one changes. */
  async start(signal: AbortSignal, changed: () => void): Promise<void> {
    for (const informer of this.#informers) {
      informer.onChange(({ before, after }) => {
        if ((after ?? before)?.metadata.name === webhookConfiguration) changed();
      });
      informer.start(signal);
    }
    await Promise.all(this.#informers.map((informer) => informer.whenSynced()));
  }

  /** Whether every configuration that is there has this bundle. */
  has(bundle: string): boolean {
    return this.#configurations().every(({ found }) =>
      hooksOf(found).every((hook) => hook["clientConfig"]?.caBundle === bundle),
    );
  }

  /** Puts the bundle where it is missing; fails with a conflict when somebody else writes at the same moment. */
  async put(bundle: string): Promise<void> {
    for (const { found, resource } of this.#configurations()) {
      const hooks = hooksOf(found);
      if (hooks.every((hook) => hook["clientConfig"]?.caBundle === bundle)) continue;
      const webhooks = hooks.map((hook) => ({ ...hook, clientConfig: { ...hook["clientConfig"], caBundle: bundle } }));
      await this.#client.update(resource, { ...found, webhooks });
    }
  }

  #configurations() {
    return this.#informers.flatMap((informer) => {
      const found = informer.get({ name: webhookConfiguration });
      return found === undefined ? [] : [{ found, resource: informer.resource }];
    });
  }
}

function hooksOf(configuration: ApiObject): readonly Fields[] {
  return (configuration as Fields)["webhooks"] ?? [];
}
