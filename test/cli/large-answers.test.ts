import { expect, test } from "vitest";
import { connect } from "#cli/connect.ts";
import { startBareServer } from "./bare-server.ts";

/** Each as large as a ConfigMap may be; together more than a member may answer. */
const count = 18;
const megabyte = "x".repeat(1_000_000);

test("an answer about a whole fleet is read by the command line, though it is larger than a member's may be", async () => {
  await using server = await startBareServer("large");
  const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };
  for (let index = 0; index < count; index++)
    await server.client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: `large-${index}` },
      data: { megabyte },
    });
  using connection = await connect({ kubeconfig: server.kubeconfig });
  const answer = await connection.transport.document("/api/v1/namespaces/default/configmaps");
  expect(JSON.stringify(answer?.value).split(megabyte)).toHaveLength(count + 1);
});
