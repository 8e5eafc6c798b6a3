import { expect, test } from "vitest";
import { RawNumber } from "#base/json.ts";
import { concealed } from "./concealed.ts";

const secret = { apiVersion: "v1", kind: "Secret", data: { password: "c2VjcmV0" }, stringData: { pin: "12€" } };
const sizes = { ...secret, data: { password: "6 bytes" }, stringData: { pin: "5 bytes" } };

test.for<[string, unknown, unknown]>([
  ["of a Secret the sizes are shown", secret, sizes],
  [
    "a Secret is one within a Work, too",
    { manifests: [secret, { kind: "ConfigMap" }] },
    { manifests: [sizes, { kind: "ConfigMap" }] },
  ],
  [
    "so is what is sent to a proxy",
    { spec: { proxyHeader: { a: "bc" } } },
    { spec: { proxyHeader: { a: "2 bytes" } } },
  ],
  [
    "what kubectl applied last is said already",
    { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", a: "b" } },
    { annotations: { a: "b" } },
  ],
  [
    "what others call data is shown",
    { kind: "ConfigMap", data: { password: "c2VjcmV0", number: new RawNumber("1.0") }, list: [1, null, true] },
    { kind: "ConfigMap", data: { password: "c2VjcmV0", number: new RawNumber("1.0") }, list: [1, null, true] },
  ],
])("%s", ([, value, shown]) => expect(concealed(value)).toEqual(shown));
