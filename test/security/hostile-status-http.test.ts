import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import { parseJson } from "#base/parse-json.ts";
import { validateFields } from "#schema/validate-fields.ts";
import { type LyingMember, startLyingMember } from "#test/members/lying-member.ts";
import { eventually, type RemoteMember, register, startRemoteMember } from "#test/members/remote-member.ts";
import { clientOf } from "#test/world/cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { http } from "#test/world/http.ts";
import { hostileStatusText } from "./hostile-statuses.ts";

const count = 200;
const names = Array.from({ length: count }, (_, index) => `web-${index}`);
const extreme: Readonly<Record<string, string>> = {
  large: `{"text":"${"x".repeat(1_500_000)}"}`,
  deep: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
};

let fleet: TestFleet;
let far: RemoteMember;
let liar: LyingMember;
/** Nobody lies so from the start: a status that nobody can read hides all others of its kind. */
let tellsExtremes = false;

beforeAll(async () => {
  fleet = await startTestFleet({ members: ["honest"] });
  far = await startRemoteMember("far");
  liar = await startLyingMember(far, (name) => {
    if (tellsExtremes && Object.hasOwn(extreme, name)) return extreme[name];
    return name.startsWith("web-") ? hostileStatusText(Number(name.slice("web-".length)) + 1) : undefined;
  });
  const user = clientOf(fleet.fleet.controlPlane.server);
  await register(user, { name: "liar", endpoint: liar.url, secret: { token: far.token, caBundle: liar.ca } });
  await post("/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies", {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "all" },
    spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], placement: {} },
  });
  await eventually(
    () => get("/apis/cluster.karmada.io/v1alpha1/clusters/liar"),
    ({ status }) => status?.conditions?.some(({ type, status: value }: Fields) => type === "Ready" && value === "True"),
  );
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await liar?.[Symbol.asyncDispose]();
  await far?.[Symbol.asyncDispose]();
});

const get = async (path: string) => parseJson((await http(fleet.fleet.controlPlane, path)).text).value as Fields; // an object
async function post(path: string, body: object): Promise<void> {
  const { code, text } = await http(fleet.fleet.controlPlane, path, { method: "POST", body: JSON.stringify(body) });
  expect([code, text]).toEqual([201, expect.anything()]);
}

const bindings = "/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings";
const works = "/apis/work.karmada.io/v1alpha1/namespaces/karmada-es-liar/works";
const templates = "/apis/apps/v1/namespaces/default/deployments";
const deploy = (name: string) =>
  post(templates, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "web", image: "nginx:1" }] } },
    },
  });

const reportOf = ({ status }: Fields, cluster: string): Fields | undefined =>
  status?.aggregatedStatus?.find(({ clusterName }: Fields) => clusterName === cluster);

describe("SEC-18: a member that lies about its status, over HTTPS", { timeout: 240_000 }, () => {
  test(`${count} hostile statuses: all is reported, valid, and free of counts that are none`, async () => {
    for (const name of names) await deploy(name);
    const isTold = (each: Fields) =>
      reportOf(each, "liar")?.["applied"] === true && reportOf(each, "honest")?.["status"]?.readyReplicas === 1;
    for (const name of names) await eventually(() => get(`${bindings}/${name}-deployment`), isTold, 60_000);
    const { items } = await get(bindings);
    expect(liar.lies()).toBeGreaterThanOrEqual(count);
    for (const binding of items) {
      const named = { apiVersion: "work.karmada.io/v1alpha2", kind: "ResourceBinding", ...binding };
      expect(validateFields(named, ResourceBindings.namespaced.schema), binding.metadata.name).toEqual([]);
      expect(JSON.stringify(binding.status).length, binding.metadata.name).toBeLessThan(75_000);
    }
    const sent = await get(works);
    for (const work of sent["items"])
      expect(validateFields({ apiVersion: "work.karmada.io/v1alpha1", kind: "Work", ...work }, Works.schema)).toEqual(
        [],
      );
    const leftOut = sent["items"].filter(({ status }: Fields) =>
      status?.conditions?.some(({ type }: Fields) => type === "StatusTruncated"),
    );
    expect(leftOut.length).toBeGreaterThan(20);
    for (const { metadata, status } of (await get(templates))["items"])
      for (const [field, value] of Object.entries(status ?? {}))
        if (typeof value === "number") expect(value, `${metadata.name} ${field}`).toBeGreaterThanOrEqual(0);
    expect(({} as Fields)["polluted"]).toBeUndefined();
  });

  test("a status of more than 1 MiB is left out, and one of 10,000 levels keeps nobody else waiting", async () => {
    tellsExtremes = true;
    for (const name of ["large", "deep", "after"]) await deploy(name);
    for (const name of ["large", "deep", "after"])
      await eventually(
        () => get(`${bindings}/${name}-deployment`),
        (binding) => reportOf(binding, "honest")?.["status"]?.readyReplicas === 1,
        60_000,
      );
    const stored = await http(fleet.fleet.controlPlane, bindings);
    expect(stored.code).toBe(200);
    expect((await http(fleet.fleet.controlPlane, "/readyz")).code).toBe(200);
    expect(stored.text).not.toContain("x".repeat(100_000));
  });
});
