import { afterAll, describe, expect, test } from "vitest";
import type { Manifest } from "#api/meta/manifest.ts";
import type { Answer } from "#interpreter/interpreter.ts";
import { nativeInterpreter } from "#interpreter/interpreter.ts";
import { customizedInterpreter, type Operation } from "./customized-interpreter.ts";
import { LuaHost } from "./lua-host.ts";

const lua = new LuaHost({
  clock: {
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  },
  limitMs: 10_000,
});
afterAll(() => lua[Symbol.asyncDispose]());

const saying = (scripts: Partial<Record<Operation, string | readonly string[]>>) =>
  customizedInterpreter(
    { pending: () => undefined, scriptsFor: (_, operation) => [scripts[operation] ?? []].flat() },
    lua,
  );
const squad: Manifest = {
  apiVersion: "example.io/v1",
  kind: "Squad",
  metadata: { name: "red", namespace: "shop", uid: "u" },
  spec: { size: 6 },
  status: { ready: 2 },
};
const pod = {
  spec: {
    serviceAccountName: "robot",
    nodeSelector: { disk: "ssd" },
    tolerations: [{ key: "gpu", operator: "Exists" }],
    initContainers: [{ name: "i", resources: { requests: { cpu: "3" } } }],
    containers: [
      {
        name: "a",
        resources: { requests: { cpu: "500m", memory: "1Gi" }, limits: { "nvidia.com/gpu": "1" } },
        envFrom: [{ configMapRef: { name: "settings" } }, { secretRef: { name: "token" } }],
      },
    ],
    volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
  },
};
const deployment: Manifest = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop" },
  spec: { replicas: 4, template: pod },
};
const kube = 'local kube = require("kube") ';
const items = [
  { clusterName: "m1", status: { ready: 1 } },
  { clusterName: "m2", status: { ready: 4 } },
] as never;

describe("every operation asks its function", () => {
  const rows: Readonly<Record<string, readonly [Answer<unknown>, unknown]>> = {
    replicas: [
      saying({
        replicaResource: "function GetReplicas(o) return o.spec.size, {resourceRequest={cpu='1'}} end",
      }).replicas(squad),
      { replicas: 6, requirements: { resourceRequest: { cpu: "1" } } },
    ],
    components: [
      saying({
        componentResource: "function GetComponents(o) return {{name='a',replicas=o.spec.size}} end",
      }).components(squad),
      [{ name: "a", replicas: 6 }],
    ],
    revision: [
      saying({ replicaRevision: "function ReviseReplica(o, n) o.spec.size = n return o end" }).reviseReplicas(squad, 2),
      { ...squad, spec: { size: 2 } },
    ],
    retention: [
      saying({ retention: "function Retain(d, o) d.spec.node = o.spec.node return d end" }).retain(squad, {
        ...squad,
        spec: { node: "n1" },
      }),
      { ...squad, spec: { size: 6, node: "n1" } },
    ],
    "status reflection": [
      saying({ statusReflection: "function ReflectStatus(o) return {r = o.status.ready} end" }).reflectStatus(squad),
      { r: 2 },
    ],
    "status reflection of nothing": [
      saying({ statusReflection: "function ReflectStatus(o) return nil end" }).reflectStatus(squad),
      undefined,
    ],
    health: [
      saying({ healthInterpretation: "function InterpretHealth(o) return o.status.ready > 1 end" }).health(squad),
      true,
    ],
    "status aggregation": [
      saying({
        statusAggregation:
          "function AggregateStatus(o, items) o.status = {ready = 0} for _, i in ipairs(items) do o.status.ready = o.status.ready + i.status.ready end return o end",
      }).aggregateStatus(squad, { items, now: "" }),
      { ...squad, status: { ready: 5 } },
    ],
    "dependencies of all customizations, each once": [
      saying({
        dependencyInterpretation: [
          "function GetDependencies(o) return {{apiVersion='v1',kind='Secret',namespace='shop',name='a'}} end",
          "function GetDependencies(o) return {{apiVersion='v1',kind='Secret',namespace='shop',name='a'},{apiVersion='v1',kind='ConfigMap',labelSelector={matchLabels={a='b'}}}} end",
        ],
      }).dependencies(squad),
      [
        { apiVersion: "v1", kind: "Secret", namespace: "shop", name: "a" },
        { apiVersion: "v1", kind: "ConfigMap", labelSelector: { matchLabels: { a: "b" } } },
      ],
    ],
  };
  for (const [name, [answer, value]] of Object.entries(rows)) {
    test(name, async () => expect(await answer).toEqual({ ok: true, value }));
  }

  test("a kind or operation that nobody customizes is answered at once, natively", () => {
    const interpreter = saying({ retention: "not asked" });
    expect(interpreter.replicas(deployment)).toEqual(nativeInterpreter.replicas(deployment));
    expect(interpreter.dependencies(deployment)).toEqual(nativeInterpreter.dependencies(deployment));
    expect(interpreter.health(squad)).toMatchObject({ ok: false, why: "no rule" });
  });

  test("while customizations are not known yet, the answer waits for them", async () => {
    const waits = [Promise.resolve()];
    const source = { pending: () => waits.pop(), scriptsFor: () => [] };
    const answer = customizedInterpreter(source, lua).replicas(deployment);
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual(nativeInterpreter.replicas(deployment));
  });
});

describe("kube says what the native rules say", () => {
  test("accuratePodRequirements", async () => {
    const script = `${kube} function GetReplicas(o) return o.spec.replicas, kube.accuratePodRequirements(o.spec.template) end`;
    const native = nativeInterpreter.replicas(deployment);
    expect(await saying({ replicaResource: script }).replicas(deployment)).toEqual(native);
    expect(native).toMatchObject({ value: { requirements: { resourceRequest: { cpu: "3", memory: "1Gi" } } } });
  });
  test("getPodDependencies", async () => {
    const script = `${kube} function GetDependencies(o) return kube.getPodDependencies(o.spec.template, o.metadata.namespace) end`;
    const native = nativeInterpreter.dependencies(deployment);
    expect(await saying({ dependencyInterpretation: script }).dependencies(deployment)).toEqual(native);
    expect(native).toMatchObject({ value: { length: 4 } });
  });
  for (const [body, result] of [
    ["kube.resourceAdd('100m', '1', '400m')", "1500m"],
    ["kube.resourceAdd('0', '1Gi', '1Gi')", "2Gi"],
    ["kube.resourceAdd()", "0"],
    ["kube.resourceAdd(nil, '1Gi', nil)", "1Gi"],
    ["kube.getPodDependencies({spec={serviceAccountName='robot'}})[1].namespace", "default"],
    ["kube.getResourceQuantity('500m')", 0.5],
    ["kube.getResourceQuantity('1Ki')", 1024],
    ["kube.getResourceQuantity(3)", 3],
    ["kube.accuratePodRequirements({spec={}})", null],
    ["select(2, pcall(kube.getResourceQuantity, 'much'))", '"much" is not an amount'],
    ["(pcall(kube.getPodDependencies, 'x'))", false],
  ] as const) {
    test(`${body} is ${result}`, async () => {
      const script = `${kube} function F() return ${body} end`;
      expect(await lua.run({ script, entry: "F", args: [] })).toEqual({ ok: true, results: [result] });
    });
  }
});

describe("SEC-33: poisoned results are refused, and said to be", () => {
  const refused = async (answer: Answer<unknown>) => {
    const result = await answer;
    return result.ok ? `accepted: ${JSON.stringify(result.value)}` : `${result.why}: ${result.message}`;
  };
  for (const value of ["1e9 * 10", "2^31", "-1", "1.5", "'3'", "nil", "{}", "true", "2^53 + 2", "0/0"]) {
    test(`${value} replicas`, async () => {
      const replicaResource = `function GetReplicas() return ${value} end`;
      expect(await refused(saying({ replicaResource }).replicas(squad))).toMatch(/^faulty: the customization's/);
    });
  }
  for (const value of [
    "{resourceRequest={cpu='much'}}",
    "{resourceRequest=1}",
    "{nodeClaim='x'}",
    "'x'",
    "{resourceRequest={cpu={}}}",
  ]) {
    test(`requirements ${value}`, async () => {
      const replicaResource = `function GetReplicas() return 1, ${value} end`;
      expect(await refused(saying({ replicaResource }).replicas(squad))).toMatch(/^faulty: the customization's/);
    });
  }
  for (const value of [
    "{{kind='Secret',name='a'}}",
    "{{apiVersion='v1',name='a'}}",
    "{{apiVersion='v1',kind='Secret'}}",
    "{{apiVersion='v1',kind='Secret',name=''}}",
    "{{apiVersion='v1',kind='Secret',name={}}}",
    "{{apiVersion='v1',kind='Secret',labelSelector='x'}}",
    "{'v1'}",
    "'x'",
    "(function() local t = {} for i = 1, 1001 do t[i] = {apiVersion='v1',kind='Secret',name='n' .. i} end return t end)()",
  ]) {
    test(`dependencies ${value.slice(0, 60)}`, async () => {
      const dependencyInterpretation = `function GetDependencies() return ${value} end`;
      expect(await refused(saying({ dependencyInterpretation }).dependencies(squad))).toMatch(/^faulty: /);
    });
  }
  for (const change of [
    "o.metadata.name = 'blue'",
    "o.metadata.namespace = 'kube-system'",
    "o.metadata.namespace = nil",
    "o.metadata.uid = 'x'",
    "o.kind = 'Secret'",
    "o.apiVersion = 'v1'",
    "o.metadata = nil",
    "o = nil",
    "o = {}",
    "o = {1}",
  ]) {
    test(`another object: ${change}`, async () => {
      const body = `${change} return o`;
      const interpreter = saying({
        retention: `function Retain(o) ${body} end`,
        replicaRevision: `function ReviseReplica(o) ${body} end`,
        statusAggregation: `function AggregateStatus(o) ${body} end`,
      });
      for (const answer of [
        interpreter.retain(squad, squad),
        interpreter.reviseReplicas(squad, 1),
        interpreter.aggregateStatus(squad, { items, now: "" }),
      ])
        expect(await refused(answer)).toMatch(/^faulty: /);
    });
  }
  test("health that is no boolean, status that is no object", async () => {
    expect(
      await refused(saying({ healthInterpretation: "function InterpretHealth() return 'yes' end" }).health(squad)),
    ).toBe('faulty: the customization\'s healthInterpretation: the health is not a boolean: "yes"');
    const statusReflection = "function ReflectStatus() return 'well' end";
    expect(await refused(saying({ statusReflection }).reflectStatus(squad))).toBe(
      'faulty: the customization\'s statusReflection: the status is not an object: "well"',
    );
  });
});
