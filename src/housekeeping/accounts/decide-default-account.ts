import type { ApiObject } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";

export interface DefaultAccountFacts {
  readonly namespace: ApiObject;
  /** The service account `default`. */
  readonly account: ApiObject | undefined;
  /** The config map `kube-root-ca.crt`. */
  readonly rootCa: ApiObject | undefined;
  readonly caCertificate: string;
}

export type DefaultAccountStep =
  | { readonly do: "createAccount" }
  | { readonly do: "createRootCa"; readonly data: Readonly<Record<string, string>> }
  | { readonly do: "replaceRootCa"; readonly rootCa: ApiObject };

/** Every namespace has an account that pods run as and the certificate by which they know the server. */
export function decideDefaultAccount(facts: DefaultAccountFacts): Plan<DefaultAccountStep> {
  const { namespace, account, rootCa, caCertificate } = facts;
  if (namespace.metadata.deletionTimestamp !== undefined) return { steps: [] };
  const steps: DefaultAccountStep[] = account === undefined ? [{ do: "createAccount" }] : [];
  const data = { "ca.crt": caCertificate };
  if (rootCa === undefined) steps.push({ do: "createRootCa", data });
  else if (!jsonEquals(rootCa["data"], data)) steps.push({ do: "replaceRootCa", rootCa: { ...rootCa, data } });
  return { steps };
}
