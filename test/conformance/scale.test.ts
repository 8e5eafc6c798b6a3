import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { type OurServer, send, startOurServer } from "#test/compare/two-servers.ts";

/** Who owns the replicas, as a real kube-apiserver 1.36.0 told it after the same requests. */
describe("writes of a scale move the replicas from manager to manager as on a real kube-apiserver", () => {
  let world: OurServer;
  beforeAll(async () => {
    world = await startOurServer();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const collection = "/apis/apps/v1/namespaces/default/deployments";
  const labels = { a: "b" };
  const deployment = (name: string, replicas: number) => ({
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name, namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  const scale = (name: string, spec?: object) => ({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name },
    ...(spec === undefined ? {} : { spec }),
  });

  async function ask(method: string, path: string, body: object): Promise<Fields> {
    const contentType = path.includes("update") ? "application/merge-patch+json" : "application/apply-patch+yaml";
    const patch = method === "PATCH" ? { contentType } : {};
    return (await send(world.server, { method, path: `${collection}${path}`, body: JSON.stringify(body), ...patch }))
      .json;
  }
  async function owners(name: string): Promise<readonly string[]> {
    const { json } = await send(world.server, { method: "GET", path: `${collection}/${name}` });
    const entries: readonly Fields[] = json["metadata"].managedFields ?? [];
    return entries
      .filter(({ fieldsV1 }) => fieldsV1["f:spec"]?.["f:replicas"] !== undefined)
      .map(({ manager, operation, subresource = "", time }) =>
        [manager, operation, subresource, ...(time === undefined ? [] : ["timed"])].join(" ").trim(),
      );
  }

  test("an update takes them from the creator, an apply of another number is a conflict until it is forced", async () => {
    await ask("POST", "?fieldManager=c", deployment("web", 1));
    expect(await owners("web")).toEqual(["c Update  timed"]);
    await ask("PUT", "/web/scale?fieldManager=u", scale("web", { replicas: 2 }));
    expect(await owners("web")).toEqual(["u Update scale"]);
    const three = scale("web", { replicas: 3 });
    expect(await ask("PATCH", "/web/scale?fieldManager=m", three)).toMatchObject({
      code: 409,
      message: `Apply failed with 1 conflict: conflict with "u" with subresource "scale" using autoscaling/v1: .spec.replicas`,
    });
    expect(await ask("PATCH", "/web/scale?fieldManager=m&force=true", three)).toMatchObject({ spec: { replicas: 3 } });
    expect(await owners("web")).toEqual(["m Apply scale"]);
    await ask("PATCH", "/web/scale?fieldManager=m2", three);
    expect(await owners("web")).toEqual(["m Apply scale", "m2 Apply scale"]);
    expect(await ask("PATCH", "/web/scale?fieldManager=m2", scale("web", { replicas: 5 }))).toMatchObject({
      code: 409,
      message: `Apply failed with 1 conflict: conflict with "m" with subresource "scale": .spec.replicas`,
    });
    await ask("PATCH", "/web/scale?fieldManager=update", { spec: { replicas: 6 } });
    expect(await owners("web")).toEqual(["update Update scale"]);
  });

  test("who applied them to the object and to its scale is two managers", async () => {
    await ask("PATCH", "/both?fieldManager=m", deployment("both", 3));
    await ask("PATCH", "/both/scale?fieldManager=m", scale("both", { replicas: 3 }));
    expect(await owners("both")).toEqual(["m Apply scale", "m Apply  timed"]);
    await ask("PATCH", "/both/scale?fieldManager=m&force=true", scale("both", { replicas: 4 }));
    expect(await owners("both")).toEqual(["m Apply scale"]);
    expect(await ask("PATCH", "/both?fieldManager=m", deployment("both", 3))).toMatchObject({
      code: 409,
      message: `Apply failed with 1 conflict: conflict with "m" with subresource "scale": .spec.replicas`,
    });
  });

  test("who applies no more replicas and was their only owner leaves none", async () => {
    await ask("POST", "?fieldManager=c", deployment("none", 1));
    await ask("PATCH", "/none/scale?fieldManager=m&force=true", scale("none", { replicas: 2 }));
    const scaled = await ask("PATCH", "/none/scale?fieldManager=m", scale("none"));
    expect([scaled["spec"], scaled["status"]]).toEqual([{}, { replicas: 0, selector: "a=b" }]);
    expect(await owners("none")).toEqual([]);
  });
});
