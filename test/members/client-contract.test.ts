import { systemUser } from "#app/start-cluster.ts";
import { systemClock } from "#app/system.ts";
import { createClient } from "#client/client.ts";
import { describeClientContract } from "#client/contract.ts";
import { createHttpTransport } from "#client/http-transport.ts";
import { type RemoteMember, startRemoteMember } from "./remote-member.ts";

const stranger = { name: "stranger", groups: ["system:authenticated"] };

describeClientContract("by function call", async () => {
  const member = await startRemoteMember("near");
  const transport = member.cluster.server;
  return {
    client: createClient({ transport, user: systemUser, manager: "test" }),
    stranger: createClient({ transport, user: stranger, manager: "test" }),
    forget: () => forget(member),
    [Symbol.asyncDispose]: () => member[Symbol.asyncDispose](),
  };
});

describeClientContract("over HTTPS", async () => {
  const member = await startRemoteMember("far");
  const { pki, url } = member.cluster;
  const open = (token: string) =>
    createHttpTransport({
      server: new URL(url),
      identity: { ca: pki.ca.certificate },
      token,
      addresses: { allowLoopback: true },
      clock: systemClock,
    });
  const all = open(member.token);
  const none = open(await strangersToken(member));
  return {
    client: createClient({ transport: all, user: stranger, manager: "test" }),
    stranger: createClient({ transport: none, user: systemUser, manager: "test" }),
    forget: () => forget(member),
    async [Symbol.asyncDispose]() {
      all.close();
      none.close();
      await member[Symbol.asyncDispose]();
    },
  };
});

function forget({ cluster }: RemoteMember): void {
  const { store } = cluster.server.core;
  store.compact(store.revision);
}

async function strangersToken({ client }: RemoteMember): Promise<string> {
  const accounts = { group: "", version: "v1", resource: "serviceaccounts", kind: "ServiceAccount", namespaced: true };
  const key = { namespace: "default", name: "stranger" };
  await client.create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: key });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
  const answer = await client.post(accounts, key, { verb: "create", subresource: "token", body });
  return (answer as { readonly status: { readonly token: string } }).status.token; // a TokenRequest
}
