import { join } from "node:path";
import { expect } from "vitest";
import type { FeatureGates } from "#api/feature-gates.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import { noDelays } from "#simulator/simulator-options.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { startTestFleet } from "#test/world/fleet.ts";
import { fixturesOf, manifestFiles, type ProposalName } from "./blocks.ts";

/** How long anything that must come may take, on a machine that has other things to do. */
const patienceMs = 20_000;
const intervalMs = 100;

export interface Scenery {
  readonly proposal: ProposalName;
  readonly members: readonly string[];
  readonly gates?: Partial<FeatureGates>;
}

interface ProposalWorld extends AsyncDisposable {
  readonly kubeconfig: string;
  /** What the controllers tell, where the control plane's API server does not. */
  readonly metrics?: () => Promise<string>;
}

/** The embedded fleet, or one of real API servers where the real suite plays the proposals (vitest.real.config.ts). */
async function startWorld({ members, gates = {} }: Scenery): Promise<ProposalWorld> {
  if (process.env["FLOTILLA_STAGE"] !== "real")
    return startTestFleet({ members, gates, simulator: { pace: noDelays, pods: "counted" } });
  const { startKubeWorld } = await import("#test/real/kube-world.ts");
  return startKubeWorld(members, gates);
}

/** A fleet on which one proposal is played, all of it through kubectl. */
export class Stage implements AsyncDisposable {
  readonly kubectl: Kubectl;
  readonly #world: ProposalWorld;
  readonly #scenery: Scenery;
  readonly #applied = new Set<string>();
  #marks = 0;

  private constructor(world: ProposalWorld, scenery: Scenery) {
    this.#world = world;
    this.#scenery = scenery;
    this.kubectl = new Kubectl("v36", world.kubeconfig);
  }

  static async open(scenery: Scenery): Promise<Stage> {
    const stage = new Stage(await startWorld(scenery), scenery);
    await stage.kubectl.run("create", "namespace", "marks");
    return stage;
  }

  /** Applies a file of the proposal as it is printed. */
  async apply(file: string, ...args: readonly string[]): Promise<string> {
    const said = await this.kubectl.run("apply", "-f", this.path(file), ...args);
    this.#applied.add(file);
    return said;
  }

  /** Applies a file of the proposal that must be refused; gives what kubectl complained about. */
  async isRefused(file: string): Promise<string> {
    const complaint = await this.kubectl.fails("apply", "-f", this.path(file));
    this.#applied.add(file);
    return complaint;
  }

  /** Applies what the proposal only names. */
  async supply(manifest: string, ...args: readonly string[]): Promise<string> {
    return await this.kubectl.feed(manifest, "apply", "-f", "-", ...args);
  }

  /** The figures of the controllers. */
  async metrics(): Promise<string> {
    return this.#world.metrics?.() ?? this.kubectl.run("get", "--raw", "/metrics");
  }

  path(file: string): string {
    return join(fixturesOf(this.#scenery.proposal), file);
  }

  /** The manifests of the proposal that nobody has applied, or tried to where they must be refused. */
  untouched(): readonly string[] {
    return manifestFiles(this.#scenery.proposal).filter((file) => !this.#applied.has(file));
  }

  /** Waits until something is so; a wait in vain fails with what was awaited and what was seen last. */
  async until<T>(awaited: string, look: () => Promise<T>, expected: NoInfer<T>): Promise<void> {
    await expect
      .poll(look, { timeout: patienceMs, interval: intervalMs, message: `waited for ${awaited}` })
      .toEqual(expected);
  }

  /**
   * Who holds every Deployment and where it runs: `policy: member1, member2` by `namespace/name`.
   * With `detail`, what each copy shows of itself stands behind its member.
   */
  async deployments(detail?: (copy: Draft) => string): Promise<Readonly<Record<string, string>>> {
    const [templates, ...copies] = await Promise.all(
      ["flotilla", ...this.#scenery.members].map((context) => this.all("deployments", context)),
    );
    const places = new Map(templates!.map((each) => [keyOf(each), [] as string[]]));
    for (const [index, member] of this.#scenery.members.entries()) {
      for (const copy of copies[index]!) {
        const place = detail === undefined ? member : `${member} ${detail(copy)}`;
        places.set(keyOf(copy), [...(places.get(keyOf(copy)) ?? []), place]);
      }
    }
    const holders = new Map(templates!.map((each) => [keyOf(each), holderOf(each)]));
    return Object.fromEntries(
      [...places].map(([key, where]) => [key, `${holders.get(key) ?? "no template"}: ${where.join(", ")}`]),
    );
  }

  /** The members that have an object. */
  async membersWith(...object: readonly string[]): Promise<readonly string[]> {
    const { members } = this.#scenery;
    const found = await Promise.all(
      members.map((member) =>
        this.kubectl.run(`--context=${member}`, "get", ...object, "--ignore-not-found", "-o", "name"),
      ),
    );
    return members.filter((_, index) => found[index] !== "");
  }

  async all(resource: string, context = "flotilla"): Promise<readonly Draft[]> {
    const { items } = await this.kubectl.json<{ readonly items: Draft[] }>(
      `--context=${context}`,
      "get",
      resource,
      "-A",
    );
    return items;
  }

  /**
   * Asks for something new and waits until every member has it. Controllers take things in the order in which they come, so what
   * was asked for before has been dealt with by then, and what did not move will not.
   */
  async caughtUp(): Promise<void> {
    const mark = `mark-${++this.#marks}`;
    await this.supply(markOf(mark), "-n", "marks");
    await Promise.all(
      this.#scenery.members.map((member) =>
        this.kubectl.run(
          `--context=${member}`,
          "wait",
          "--for=create",
          `configmap/${mark}`,
          "-n",
          "marks",
          `--timeout=${patienceMs / 1_000}s`,
        ),
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#world[Symbol.asyncDispose]();
  }
}

/** A Deployment that a proposal only names. */
export function deployment(
  name: string,
  options: { readonly namespace?: string; readonly image?: string } = {},
): string {
  const { namespace = "default", image = "nginx:1" } = options;
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace}, labels: { app: nginx } }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: "${image}" }] }
---
`;
}

/** A namespace, to go before what lies in it. */
export function namespace(name: string): string {
  return `
apiVersion: v1
kind: Namespace
metadata: { name: ${name} }
---
`;
}

function keyOf({ metadata }: Draft): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function holderOf({ metadata: { labels = {} } }: Draft): string {
  return labels["propagationpolicy.karmada.io/name"] ?? labels["clusterpropagationpolicy.karmada.io/name"] ?? "nobody";
}

function markOf(name: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name} }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: ConfigMap, name: ${name} }]
  placement: {}
`;
}
