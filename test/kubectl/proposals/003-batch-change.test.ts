import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deployment, namespace, Stage } from "./stage.ts";

/** Proposal 003: many workloads change their policy at once, and only those that are meant. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({
    proposal: "003-batch-change",
    members: ["member1", "member2"],
    gates: { PropagationPolicyPreemption: true },
  });
});
afterAll(() => stage[Symbol.asyncDispose]());

const namespaces = [
  ...["user1-1", "user1-2", "user2-1"],
  ...["namespace1", "namespace2", "namespace3", "namespace4"],
  ...["group1-a", "group1-1-a"],
];
const byDefault = "default-cpp: member1, member2";
const byCustom = "custom-cpp: member1";
const byName = "nginx-pp: member1";

test("motivation: the default policy sends everybody's Deployments to member1 and member2", async () => {
  await stage.apply("2-default-cpp.yaml");
  await stage.supply(
    namespaces.map((each) => namespace(each) + deployment("app", { namespace: each })).join("") +
      deployment("nginx-deploy", { namespace: "user2-1" }),
  );
  await stage.until("default-cpp to take all", () => stage.deployments(), fleet({ "user2-1/nginx-deploy": byDefault }));
});

test("summary: a preempting policy takes what it names, and only that", async () => {
  await stage.apply("1-nginx-pp.yaml");
  await stage.until("nginx-pp to take nginx-deploy", () => stage.deployments(), fleet({}));
  await stage.caughtUp();
  expect(await stage.deployments()).toEqual(fleet({}));
});

describe("first solution: patterns of namespaces", () => {
  test("a prefix takes what is there and what comes, in the namespaces that begin with it", async () => {
    await stage.apply("3-custom-cpp-prefix.yaml");
    const taken = { "user1-1/app": byCustom, "user1-2/app": byCustom };
    await stage.until("custom-cpp to take user1's", () => stage.deployments(), fleet(taken));
    await stage.supply(deployment("later", { namespace: "user1-2" }));
    await stage.until(
      "custom-cpp to take what is new",
      () => stage.deployments(),
      fleet({ ...taken, "user1-2/later": byCustom }),
    );
    await stage.kubectl.run("delete", "deploy", "later", "-n", "user1-2");
  });

  test("a bare * is no YAML, and is refused where it is (ruling 10)", async () => {
    expect(await stage.isRefused("4-custom-cpp-bare-star.yaml")).toContain(
      "did not find expected alphabetic or numeric character",
    );
    const quoted = readFileSync(stage.path("4-custom-cpp-bare-star.yaml"), "utf8").replace(
      "namespace: *",
      'namespace: "*"',
    );
    const { code, stderr } = await stage.kubectl.try(["apply", "-f", "-"], { input: quoted });
    expect(code).toBe(1);
    expect(stderr).toMatch(/spec\.resourceSelectors\[0\]\.namespace: Invalid value: "\*": .*\{prefix\}\*/);
  });

  test("a list takes exactly these, and what is not meant any more is matched anew", async () => {
    await stage.apply("5-custom-cpp-list.yaml");
    const taken = { "namespace1/app": byCustom, "namespace2/app": byCustom, "namespace3/app": byCustom };
    await stage.until(
      "custom-cpp to take three namespaces and to let go of user1's",
      () => stage.deployments(),
      fleet(taken),
    );
    await stage.caughtUp();
    expect(await stage.deployments()).toEqual(fleet(taken));
  });

  test("finer prefixes of higher priority take from coarser ones", async () => {
    await stage.kubectl.run("delete", "cpp", "custom-cpp");
    await stage.apply("6-default-and-group-cpps.yaml");
    await stage.until("the finest policy to hold each", holders, {
      ...Object.fromEntries(namespaces.map((each) => [`${each}/app`, "default-cpp"])),
      "group1-a/app": "gourp1-custom-cpp",
      "group1-1-a/app": "gourp1-1-custom-cpp",
      "user2-1/nginx-deploy": "nginx-pp",
    });
  });

  test("a placement that names no cluster moves nothing and says so (ruling 19)", async () => {
    for (const group of ["group1-a", "group1-1-a"]) {
      await stage.kubectl.run(
        "wait",
        "rb/app-deployment",
        "-n",
        group,
        "--for=condition=Scheduled=False",
        "--timeout=20s",
      );
      expect(await stage.membersWith("deploy/app", "-n", group)).toContain("member1");
    }
    await stage.kubectl.run("delete", "cpp", "gourp1-custom-cpp", "gourp1-1-custom-cpp");
    await stage.apply("2-default-cpp.yaml");
    await stage.until("default-cpp to have all again", () => stage.deployments(), fleet({}));
  });
});

describe("second solution: exclusion", () => {
  const file = "8-exclude-both-forms.yaml";
  const taken = {
    ...Object.fromEntries(namespaces.map((each) => [`${each}/app`, byCustom])),
    "user1-1/x": "users-own: member2",
    "user2-1/x": byCustom,
  };

  test("what is excluded goes to its user's own policy, everything else stays", async () => {
    await stage.supply(deployment("x", { namespace: "user1-1" }) + deployment("x", { namespace: "user2-1" }));
    await waitingUser();
    await stage.apply(file);
    await stage.until("user1's x to be let go", () => stage.deployments(), fleet(taken));
    await stage.caughtUp();
    expect(await stage.deployments()).toEqual(fleet(taken));
  });

  test.each([
    { form: "exclude", at: 0 },
    { form: "excludeResourceSelectors", at: 1 },
  ])("$form does so alone", async ({ form, at }) => {
    const alone = documents()[at]!;
    expect(alone).toContain(`${form}:\n`);
    await stage.kubectl.run("delete", "pp", "users-own", "-n", "user1-1");
    await waitingUser();
    await stage.supply(alone);
    await stage.until("user1's x to be let go", () => stage.deployments(), fleet(taken));
  });

  test("every manifest was applied", () => {
    expect(stage.untouched()).toEqual([]);
  });

  /** What the file prints, one by one: both forms change the same policy. */
  function documents(): readonly string[] {
    return readFileSync(stage.path(file), "utf8").split("---\n");
  }

  /** The policy that excludes another name holds everything; the user's own waits. */
  async function waitingUser(): Promise<void> {
    await stage.supply(documents()[0]!.replace("name: x #", "name: other #"));
    await stage.until("custom-cpp to take all", () => stage.deployments(), fleet({ ...taken, "user1-1/x": byCustom }));
    await stage.supply(usersOwn);
    await stage.caughtUp();
    expect(await stage.deployments()).toEqual(fleet({ ...taken, "user1-1/x": byCustom }));
  }
});

/** Where everything is: as the default policy says, but for nginx-deploy and what is given. */
function fleet(changed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(namespaces.map((each) => [`${each}/app`, byDefault])),
    "user2-1/nginx-deploy": byName,
    ...changed,
  };
}

/** Who holds what. */
async function holders(): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(Object.entries(await stage.deployments()).map(([key, text]) => [key, text.split(":")[0]!]));
}

const usersOwn = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: users-own, namespace: user1-1 }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: x }]
  placement: { clusterAffinity: { clusterNames: [member2] } }
`;
