import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { accountUidKey, decideTokenSecret } from "./decide-token-secret.ts";

const full = { token: "t", "ca.crt": "C", namespace: "N" };
const filled = { account: { name: "robot", uid: "u1" } };

const cases: Record<
  string,
  {
    reason: string;
    data?: Readonly<Record<string, string>>;
    recorded?: string;
    account?: string | undefined;
    going?: boolean;
    expect: readonly object[];
  }
> = {
  "a new secret": {
    reason: "it lacks everything",
    account: "u1",
    expect: [{ do: "fill", data: { "ca.crt": "C", namespace: "N" }, needsToken: true, ...filled }],
  },
  "a filled secret": { reason: "nothing to do", account: "u1", recorded: "u1", data: full, expect: [] },
  "a filled secret with something of its user's": {
    reason: "that is none of our business",
    account: "u1",
    recorded: "u1",
    data: { ...full, more: "x" },
    expect: [],
  },
  "the certificate changed": {
    reason: "the token is still good",
    account: "u1",
    recorded: "u1",
    data: { ...full, "ca.crt": "OLD" },
    expect: [{ do: "fill", data: { "ca.crt": "C" }, needsToken: false, ...filled }],
  },
  "the token was removed": {
    reason: "it is the point of the secret",
    account: "u1",
    recorded: "u1",
    data: { ...full, token: "" },
    expect: [{ do: "fill", data: {}, needsToken: true, ...filled }],
  },
  "the account's uid is not recorded": {
    reason: "without it nobody could tell another account of that name",
    account: "u1",
    data: full,
    expect: [{ do: "fill", data: {}, needsToken: false, ...filled }],
  },
  "there is no such account": { reason: "the token would be nobody's", data: full, expect: [{ do: "delete" }] },
  "the account is another of the same name": {
    reason: "the token was for the first one",
    account: "u2",
    recorded: "u1",
    data: full,
    expect: [{ do: "delete" }],
  },
  "it is being deleted": { reason: "nothing to add", account: "u1", going: true, expect: [] },
};

for (const [name, { reason, data, recorded, account, going = false, expect: steps }] of Object.entries(cases)) {
  test(name, () => {
    const annotations = recorded === undefined ? {} : { annotations: { [accountUidKey]: recorded } };
    const mark = going ? { deletionTimestamp: "2030-01-01T00:00:00Z" } : {};
    const secret = { ...object("secret", { ...annotations, ...mark }), ...(data === undefined ? {} : { data }) };
    const owner = account === undefined ? undefined : object("robot", { uid: account });
    const plan = decideTokenSecret({ secret, account: owner, certificate: "C", namespace: "N" });
    expect(plan.steps, reason).toEqual(steps);
  });
}

function object(name: string, more: Partial<ApiObject["metadata"]>): ApiObject {
  const metadata = { name, uid: name, resourceVersion: "1", creationTimestamp: "2030-01-01T00:00:00Z", ...more };
  return { apiVersion: "v1", kind: "Thing", metadata };
}
