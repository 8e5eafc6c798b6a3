import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { decideDefaultAccount } from "./decide-default-account.ts";

const cases: Record<
  string,
  { reason: string; going?: boolean; account?: boolean; rootCa?: string; expect: readonly string[] }
> = {
  "a new namespace": { reason: "it has nothing yet", expect: ["createAccount", "createRootCa"] },
  "a namespace that has both": { reason: "nothing to do", account: true, rootCa: "PEM", expect: [] },
  "the account was deleted": { reason: "pods could not start", rootCa: "PEM", expect: ["createAccount"] },
  "the certificate was deleted": { reason: "pods would trust nobody", account: true, expect: ["createRootCa"] },
  "the certificate is another": {
    reason: "the server's own counts",
    account: true,
    rootCa: "OLD",
    expect: ["replaceRootCa"],
  },
  "a namespace that is going": { reason: "nothing can be created in it", going: true, expect: [] },
};

for (const [name, { reason, going = false, account = false, rootCa, expect: steps }] of Object.entries(cases)) {
  test(name, () => {
    const plan = decideDefaultAccount({
      namespace: object(going ? { deletionTimestamp: "2030-01-01T00:00:00Z" } : {}),
      account: account ? object() : undefined,
      rootCa: rootCa === undefined ? undefined : { ...object(), data: { "ca.crt": rootCa } },
      caCertificate: "PEM",
    });
    expect(
      plan.steps.map((step) => step.do),
      reason,
    ).toEqual(steps);
    for (const step of plan.steps) {
      if (step.do === "replaceRootCa") expect(step.rootCa["data"]).toEqual({ "ca.crt": "PEM" });
    }
  });
}

function object(more: Partial<ApiObject["metadata"]> = {}): ApiObject {
  const metadata = { name: "x", uid: "x", resourceVersion: "1", creationTimestamp: "2030-01-01T00:00:00Z", ...more };
  return { apiVersion: "v1", kind: "Thing", metadata };
}
