import { describe, expect, test } from "vitest";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import type { Client } from "#client/client.ts";
import { admittedWrites } from "./admitted-writes.ts";

const bindings = resourceOf(ResourceBindings.namespaced);
const works = resourceOf(Works);

const binding = (namespace: string, more: object = {}) =>
  ({
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { name: "web", namespace: "shop", ...more },
    spec: { resource: { apiVersion: "apps/v1", kind: "Deployment", namespace, name: "web" } },
  }) as unknown as ApiObject; // one to be

const work = (manifest: object) =>
  ({
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: "web", namespace: "karmada-es-paris" },
    spec: { workload: { manifests: [manifest] } },
  }) as unknown as ApiObject; // one to be

/** A client that answers with what it is given, and one that admits what is written by it. */
function admitting() {
  const written: object[] = [];
  const take = async (_: unknown, object: object) => {
    written.push(object);
    return object;
  };
  const patch = async (_: unknown, __: unknown, request: object) => take(_, request);
  const client = { create: take, update: take, patch } as unknown as Client; // all that is called
  return { written, client: admittedWrites(client, { uuid: () => "id-1" }) };
}

describe("what the webhook would do is done before", () => {
  test("bindings and works get their ids, and manifests lose what no member may see", async () => {
    const { client, written } = admitting();
    await client.create(bindings, binding("shop"));
    await client.create(
      works,
      work({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", uid: "u" }, status: {} }),
    );
    expect(written[0]).toMatchObject({ metadata: { labels: { "resourcebinding.karmada.io/permanent-id": "id-1" } } });
    expect(written[1]).toMatchObject({ metadata: { labels: { "work.karmada.io/permanent-id": "id-1" } } });
    expect(JSON.stringify(written[1])).not.toContain('"uid"');
  });

  for (const [situation, write] of [
    ["a new binding of another namespace's object", (to: Client) => to.create(bindings, binding("other"))],
    [
      "dependencies that are no JSON",
      (to: Client) =>
        to.update(bindings, binding("shop", { annotations: { "resourcebinding.karmada.io/dependencies": "{" } })),
    ],
    [
      "the same in a patch",
      (to: Client) =>
        to.patch(
          bindings,
          { namespace: "shop", name: "web" },
          {
            type: "merge",
            patch: { metadata: { annotations: { "resourcebinding.karmada.io/dependencies": "{" } } },
          },
        ),
    ],
    ["a manifest without a kind", (to: Client) => to.create(works, work({ metadata: { name: "a" } }))],
  ] as const)
    test(`${situation} is refused before it is sent`, async () => {
      const { client, written } = admitting();
      await expect(write(client)).rejects.toMatchObject({ code: 422, reason: "Invalid" });
      expect(written).toEqual([]);
    });

  test("what a patch does not name is not judged", async () => {
    const { client, written } = admitting();
    const finalizers = { type: "merge", patch: { metadata: { finalizers: [] } } } as const;
    await client.patch(bindings, { namespace: "shop", name: "web" }, finalizers);
    expect(written).toEqual([finalizers]);
  });
});
