import type { ResourceType } from "#api/meta/resource-type.ts";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import type { Controller } from "#runtime/controller.ts";
import { RoughFleet, type Sabotage } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";
import { gates } from "./actions.ts";
import { addBystanders } from "./bystanders.ts";

/** What the controllers did, by what they did it to: `control plane update works`, `members create deployments`, `turns of detector`. */
export type Counts = Readonly<Record<string, number>>;

/** Who reports on itself by the clock, whatever anybody does. */
const timed: ReadonlySet<string> = new Set(["clusters", "events", "leases", "nodes"]);

/** What a fleet is like, if not as all others. */
interface CountedFleet extends Pick<Sabotage, "slow"> {
  readonly members?: readonly string[];
}

/** Counts what API servers copy: every object that they read of somebody. */
class CountingParts extends SettledParts {
  count: (type: ResourceType) => void = () => {};

  override copyOf<T extends object>(type: ResourceType, object: T, kept?: object): T {
    this.count(type);
    return super.copyOf(type, object, kept);
  }
}

/** A fleet in which every call, every turn and every event of the controllers is counted, and every copy of the API servers. */
export class CountedWorld implements AsyncDisposable {
  readonly world: World;
  readonly #counts = new Map<string, number>();

  private constructor(world: World) {
    this.world = world;
  }

  /** Holds nothing but bystanders, which no action concerns. */
  static async open(bystanders: number, { members, slow }: CountedFleet = {}): Promise<CountedWorld> {
    let counted: CountedWorld | undefined;
    const count = (what: string) => counted?.count(what);
    const wrap = <Facts, Step>(controller: Controller<Facts, Step>): Controller<Facts, Step> => ({
      ...controller,
      gather(key: string, signal: AbortSignal) {
        count(`turns of ${controller.name}`);
        return controller.gather(key, signal);
      },
    });
    const settled = new CountingParts();
    const world = await World.start({
      ...(members && { members }),
      pipeline: { gates },
      launch: (needs) => RoughFleet.launch(needs, { wrap, ...(slow && { slow }) }, { settled }),
    });
    counted = new CountedWorld(world);
    settled.count = ({ plural }) => timed.has(plural) || count(`copies of ${plural}`);
    (world.fleet as RoughFleet).heard = ({ resource }) => timed.has(resource) || count(`events of ${resource}`);
    (world.fleet as RoughFleet).weather = ({ cluster, call: { verb, path } }) => {
      if (path.resource === "events" || path.resource.startsWith("clusters")) return undefined;
      if (cluster !== "flotilla" && verb === "get" && path.resource === "namespaces") return undefined; // whether it is the same cluster
      const resource = path.subresource === undefined ? path.resource : `${path.resource}/${path.subresource}`;
      count(`${cluster === "flotilla" ? "control plane" : "members"} ${verb} ${resource}`);
      return undefined;
    };
    await addBystanders(world, bystanders);
    return counted;
  }

  /** What one action costs until everything rests again. Looks at members that come round by the clock do not count. */
  async costOf(action: (world: World) => Promise<void>): Promise<Counts> {
    this.#counts.clear();
    await action(this.world);
    await this.world.settle();
    const byTheClock = /^turns of (cluster-status|cluster)$/;
    return Object.fromEntries([...this.#counts].filter(([what]) => !byTheClock.test(what)).sort());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}
