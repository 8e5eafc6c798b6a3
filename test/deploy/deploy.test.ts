import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { installedObjects } from "#app/installation/installed-objects.ts";
import { cloneJson } from "#base/json.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { paintFor } from "#cli/print/paint.ts";
import { createProgram } from "#cli/program.ts";
import { openTestCluster, type TestCluster } from "#test/world/cluster.ts";
import { dockerfileRules, readDockerfile } from "./dockerfile-rules.ts";
import { podRules } from "./pod-rules.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "deploy");
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
const manifests: readonly Fields[] = files.flatMap((file) =>
  parseYamlDocuments(readFileSync(join(folder, file), "utf8")).map(({ value, duplicates }) => {
    expect(duplicates, file).toEqual([]);
    return value as Fields;
  }),
);
const ofKind = (kind: string) => manifests.filter((each) => each["kind"] === kind);
const deployments = ofKind("Deployment");

test("there is something to look at", () => {
  expect(files).toEqual(["controllers.yaml", "webhook.yaml"]);
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(["flotilla-controllers", "flotilla-webhook"]);
});

describe("the manifests are what Kubernetes takes", () => {
  let world: TestCluster;
  beforeAll(async () => {
    world = await openTestCluster();
    const metadata = { name: "karmada-system" };
    await world.client.create(kubernetesResources.Namespace, { apiVersion: "v1", kind: "Namespace", metadata });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  /** As kubectl apply does by default: unknown fields are refused. */
  const create = (object: Fields) => {
    const { registry } = world.cluster.server.core;
    const type = registry.ofKind(object["apiVersion"], object["kind"])!;
    const { group, version, plural: resource } = type;
    return world.cluster.server.call({
      verb: "create",
      path: { group, version, resource, namespace: object["metadata"].namespace },
      user: { name: "admin", groups: ["system:masters"] },
      options: { fieldValidation: "Strict", dryRun: true },
      body: object,
    });
  };

  for (const manifest of manifests)
    test(`${manifest["kind"]} ${manifest["metadata"].name}`, async () => {
      expect(await create(manifest)).toMatchObject({ kind: "object" });
      const mistaken = cloneJson(manifest);
      mistaken["spec"].replica = 1;
      await expect(create(mistaken)).rejects.toThrow("unknown field");
    });
});

describe("what runs is confined", () => {
  for (const { metadata, spec } of deployments)
    for (const rule of podRules)
      test(`${metadata.name} ${rule.name}`, () => {
        const pod = spec.template.spec as Fields;
        expect(rule.isBroken(pod)).toBe(false);
        const broken = cloneJson(pod);
        rule.break(broken);
        expect(rule.isBroken(broken)).toBe(true);
      });
});

describe("what runs goes on", () => {
  for (const { metadata, spec } of deployments)
    test(`${metadata.name} has two replicas, of which one is always there`, () => {
      expect(spec.replicas).toBe(2);
      const budget = ofKind("PodDisruptionBudget").find((each) => each["metadata"].name === metadata.name);
      expect(budget?.["spec"]).toEqual({ minAvailable: 1, selector: spec.selector });
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      const [term] = spec.template.spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution;
      expect(term.podAffinityTerm.labelSelector).toEqual(spec.selector);
    });
});

describe("the manifests fit what they deploy", () => {
  const installed = installedObjects({ webhook: true });

  for (const { metadata, spec } of deployments)
    test(`${metadata.name}: account, image, ports and flags`, () => {
      const pod = spec.template.spec as Fields;
      const account = installed.find(
        (each) => each.kind === "ServiceAccount" && each.metadata.name === pod["serviceAccountName"],
      );
      expect(account?.metadata.namespace).toBe(metadata.namespace);
      const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
      const [container] = pod["containers"];
      expect(container.image).toBe(`flotilla:${version}`);
      const [command, ...flags] = container.args as [string, ...string[]];
      const program = createProgram({ line() {}, note() {}, paint: paintFor({ isTerminal: false, env: {} }) });
      const known = program.commands.find((each) => each.name() === command)?.options.map(({ long }) => long);
      for (const flag of flags) expect(known).toContain(flag.split("=")[0]);
      for (const { containerPort } of container.ports)
        expect(flags.some((flag) => flag.endsWith(`=${containerPort}`) || flag.endsWith(`:${containerPort}`))).toBe(
          true,
        );
      for (const probe of [container.livenessProbe, container.readinessProbe])
        expect(container.ports.map(({ name }: Fields) => name)).toContain(probe.httpGet.port);
    });

  test("the webhook's Service is the one that the configurations name", () => {
    const [service] = ofKind("Service");
    const hooks = installed.flatMap((each) => (each["webhooks"] as readonly Fields[] | undefined) ?? []);
    expect(hooks).not.toHaveLength(0);
    for (const { clientConfig } of hooks)
      expect(clientConfig.service).toMatchObject({
        name: service?.["metadata"].name,
        namespace: service?.["metadata"].namespace,
        port: service?.["spec"].ports[0].port,
      });
    const webhook = deployments.find(({ metadata }) => metadata.name === "flotilla-webhook");
    expect(webhook?.["spec"].template.metadata.labels).toMatchObject(service?.["spec"].selector);
  });
});

describe("the image's recipe", () => {
  const text = readFileSync(join(folder, "Dockerfile"), "utf8");
  for (const rule of dockerfileRules)
    test(rule.name, () => {
      expect(rule.isBroken(readDockerfile(text))).toBe(false);
      expect(rule.isBroken(readDockerfile(`${text}\n${rule.breakingLine}\n`))).toBe(true);
    });

  test("copies what is there, and what is not kept out", () => {
    const kept = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
    const sources = readDockerfile(text)
      .filter(({ word, rest }) => word === "COPY" && !rest.includes("--from="))
      .flatMap(({ rest }) =>
        rest
          .split(/\s+/)
          .filter((each) => !each.startsWith("--"))
          .slice(0, -1),
      );
    expect(sources).toContain("src");
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true);
      expect(kept).toContain(`!${source}`);
    }
    expect(kept.filter((line) => line !== "" && !line.startsWith("#"))[0]).toBe("*");
  });

  test("builds from what it copies, and what is left runs", () => {
    const image = mkdtempSync(join(tmpdir(), "flotilla-image-"));
    try {
      const isCopied = (path: string) => !/\.test\.ts$|\/fixtures(\/|$)/.test(path);
      for (const each of ["package.json", "LICENSE", "tools", "src", "data"])
        cpSync(join(root, each), join(image, each), { recursive: true, filter: isCopied });
      symlinkSync(join(root, "node_modules"), join(image, "node_modules")); // what npm ci gives
      execFileSync(process.execPath, ["tools/build.mjs"], { cwd: image });
      for (const each of ["tools", "src"]) rmSync(join(image, each), { recursive: true });
      const run = (...args: readonly string[]) =>
        execFileSync(process.execPath, ["dist/flotilla.js", ...args], { cwd: image, encoding: "utf8" });
      expect(run("version")).toContain("flotilla");
      expect(run("install", "--dry-run")).toContain("serviceaccount/flotilla-webhook\n");
    } finally {
      rmSync(image, { recursive: true, force: true });
    }
  });

  test("is read by the builder itself, not by a frontend that it would fetch", () => {
    expect(text).not.toMatch(/^#\s*syntax\s*=/m);
  });

  test("is of the version that it is tagged with", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(text).toContain(`flotilla:${version}`);
  });
});
