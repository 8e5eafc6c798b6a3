import { describe, expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import { accessOf, defaultRemoteMemberRules, endpointOf, secretKeyOf } from "./cluster-access.ts";

const secretRef = { namespace: "karmada-cluster", name: "m1" };
const cluster = (spec: object): Cluster =>
  ({
    metadata: { name: "m1" },
    spec: { syncMode: "Push", apiEndpoint: "https://m1.example:6443", secretRef, ...spec },
  }) as unknown as Cluster; // what is read of it
const secret = (data: Readonly<Record<string, string>>) => ({
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")])),
});
const access = (spec: object, data: Readonly<Record<string, string>> = { token: "t" }, rules = {}) =>
  accessOf(cluster(spec), secret(data), { ...defaultRemoteMemberRules, ...rules });

describe("the address", () => {
  for (const [endpoint, href] of [
    ["m1.example", "https://m1.example/"],
    ["10.0.0.1:6443", "https://10.0.0.1:6443/"],
    ["https://m1.example:6443", "https://m1.example:6443/"],
    ["https://m1.example/k8s/clusters/c-a", "https://m1.example/k8s/clusters/c-a"],
  ])
    test(`${endpoint} is ${href}`, () => expect(endpointOf(cluster({ apiEndpoint: endpoint })).href).toBe(href));

  for (const [endpoint, why] of [
    [undefined, "spec.apiEndpoint is missing"],
    ["http://m1.example", "spec.apiEndpoint must be https, not http"],
    ["ftp://m1.example", "spec.apiEndpoint must be https, not ftp"],
    ["https://user:secret@m1.example", "spec.apiEndpoint must not contain a user"],
    ["https://m1.example?x=1", "spec.apiEndpoint must not contain a query or fragment"],
    ["https://m1.example/#x", "spec.apiEndpoint must not contain a query or fragment"],
    ["https://", "spec.apiEndpoint is no URL"],
  ])
    test(`${endpoint} is refused`, () => expect(() => endpointOf(cluster({ apiEndpoint: endpoint }))).toThrow(why!));
});

describe("the secret", () => {
  test("lies where the operator says (ruling 22)", () => {
    expect(secretKeyOf(cluster({}), defaultRemoteMemberRules)).toEqual(secretRef);
    const elsewhere = cluster({ secretRef: { namespace: "kube-system", name: "m1" } });
    expect(() => secretKeyOf(elsewhere, defaultRemoteMemberRules)).toThrow(
      'spec.secretRef.namespace must be karmada-cluster, not "kube-system"',
    );
    expect(() => secretKeyOf(cluster({ secretRef: undefined }), defaultRemoteMemberRules)).toThrow(
      "spec.secretRef is missing",
    );
  });

  test("carries a token, or a certificate with its key", () => {
    expect(access({}, { token: "t\n", caBundle: "ca" })).toMatchObject({
      token: "t",
      identity: { ca: "ca", skipVerification: false },
    });
    expect(access({}, { "tls.crt": "c", "tls.key": "k" })).toMatchObject({
      token: undefined,
      identity: { ca: undefined, clientCertificate: { certificate: "c", privateKey: "k" } },
    });
  });

  for (const [what, data, why] of [
    ["nothing", {}, "the secret has neither a token nor tls.crt and tls.key"],
    [
      "half a certificate",
      { token: "t", "tls.crt": "c" },
      "the secret has one of tls.crt and tls.key without the other",
    ],
    ["a token that would break out of its header", { token: "t\r\nx: y" }, "the secret's token is no token"],
  ] as const)
    test(`with ${what} is refused`, () => expect(() => access({}, data)).toThrow(why));
});

test("unchecked certificates need the operator's word", () => {
  expect(() => access({ insecureSkipTLSVerification: true })).toThrow(
    "spec.insecureSkipTLSVerification is not allowed",
  );
  const allowed = access({ insecureSkipTLSVerification: true }, { token: "t" }, { allowInsecureTls: true });
  expect(allowed.identity.skipVerification).toBe(true);
});

describe("the proxy", () => {
  test("is http or https, with headers of its own", () => {
    const { proxy } = access({ proxyURL: "http://proxy.example:3128", proxyHeader: { "x-team": "a" } });
    expect([proxy?.url.host, proxy?.headers]).toEqual(["proxy.example:3128", { "x-team": "a" }]);
  });

  for (const [url, why] of [
    ["socks5://proxy.example", "socks5 is not supported"],
    ["http://user:secret@proxy.example", "spec.proxyURL must not contain a user"],
    ["no url", "spec.proxyURL is no URL"],
  ] as const)
    test(`${url} is refused`, () => expect(() => access({ proxyURL: url })).toThrow(why));

  const payloads: readonly (readonly [string, string])[] = [
    ...["a\r\nb: c", "a\nb", "a\rb", "a\u0000b", "a\u0001", "\u007f", "日本", "a\u2028b"].map(
      (value) => ["x-a", value] as const,
    ),
    ...["", " ", "a b", "a:b", "a\r\nb", "a\nb", "ä", "a\u0000", "(a)", "a,b", 'a"b', "a/b", "{a}"].map(
      (name) => [name, "v"] as const,
    ),
  ];
  for (const [name, value] of payloads)
    test(`SEC-22: the header ${JSON.stringify(name)}: ${JSON.stringify(value)} is refused`, () => {
      expect(() => access({ proxyURL: "http://proxy.example", proxyHeader: { [name]: value } })).toThrow(
        "is no valid header",
      );
    });
});
