import type { ResourceId } from "#api/meta/resource-id.ts";
import { systemClock } from "#app/system.ts";
import { createClient } from "#client/client.ts";
import { describeClientContract } from "#client/contract.ts";
import { createHttpTransport } from "#client/http-transport.ts";
import { KubeFleet } from "./kube-fleet.ts";

const accounts: ResourceId = {
  group: "",
  version: "v1",
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  namespaced: true,
};

describeClientContract("of a kube-apiserver", async () => {
  // a cache would remember what etcd has forgotten
  const fleet = await KubeFleet.start({ members: [], flags: ["--watch-cache=false"] });
  const { controlPlane, etcd } = fleet;
  const client = controlPlane.client("test");
  const key = { namespace: "default", name: "stranger" };
  await client.create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: key });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
  const answer = await client.post(accounts, key, { verb: "create", subresource: "token", body });
  const transport = createHttpTransport({
    server: new URL(controlPlane.url),
    identity: { ca: controlPlane.pki.ca.certificate },
    token: (answer as { readonly status: { readonly token: string } }).status.token, // a TokenRequest
    addresses: { allowLoopback: true },
    clock: systemClock,
  });
  return {
    client,
    stranger: createClient({ transport, user: { name: "", groups: [] }, manager: "test" }),
    forget: () => etcd.compact(),
    async [Symbol.asyncDispose]() {
      transport.close();
      await fleet[Symbol.asyncDispose]();
    },
  };
});
