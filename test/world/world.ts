import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { type RunningFleet, startFleet } from "#app/control-plane.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import type { PipelineOptions } from "#app/pipeline.ts";
import { silentLogger } from "#base/logger.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import type { Random } from "#base/random.ts";
import { type Client, createClient, type NewObject } from "#client/client.ts";
import { premade } from "./slow-parts.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface WorldOptions {
  readonly members?: readonly string[];
  readonly pipeline?: Partial<PipelineOptions>;
  readonly seed?: number;
  /** Keep everything on disk, so that the world can be restarted. */
  readonly durable?: boolean;
  /** Starts the fleet in place of the one that users start. */
  readonly launch?: (needs: LaunchNeeds) => Promise<RunningFleet>;
}

/** What a fleet of a world is made of. */
export interface LaunchNeeds {
  readonly members: readonly string[];
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly pipeline: Partial<PipelineOptions>;
}

/** A whole fleet in this process under a virtual clock: the real servers, the real controllers, simulated members. */
export class World implements AsyncDisposable {
  readonly clock = new VirtualClock(Date.UTC(2026, 10, 15));
  readonly #options: WorldOptions;
  readonly #directory = mkdtempSync(join(tmpdir(), "flotilla-world-"));
  readonly #random: Random;
  #fleet: RunningFleet | undefined;

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed ?? 1);
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const world = new World(options);
    await world.#start();
    await world.settle();
    return world;
  }

  get fleet(): RunningFleet {
    if (this.#fleet === undefined) throw new Error("the world is stopped");
    return this.#fleet;
  }

  /** Applies manifests as a user would, by server-side apply. */
  async apply(yaml: string): Promise<void> {
    for (const { value } of parseYamlDocuments(yaml)) {
      const object = value as NewObject; // a manifest
      const resource = this.#resourceOf(object);
      const namespace = resource.namespaced ? (object.metadata.namespace ?? "default") : undefined;
      const key = { name: object.metadata.name!, ...(namespace === undefined ? {} : { namespace }) };
      if (namespace !== undefined) await this.#ensureNamespace(namespace);
      const metadata = namespace === undefined ? object.metadata : { ...object.metadata, namespace };
      await this.user().patch(resource, key, { type: "apply", patch: { ...object, metadata }, force: true });
    }
  }

  /** `deployments/shop/web` or `clusters/paris`. */
  async delete(path: string): Promise<void> {
    const { resource, key } = this.#locate(this.fleet.controlPlane, path);
    await this.user().delete(resource, key);
  }

  async patch(path: string, patch: object, subresource?: "status"): Promise<void> {
    const { resource, key } = this.#locate(this.fleet.controlPlane, path);
    await this.user().patch(resource, key, {
      type: "merge",
      patch,
      ...(subresource === undefined ? {} : { subresource }),
    });
  }

  /** An object of the control plane. */
  get(path: string): Fields | undefined {
    return this.#read(this.fleet.controlPlane, path);
  }

  list(plural: string): readonly Fields[] {
    return listOf(this.fleet.controlPlane, plural);
  }

  member(name: string) {
    const cluster = this.fleet.members.find((each) => each.name === name);
    if (cluster === undefined) throw new Error(`there is no member ${name}`);
    const client = createClient({ transport: cluster.server, user: admin, manager: "kubectl-edit" });
    return {
      get: (path: string) => this.#read(cluster, path),
      list: (plural: string) => listOf(cluster, plural),
      create: async (object: NewObject) => {
        const resource = resourceIdOf(typeOfKind(cluster, object));
        await client.create(resource, object);
      },
      apply: async (yaml: string) => {
        for (const { value } of parseYamlDocuments(yaml)) {
          const object = value as NewObject; // a manifest
          await client.create(resourceIdOf(typeOfKind(cluster, object)), object);
        }
      },
      patch: async (path: string, patch: object, subresource?: "status") => {
        const { resource, key } = this.#locate(cluster, path);
        await client.patch(resource, key, {
          type: "merge",
          patch,
          ...(subresource === undefined ? {} : { subresource }),
        });
      },
      delete: async (path: string) => {
        const { resource, key } = this.#locate(cluster, path);
        await client.delete(resource, key);
      },
    };
  }

  /** The revision of the control plane's store: how many writes there have been. */
  get revision(): number {
    return this.fleet.controlPlane.server.core.store.revision;
  }

  /** Lets everything come to rest: time passes until nothing is written for a while. */
  async settle(): Promise<void> {
    const total = () =>
      [this.fleet.controlPlane, ...this.fleet.members].reduce((sum, { server }) => sum + server.core.store.revision, 0);
    for (let quiet = 0, last = -1, rounds = 0; quiet < 4; rounds++) {
      if (rounds > 400) throw new Error("the world does not come to rest");
      await this.clock.advance(500);
      // a disk takes real time: what it has not acknowledged yet must not be taken for rest
      if (this.#options.durable === true) await this.#acknowledged();
      quiet = total() === last ? quiet + 1 : 0;
      last = total();
    }
  }

  async #acknowledged(): Promise<void> {
    const clusters = [this.fleet.controlPlane, ...this.fleet.members];
    await new Promise((resolve) => setTimeout(resolve, 15));
    await Promise.all(clusters.map(({ server }) => server.core.store.probe()));
  }

  /**
   * Lets everything come to rest after faults, when the next try of something may be far away: nothing is written for two minutes.
   * Fails when that does not come about within an hour.
   */
  async rest(): Promise<void> {
    const total = () =>
      [this.fleet.controlPlane, ...this.fleet.members].reduce((sum, { server }) => sum + server.core.store.revision, 0);
    for (let quiet = 0, last = -1, rounds = 0; quiet < 12; rounds++) {
      if (rounds > 360) throw new Error("the world does not come to rest");
      await this.clock.advance(10_000);
      quiet = total() === last ? quiet + 1 : 0;
      last = total();
    }
  }

  async timePasses(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1_000);
  }

  /** Stops everything and starts it again over the same data. */
  async restart(): Promise<void> {
    await this.#fleet?.[Symbol.asyncDispose]();
    await this.#start();
    await this.settle();
  }

  user(): Client {
    return createClient({ transport: this.fleet.controlPlane.server, user: admin, manager: "user" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fleet?.[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const { members = ["m1", "m2", "m3"], pipeline = {}, durable = false, launch } = this.#options;
    if (launch !== undefined) {
      this.#fleet = await launch({ members, clock: this.clock, random: this.#random, pipeline });
      return;
    }
    this.#fleet = await startFleet({
      members,
      directory: this.#directory,
      port: 0,
      memory: !durable,
      clock: this.clock,
      random: this.#random,
      log: silentLogger,
      pipeline,
      premade: premade(),
    });
  }

  async #ensureNamespace(name: string): Promise<void> {
    const resource = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false };
    if ((await this.user().get(resource, { name })) === undefined)
      await this.user().create(resource, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }

  #resourceOf(object: NewObject): ResourceId {
    return resourceIdOf(typeOfKind(this.fleet.controlPlane, object));
  }

  #locate(cluster: EmbeddedCluster, path: string) {
    const [plural, ...rest] = path.split("/") as [string, ...string[]];
    const type = typeNamed(cluster, plural);
    const name = rest.at(-1)!;
    return { resource: resourceIdOf(type), key: rest.length === 2 ? { namespace: rest[0]!, name } : { name } };
  }

  #read(cluster: EmbeddedCluster, path: string): Fields | undefined {
    const [plural, ...rest] = path.split("/") as [string, ...string[]];
    const { group } = typeNamed(cluster, plural);
    return cluster.server.core.store.get(`${group}/${plural}/${rest.join("/")}`)?.value;
  }
}

const admin = { name: "user", groups: ["system:masters"] };

function typeNamed({ server }: EmbeddedCluster, plural: string): ResourceType {
  const type = server.core.registry.all().find((each) => each.plural === plural);
  if (type === undefined) throw new Error(`nothing is served under ${plural}`);
  return type;
}

function typeOfKind(
  { server }: EmbeddedCluster,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): ResourceType {
  const type = server.core.registry.ofKind(apiVersion, kind);
  if (type === undefined) throw new Error(`${apiVersion} ${kind} is not served`);
  return type;
}

function resourceIdOf({ group, version, plural, kind, namespaced }: ResourceType): ResourceId {
  return { group, version, resource: plural, kind, namespaced };
}

function listOf(cluster: EmbeddedCluster, plural: string): readonly Fields[] {
  const { group } = typeNamed(cluster, plural);
  const result = cluster.server.core.store.list({ prefix: `${group}/${plural}/` });
  return result.ok ? result.entries.map(({ value }) => value as ApiObject) : [];
}

/** Repeatable randomness: one seed, one world. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const hex = (digits: number) => {
    let text = "";
    for (let index = 0; index < digits; index++) text += "0123456789abcdef"[Math.floor(next() * 16)];
    return text;
  };
  return {
    fraction: next,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${"89ab"[Math.floor(next() * 4)]}${hex(3)}-${hex(12)}`,
  };
}
