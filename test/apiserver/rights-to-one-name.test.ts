import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { http } from "#test/world/http.ts";

let world: TestFleet;
const secrets = "/api/v1/namespaces/default/secrets";
const apiGroup = "rbac.authorization.k8s.io";

async function post(path: string, body: object): Promise<void> {
  const { code } = await http(world.fleet.controlPlane, path, { method: "POST", body: JSON.stringify(body) });
  expect(code).toBe(201);
}

/** Jane may read one Secret, and see its changes. */
beforeAll(async () => {
  world = await startTestFleet();
  const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"], resourceNames: ["mine"] }];
  const roles = `/apis/${apiGroup}/v1/namespaces/default`;
  for (const name of ["mine", "theirs"]) await post(secrets, { kind: "Secret", apiVersion: "v1", metadata: { name } });
  await post(`${roles}/roles`, { kind: "Role", apiVersion: `${apiGroup}/v1`, metadata: { name: "one" }, rules });
  await post(`${roles}/rolebindings`, {
    kind: "RoleBinding",
    apiVersion: `${apiGroup}/v1`,
    metadata: { name: "one" },
    roleRef: { apiGroup, kind: "Role", name: "one" },
    subjects: [{ apiGroup, kind: "User", name: "jane" }],
  });
});
afterAll(() => world[Symbol.asyncDispose]());

test.each([
  ["metadata.name=mine", ["mine"]],
  ["metadata.name==mine,type!=other", ["mine"]],
  ["metadata.name=mine,metadata.name=theirs", []],
])("who may list one name lists it by %s", async (fieldSelector, names) => {
  const { code, json } = await listAsJane(fieldSelector);
  expect(code).toBe(200);
  expect(json["items"].map((each: { metadata: { name: string } }) => each.metadata.name)).toEqual(names);
});

test.each([
  "",
  "metadata.name=theirs",
  "metadata.name!=mine",
  "type!=a",
  "type!=a\\,metadata.name=mine", // a value with a comma in it
  "metadata.name=theirs,metadata.name=mine",
])("and nothing by %j", async (fieldSelector) => {
  expect(await listAsJane(fieldSelector)).toMatchObject({ code: 403 });
});

function listAsJane(fieldSelector: string) {
  const path = `${secrets}?fieldSelector=${encodeURIComponent(fieldSelector)}`;
  return http(world.fleet.controlPlane, path, { headers: { "impersonate-user": "jane" } });
}
