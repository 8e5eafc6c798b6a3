import { describe, expect, test } from "vitest";
import { readKubeconfig } from "./kubeconfig.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const files: Readonly<Record<string, string>> = {
  "ca.pem": "CA",
  "me.crt": "CERT",
  "me.key": "KEY",
  token: "secret\n",
};

function read(parts: { readonly cluster?: string; readonly user?: string; readonly context?: string }) {
  const { cluster = "", user = "token: abc", context } = parts;
  const text = `
apiVersion: v1
kind: Config
current-context: here
contexts:
- { name: here, context: { cluster: c, user: u, namespace: shop } }
- { name: nobody, context: { cluster: c } }
- { name: lost, context: { cluster: gone, user: u } }
clusters: [{ name: c, cluster: { server: "https://one.example:6443/k8s", ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`;
  return readKubeconfig(text, { context, readFile: (name) => files[name] ?? "" });
}

describe("a kubeconfig", () => {
  test("says where the server is and who we are, in the current context", () => {
    const access = read({ cluster: `certificate-authority-data: ${base64("CA")}, tls-server-name: two.example` });
    expect(access).toMatchObject({ context: "here", namespace: "shop", token: "abc" });
    expect(access.server.href).toBe("https://one.example:6443/k8s");
    expect(access.identity).toMatchObject({ ca: "CA", serverName: "two.example", skipVerification: false });
  });

  test("names files, which are read", () => {
    const access = read({
      cluster: "certificate-authority: ca.pem",
      user: "client-certificate: me.crt, client-key: me.key, tokenFile: token, token: old",
    });
    expect(access.identity).toMatchObject({
      ca: "CA",
      clientCertificate: { certificate: "CERT", privateKey: "KEY" },
    });
    expect(access.token).toBe("secret");
  });

  test("may give credentials by a command, which is not run here", () => {
    expect(read({ user: "exec: { command: login }" })).toMatchObject({ token: undefined, exec: { command: "login" } });
  });

  test("may name a proxy", () => {
    expect(read({ cluster: 'proxy-url: "http://proxy:3128"' }).proxy?.url.host).toBe("proxy:3128");
  });

  test("may have a context without a user", () => {
    expect(read({ context: "nobody" })).toMatchObject({ token: undefined, exec: undefined });
  });

  const refusals: readonly [string, Parameters<typeof read>[0], string][] = [
    ["a context that is not there", { context: "elsewhere" }, 'it has no context "elsewhere"'],
    ["a cluster that is not there", { context: "lost" }, 'it has no cluster "gone"'],
    ["a password", { user: "username: me, password: x" }, "user u has username, which is not supported"],
    ["another identity", { user: "token: x, as: root" }, "user u has as, which is not supported"],
    ["a certificate without its key", { user: "client-certificate: me.crt" }, "without the other"],
    ["a token that is none", { user: 'token: "a b"' }, "the user's token is no token"],
    ["a server without TLS", { cluster: 'server: "http://one.example"' }, "must be an https address"],
    ["a proxy of another kind", { cluster: 'proxy-url: "socks5://proxy"' }, "must be http or https"],
  ];
  for (const [what, parts, message] of refusals) {
    test(`is refused with ${what}`, () => expect(() => read(parts)).toThrow(message));
  }
});
