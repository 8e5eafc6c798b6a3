import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Client, NewObject } from "#client/client.ts";
import { configMaps, serviceAccounts } from "#housekeeping/resource-ids.ts";
import type { Controller } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { type DefaultAccountFacts, type DefaultAccountStep, decideDefaultAccount } from "./decide-default-account.ts";

export const defaultAccountName = "default";
export const rootCaName = "kube-root-ca.crt";
const descriptionKey = "kubernetes.io/description";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

export interface DefaultAccountNeeds {
  readonly client: Client;
  readonly namespaces: Informer<ApiObject>;
  readonly accounts: Informer<ApiObject>;
  /** Config maps named `kube-root-ca.crt` alone. */
  readonly rootCas: Informer<ApiObject>;
  readonly caCertificate: string;
}

/** Gives every namespace its default account and root certificate, and again when they are deleted. Keys are namespaces. */
export function defaultAccountController(
  needs: DefaultAccountNeeds,
): Controller<DefaultAccountFacts, DefaultAccountStep> {
  const { client, namespaces, accounts, rootCas, caCertificate } = needs;
  return {
    name: "default-account",
    watches: [
      watchInformer(namespaces, ({ before, after }) => [(after ?? before)!.metadata.name]),
      watchInformer(accounts, ({ before, after }) => {
        const { name, namespace } = (after ?? before)!.metadata;
        return name === defaultAccountName && namespace !== undefined ? [namespace] : [];
      }),
      watchInformer(rootCas, ({ before, after }) => [(after ?? before)!.metadata.namespace!]),
    ],
    async gather(namespace) {
      await Promise.all([accounts.whenSynced(), rootCas.whenSynced()]);
      const found = namespaces.get({ name: namespace });
      if (found === undefined) return undefined;
      const account = accounts.get({ namespace, name: defaultAccountName });
      return { namespace: found, account, rootCa: rootCas.get({ namespace, name: rootCaName }), caCertificate };
    },
    decide: decideDefaultAccount,
    async apply(step, { namespace }) {
      switch (step.do) {
        case "createAccount":
          await client.create(serviceAccounts, accountIn(namespace.metadata.name));
          return;
        case "createRootCa":
          await client.create(configMaps, rootCaIn(namespace.metadata.name, step.data));
          return;
        case "replaceRootCa":
          await client.update(configMaps, step.rootCa);
      }
    },
  };
}

function accountIn(namespace: string): NewObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name: defaultAccountName } };
}

function rootCaIn(namespace: string, data: Readonly<Record<string, string>>): NewObject {
  const annotations = { [descriptionKey]: description };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: rootCaName, annotations }, data };
}
