import type { FeatureGates } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import type { Stage, StageCluster } from "#test/story/stage.ts";
import type { KubeAccess } from "./kube-access.ts";
import type { KubeTheatre } from "./kube-theatre.ts";

/** How long what a story says may take to come about. */
const patienceMs = 20_000;
const intervalMs = 50;
/** What a story may leave behind, in the order in which it is cleared away. */
const ours = [
  "propagationpolicies",
  "clusterpropagationpolicies",
  "overridepolicies",
  "clusteroverridepolicies",
  "clustertaintpolicies",
  "resourceinterpretercustomizations",
  "workloadrebalancers",
];
const remains = ["resourcebindings", "clusterresourcebindings"];

/** A stage on real API servers, in real time. The next story finds it as this one did. */
export async function kubeStage(theatre: KubeTheatre, gates: Partial<FeatureGates>): Promise<Stage> {
  await theatre.play(gates);
  const { controlPlane, members } = theatre;
  const clusters = await controlPlane.list("clusters");
  const props = new Props(controlPlane);
  const copies = new Map([...members].map(([name, access]) => [name, new Props(access)]));
  const unplayable = (what: string) => Promise.reject(new Error(`cannot ${what}: tag the story`));
  return {
    members: [...members.keys()],
    controlPlane: props,
    member: (name) => copies.get(name)!,
    settle: () => theatre.settle(),
    stopControllers: () => theatre.stopControllers(),
    startControllers: () => theatre.startControllers(),
    timePasses: () => unplayable("let time pass (@virtual-clock)"),
    reach: () => unplayable("cut a member off (@faults)"),
    eventually,
    async [Symbol.asyncDispose]() {
      if (!theatre.isPlaying) await theatre.startControllers();
      const { applied } = props;
      await Promise.all([...copies.values(), props].map((each) => each.clear()));
      await Promise.all(ours.map((plural) => deleteAll(controlPlane, plural)));
      await restoreClusters(theatre, clusters);
      await eventually(async () => {
        // templates that were there before keep their binding when the policy goes
        const left = (await Promise.all(remains.map((plural) => deleteAll(controlPlane, plural)))).flat();
        if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
      });
      await theatre.settle();
      // copies that a policy said to preserve
      await Promise.all(
        [...members.values()].flatMap((access) => applied.map((path) => access.delete(path).catch(() => {}))),
      );
      await theatre.forgetEvents();
    },
  };
}

/** The paths of what there was. */
async function deleteAll(access: KubeAccess, plural: string): Promise<readonly string[]> {
  const paths = (await access.list(plural)).map((object) => pathOf(plural, object));
  await Promise.all(paths.map((path) => access.delete(path)));
  return paths;
}

/** Tries until it holds or patience is over. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error: unknown) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
  }
}

/** As a story writes it. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields;
}

/** Remembers what a story applies, to clear it away. */
class Props implements StageCluster {
  readonly #access: KubeAccess;
  #applied: string[] = [];

  /** Paths, without namespaces: those stay. */
  get applied(): readonly string[] {
    return this.#applied.filter((path) => !path.startsWith("namespaces/"));
  }

  constructor(access: KubeAccess) {
    this.#access = access;
  }

  get = (path: string) => this.#access.get(path);
  list = (plural: string) => this.#access.list(plural);
  patch = (path: string, patch: object, subresource?: "status") => this.#access.patch(path, patch, subresource);
  delete = (path: string) => this.#access.delete(path);

  async apply(yaml: string): Promise<void> {
    const documents = parseYamlDocuments(yaml).map(({ value }) => value as Manifest);
    for (const document of documents) this.#applied.push(await this.#access.pathOf(document));
    await this.#access.apply(yaml);
  }

  async clear(): Promise<void> {
    for (const path of this.applied.toReversed()) {
      await this.#access.delete(path);
      const { finalizers = [] } = (await this.#access.get(path))?.metadata ?? {};
      // those that a story set itself
      if (finalizers.some((each: string) => each.startsWith("example.com/")))
        await this.#access.patch(path, { metadata: { finalizers: null } });
    }
    this.#applied = [];
  }
}

/** What a story did to clusters is undone, and those that left come back. */
async function restoreClusters(theatre: KubeTheatre, before: readonly Fields[]): Promise<void> {
  const { controlPlane } = theatre;
  for (const { metadata, spec } of before) {
    const path = `clusters/${metadata.name}`;
    const now = await controlPlane.get(path);
    if (now === undefined) {
      await theatre.join(metadata.name);
      continue;
    }
    const labels = withoutNew(now.metadata.labels ?? {}, metadata.labels ?? {});
    if (jsonEquals(now["spec"], spec) && jsonEquals(now.metadata.labels, metadata.labels)) continue;
    await controlPlane.patch(path, { metadata: { labels }, spec: withoutNew(now["spec"], spec) });
  }
}

/** A merge patch back to how it was. */
function withoutNew(now: Fields, before: Fields): Record<string, unknown> {
  return { ...Object.fromEntries(Object.keys(now).map((key) => [key, null])), ...before };
}

function pathOf(plural: string, { metadata }: Fields): string {
  return metadata.namespace === undefined
    ? `${plural}/${metadata.name}`
    : `${plural}/${metadata.namespace}/${metadata.name}`;
}
