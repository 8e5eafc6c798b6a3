import type { FeatureGates } from "#api/feature-gates.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { actions } from "./actions.ts";
import { Cast, pathOf, type Subject } from "./cast.ts";
import { checks } from "./checks.ts";
import type { Scenario, Step } from "./parse-story.ts";
import type { PolicyScope, PolicySketch } from "./policy-sketch.ts";
import type { Stage, StageCluster } from "./stage.ts";

/** What a story remembers while it is played. */
export interface Play {
  readonly stage: Stage;
  readonly cast: Cast;
  /** The scope of policies that the story does not say the scope of. */
  readonly scope: PolicyScope;
  readonly policies: Map<string, PolicySketch>;
  /** How the fleet was before the last action. */
  before: string;
  /** Why the last action was refused, if it was. */
  refusal: string | undefined;
  /** Edits so far: each is another one. */
  edits: number;
}

/** A way to say something, and what it does. */
export interface Phrase {
  readonly says: RegExp;
  readonly run: (play: Play, words: readonly (string | undefined)[], block: string | undefined) => Promise<void>;
}

/** Plays a scenario for one scope of policies; an error says at which line it went wrong. */
export async function playScenario(scenario: Scenario, { stage, scope }: { stage: Stage; scope: PolicyScope }) {
  const play: Play = {
    stage,
    scope,
    cast: new Cast(),
    policies: new Map(),
    before: "",
    refusal: undefined,
    edits: 0,
  };
  for (const step of scenario.steps) {
    try {
      await playStep(play, step);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`line ${step.line}: ${step.text}\n${message}`, { cause: error });
    }
  }
  if (play.refusal !== undefined) throw new Error(`refused, and the story does not say so: ${play.refusal}`);
}

async function playStep(play: Play, { kind, text, block }: Step): Promise<void> {
  for (const { says, run } of kind === "action" ? actions : checks) {
    const words = says.exec(text);
    if (words === null) continue;
    if (kind === "check") return play.stage.eventually(() => run(play, words.slice(1), block));
    if (play.refusal !== undefined) throw new Error(`refused before, and the story does not say so: ${play.refusal}`);
    play.before = await stateOf(play.stage);
    await run(play, words.slice(1), block);
    return play.stage.settle();
  }
  throw new Error(`no ${kind} is said like this; test/scenarios/stories/README.md lists the phrases`);
}

/** Bindings, works and what members run, as far as it is anybody's intention. */
export async function stateOf(stage: Stage): Promise<string> {
  const lines = await Promise.all([
    ...["resourcebindings", "clusterresourcebindings", "works"].map((plural) => intentionsIn(stage, plural)),
    ...stage.members.map((member) => copiesIn(stage.member(member), member)),
  ]);
  return lines.flat().toSorted().join("\n");
}

async function intentionsIn({ controlPlane }: Stage, plural: string): Promise<readonly string[]> {
  return (await controlPlane.list(plural)).map(({ metadata, spec }) => {
    const { activation: _, resource: __, ...rest } = (spec ?? {}) as Record<string, unknown>;
    return `${plural}/${metadata.namespace ?? ""}/${metadata.name} ${JSON.stringify(rest)}`;
  });
}

async function copiesIn(cluster: StageCluster, member: string): Promise<readonly string[]> {
  const lines = ["deployments", "configmaps", "secrets", "services", "clusterroles"].map(async (plural) =>
    (await cluster.list(plural))
      .filter(({ metadata }) => metadata.labels?.["karmada.io/managed"] === "true")
      .map(
        ({ metadata, status: _, ...rest }) =>
          `${member}/${plural}/${metadata.namespace ?? ""}/${metadata.name} ${JSON.stringify(rest)}`,
      ),
  );
  return (await Promise.all(lines)).flat();
}

/** `m1, m2 and m3`, or `nowhere`. */
export function namesIn(words: string | undefined): readonly string[] {
  if (words === undefined || words === "nowhere") return [];
  return words.split(/,| and /).map((each) => each.trim());
}

/** Fields as a story writes them, in YAML. */
export function fieldsIn(text: string | undefined): Record<string, unknown> {
  const [document] = parseYamlDocuments(text ?? "{}");
  return (document?.value ?? {}) as Record<string, unknown>;
}

/** The members where a thing has a copy. */
export async function whereIs({ stage }: Play, subject: Subject): Promise<readonly string[]> {
  const found: string[] = [];
  for (const member of stage.members) {
    if ((await stage.member(member).get(pathOf(subject))) !== undefined) found.push(member);
  }
  return found;
}

/** `A=true, B=false`. */
export function gatesIn(text: string | undefined): Partial<FeatureGates> {
  const items = namesIn(text === undefined ? "nowhere" : text).map((item) => item.split("="));
  return Object.fromEntries(items.map(([name, value]) => [name, value === "true"]));
}
