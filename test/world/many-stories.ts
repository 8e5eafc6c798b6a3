import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { Dice } from "./dice.ts";
import { RoughFleet } from "./rough-fleet.ts";
import { StoryWatch } from "./story-watch.ts";
import { World } from "./world.ts";

export const storyMembers = ["m1", "m2", "m3"];
/** Stories share namespaces, since making those is most of the cost. */
const namespaces = 5;

/** What is on in a world of many stories. */
const modes: readonly Partial<FeatureGates>[] = [
  { StaticPolicy: true },
  { StaticPolicy: true, PropagationPolicyPreemption: true },
  { PropagationPolicyPreemption: true },
];

/**
 * Many stories at once in one fleet, each about a template of its own, policies of both scopes, users who edit, policies that
 * change, suspend and go, in random order with random delays, while the controllers restart. What is wrong, with the template.
 */
export async function tellMany(seed: number, count: number): Promise<readonly string[]> {
  const dice = new Dice(seed);
  const gates = modes[seed % modes.length]!;
  await using world = await World.start({
    seed,
    members: storyMembers,
    pipeline: { gates: gatesWith(gates) },
    launch: (needs) => RoughFleet.launch(needs, {}, { freezes: false }), // thousands of sequences; the swarm looks after that
  });
  const fleet = world.fleet as RoughFleet; // as launched
  const stories = Array.from(
    { length: count },
    (_, index) => new Story(world, dice, { namespace: `n${index % namespaces}`, name: `a${index}` }),
  );
  for (let index = 0; index < namespaces; index++)
    await world.apply(`apiVersion: v1\nkind: Namespace\nmetadata: { name: n${index} }\n`);
  const watch = new StoryWatch(world, { isStatic: gates.StaticPolicy === true });
  const open = stories.map((story) => ({ story, left: 4 + dice.below(6) }));
  while (open.length > 0) {
    const next = dice.of(open);
    await next.story.act();
    if (--next.left === 0) open.splice(open.indexOf(next), 1);
    if (dice.happens(0.3)) await world.clock.advance(dice.of([1, 20, 300, 2_000]));
    if (dice.happens(0.5 / count)) fleet.restartControllers();
  }
  await world.rest();
  return [...watch.complaints, ...stories.flatMap((story) => story.wrong())].map((text) => `seed ${seed}: ${text}`);
}

/** One template and what users do to it and about it. */
class Story {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #namespace: string;
  readonly #name: string;
  readonly #kind: "ConfigMap" | "Deployment";
  #edits = 0;

  constructor(world: World, dice: Dice, { namespace, name }: { readonly namespace: string; readonly name: string }) {
    this.#world = world;
    this.#dice = dice;
    this.#namespace = namespace;
    this.#name = name;
    this.#kind = dice.happens(0.25) ? "Deployment" : "ConfigMap";
  }

  get #path(): string {
    return `${this.#kind.toLowerCase()}s/${this.#namespace}/${this.#name}`;
  }

  /** The next thing that happens; what the server refuses is refused. */
  async act(): Promise<void> {
    const { of } = { of: this.#dice.of.bind(this.#dice) };
    const template = this.#world.get(this.#path);
    const act = template === undefined ? of(["create", "policy"]) : of(acts);
    try {
      await this.#do(act);
    } catch (error: unknown) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  async #do(act: string): Promise<void> {
    const world = this.#world;
    const dice = this.#dice;
    switch (act) {
      case "create":
        return world.apply(this.#manifest());
      case "edit":
        return world.patch(this.#path, { metadata: { annotations: { "example.com/edit": String(++this.#edits) } } });
      case "change":
        return world.patch(
          this.#path,
          this.#kind === "ConfigMap"
            ? { data: { key: String(++this.#edits) } }
            : { spec: { replicas: 1 + dice.below(6) }, metadata: { annotations: { e: String(++this.#edits) } } },
        );
      case "note": // by the system's own key: no edit
        return world.patch(this.#path, { metadata: { labels: { "x.karmada.io/note": String(dice.below(99)) } } });
      case "delete":
        return world.delete(this.#path);
      case "policy":
        return world.apply(this.#policy());
      default: {
        const path = dice.of(this.#policyPaths);
        if (world.get(path) === undefined) return;
        if (act === "drop") return world.delete(path);
        return world.patch(path, { spec: act === "resume" ? { suspension: null } : this.#suspension() });
      }
    }
  }

  #suspension() {
    const dice = this.#dice;
    return dice.happens(0.5)
      ? { suspension: { dispatching: true, dispatchingOnClusters: null } }
      : { suspension: { dispatching: null, dispatchingOnClusters: { clusterNames: dice.some(storyMembers) } } };
  }

  get #policyPaths(): readonly string[] {
    return [
      `propagationpolicies/${this.#namespace}/${this.#name}-1`,
      `propagationpolicies/${this.#namespace}/${this.#name}-2`,
      `clusterpropagationpolicies/${this.#name}`,
    ];
  }

  #manifest(): string {
    const head = `apiVersion: ${this.#apiVersion}\nkind: ${this.#kind}\nmetadata: { name: ${this.#name}, namespace: ${this.#namespace} }\n`;
    if (this.#kind === "ConfigMap") return `${head}data: { key: "0" }\n`;
    return `${head}spec:\n  replicas: ${1 + this.#dice.below(6)}\n  selector: { matchLabels: { app: a } }\n  template:\n    metadata: { labels: { app: a } }\n    spec: { containers: [{ name: main, image: nginx }] }\n`;
  }

  get #apiVersion(): string {
    return this.#kind === "ConfigMap" ? "v1" : "apps/v1";
  }

  #policy(): string {
    const dice = this.#dice;
    const cluster = dice.happens(0.3);
    const name = cluster ? this.#name : dice.of([`${this.#name}-1`, `${this.#name}-2`]);
    const divided =
      this.#kind === "Deployment" && dice.happens(0.5)
        ? ", replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted }"
        : "";
    const selects = dice.happens(0.85) ? this.#name : "other";
    const selector = `{ apiVersion: ${this.#apiVersion}, kind: ${this.#kind}, namespace: ${this.#namespace}, name: ${selects} }`;
    return `apiVersion: policy.karmada.io/v1alpha1
kind: ${cluster ? "ClusterPropagationPolicy" : "PropagationPolicy"}
metadata: { name: ${name}${cluster ? "" : `, namespace: ${this.#namespace}`} }
spec:
  priority: ${dice.below(3)}
  preemption: ${dice.of(["Always", "Never"])}
  resourceSelectors: [${selector}]
  placement: { clusterAffinity: { clusterNames: [${dice.some(storyMembers).join(", ")}] }${divided} }
`;
  }

  /** What is not as it should be, once everything has come to rest. */
  wrong(): readonly string[] {
    const world = this.#world;
    const binding = world.get(`resourcebindings/${this.#namespace}/${this.#name}-${this.#kind.toLowerCase()}`);
    const template = world.get(this.#path);
    const say = (text: string) => [`${this.#name}: ${text}`];
    if (template === undefined) {
      const left = storyMembers.filter((name) => world.member(name).get(this.#path) !== undefined);
      return binding === undefined && left.length === 0
        ? []
        : say(`the template is gone, its copies in ${left} are not`);
    }
    if (binding === undefined) return claimOf(template) === undefined ? [] : say("claimed, but not bound");
    const { clusters = [], placement } = binding["spec"] as { clusters?: Fields[]; placement: Fields };
    if (claimOf(template) !== claimOf(binding)) return say("template and binding are claimed by different policies");
    const wanted = (template["spec"] as Fields | undefined)?.["replicas"] as number | undefined;
    const held = binding["spec"].replicas as number | undefined;
    const given = clusters.map(({ replicas }) => (replicas as number | undefined) ?? 0);
    const divided = (placement as Fields)["replicaScheduling"]?.replicaSchedulingType === "Divided";
    const right = divided ? given.reduce((a, b) => a + b, 0) === held : given.every((each) => each === held);
    if (this.#kind === "Deployment" && clusters.length > 0 && !right)
      return say(`${given.join("+")} replicas of ${held} (the template asks for ${wanted})`);
    return [];
  }
}

const acts = ["edit", "edit", "change", "policy", "policy", "policy", "drop", "suspend", "resume", "note", "delete"];

/** The id of the policy that claims an object. */
export function claimOf({ metadata }: Fields): string | undefined {
  const labels = (metadata.labels ?? {}) as Record<string, string>;
  return (
    labels["propagationpolicy.karmada.io/permanent-id"] ?? labels["clusterpropagationpolicy.karmada.io/permanent-id"]
  );
}
