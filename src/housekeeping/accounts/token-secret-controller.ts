import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";
import type { IssueToken } from "#housekeeping/housekeeping-needs.ts";
import { secrets as secretsId, serviceAccounts } from "#housekeeping/resource-ids.ts";
import type { Controller } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import {
  accountNameKey,
  accountUidKey,
  decideTokenSecret,
  type TokenSecret,
  type TokenSecretFacts,
  type TokenSecretStep,
} from "./decide-token-secret.ts";

export interface TokenSecretNeeds {
  readonly client: Client;
  /** Token secrets alone, with the index `account`; see accountsOf. */
  readonly secrets: Informer<TokenSecret>;
  readonly accounts: Informer<ApiObject>;
  readonly caCertificate: string;
  readonly issueToken: IssueToken;
}

/** The service account a token secret names, as the index `account` has it. */
export function accountsOf({ metadata }: TokenSecret): readonly string[] {
  const name = metadata.annotations?.[accountNameKey];
  return name === undefined ? [] : [printKey({ namespace: metadata.namespace!, name })];
}

/** Fills token secrets, and deletes them after their service account. Keys are `namespace/name`. */
export function tokenSecretController(needs: TokenSecretNeeds): Controller<TokenSecretFacts, TokenSecretStep> {
  const { client, secrets, accounts } = needs;
  const certificate = encode(needs.caCertificate);
  return {
    name: "token-secret",
    watches: [
      watchInformer(secrets, ({ before, after }) => [printKey(keyOf((after ?? before)!))]),
      watchInformer(accounts, ({ before, after }) =>
        secrets.byIndex("account", printKey(keyOf((after ?? before)!))).map((secret) => printKey(keyOf(secret))),
      ),
    ],
    async gather(key) {
      const [namespace = "", name = ""] = key.split("/");
      const secret = secrets.get({ namespace, name });
      const accountName = secret?.metadata.annotations?.[accountNameKey];
      if (secret === undefined || accountName === undefined) return undefined;
      const account = await client.get(serviceAccounts, { namespace, name: accountName });
      return { secret, account, certificate, namespace: encode(namespace) };
    },
    decide: decideTokenSecret,
    async apply(step, { secret }) {
      const { uid, name, resourceVersion } = secret.metadata;
      const namespace = secret.metadata.namespace!;
      if (step.do === "delete") {
        await client.delete(secretsId, keyOf(secret), { preconditions: { uid } });
        return;
      }
      const subject = { namespace, serviceAccount: step.account, secret: { name, uid } };
      const token = step.needsToken ? { token: encode(needs.issueToken(subject)) } : {};
      const metadata = { uid, resourceVersion, annotations: { [accountUidKey]: step.account.uid } };
      const patch = { metadata, data: { ...step.data, ...token } };
      await client.patch(secretsId, keyOf(secret), { type: "merge", patch });
    },
  };
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}
