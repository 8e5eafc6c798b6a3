import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import type { World } from "./world.ts";

/** How long it may take until a suspension that is stored is known to whoever sends. */
const knownWithinMs = 500;
const claimLabels = [
  "propagationpolicy.karmada.io/permanent-id",
  "clusterpropagationpolicy.karmada.io/permanent-id",
] as const;

/**
 * Sees every write of a fleet as it is made, in order, and says which broke a promise: one claim at most; a static template moves only
 * after an edit; a suspended member gets no write; nothing is deleted in a member unless its template went or its cluster was left.
 */
export class StoryWatch {
  readonly complaints: string[] = [];
  readonly #world: World;
  readonly #isStatic: boolean;
  /** What users have said in a template. */
  readonly #said = new Map<string, string>();
  /** The revision of the last edit of a template, and of its last activation. */
  readonly #edits = new Map<string, number>();
  readonly #activations = new Map<string, { readonly revision: number; readonly part: string }>();
  /** Since when a work is suspended. */
  readonly #suspended = new Map<string, number>();

  constructor(world: World, { isStatic }: { readonly isStatic: boolean }) {
    this.#world = world;
    this.#isStatic = isStatic;
    const { controlPlane, members } = world.fleet;
    follow(controlPlane, "work.karmada.io/resourcebindings/", (object, gone, revision) =>
      this.#binding(object, gone, revision),
    );
    follow(controlPlane, "work.karmada.io/works/", (object, gone) => this.#work(object, gone));
    for (const [kind, prefix] of [
      ["configmaps", "/configmaps/"],
      ["deployments", "apps/deployments/"],
    ] as const) {
      follow(controlPlane, prefix, (object, gone, revision) => this.#template(object, gone, revision));
      for (const member of members)
        follow(member, prefix, (object, gone) => this.#copy(member.name, { kind, object, gone }));
    }
  }

  #complain(about: string | undefined, text: string): void {
    this.complaints.push(`${about}: ${text}`);
  }

  /** What users say in a template is seen as it is stored: by the time that they know, controllers may have acted on it. */
  #template(object: Fields, gone: boolean, revision: number): void {
    this.#claims(object);
    const { namespace, name, annotations = {} } = object["metadata"] as ApiObject["metadata"];
    const key = `${namespace}/${name}`;
    const notes = Object.entries(annotations).filter(([each]) => !each.includes("karmada.io/"));
    const said = JSON.stringify([object["data"], object["spec"], notes]);
    const before = this.#said.get(key);
    if (before !== undefined && before !== said) this.#edits.set(key, revision);
    if (gone) this.#said.delete(key);
    else this.#said.set(key, said);
  }

  #claims({ metadata }: Fields): void {
    if (claimLabels.every((label) => metadata.labels?.[label] !== undefined))
      this.#complain(metadata.name, "claimed twice");
  }

  #binding(object: Fields, gone: boolean, revision: number): void {
    const { namespace, name } = (object["spec"] as Fields)["resource"] as { namespace: string; name: string };
    const key = `${namespace}/${name}`;
    this.#claims(object);
    if (gone) return void this.#activations.delete(key);
    const { placement, suspension, conflictResolution } = object["spec"] as Fields;
    const part = JSON.stringify([placement, suspension ?? null, conflictResolution]);
    const last = this.#activations.get(key);
    if (last?.part === part) return;
    if (this.#isStatic && last !== undefined && (this.#edits.get(key) ?? 0) <= last.revision)
      this.#complain(key, `moved without an edit, from ${last.part} to ${part}`);
    this.#activations.set(key, { revision, part });
  }

  #work({ metadata, spec }: Fields, gone: boolean): void {
    const key = `${metadata.namespace}/${metadata.name}`;
    if (gone || spec.suspendDispatching !== true) this.#suspended.delete(key);
    else if (!this.#suspended.has(key)) this.#suspended.set(key, this.#world.clock.nowMs());
  }

  #copy(member: string, { kind, object, gone }: { kind: string; object: Fields; gone: boolean }): void {
    const { namespace, name, annotations = {}, labels = {} } = object["metadata"] as ApiObject["metadata"];
    if (labels["karmada.io/managed"] !== "true" || namespace === undefined) return;
    const binding = this.#world.get(`resourcebindings/${namespace}/${name}-${kind.slice(0, -1)}`);
    if (gone) {
      const targets: readonly Fields[] = binding?.["spec"].clusters ?? [];
      const stays = binding !== undefined && binding["metadata"].deletionTimestamp === undefined;
      if (stays && targets.some((target) => target["name"] === member))
        this.#complain(name, `deleted in ${member}, which is a target`);
      return;
    }
    const work = `${annotations["work.karmada.io/namespace"]}/${annotations["work.karmada.io/name"]}`;
    const since = this.#suspended.get(work);
    const content = JSON.stringify([object["data"], object["spec"], annotations]);
    const key = `${member} ${namespace}/${name}`;
    const changed = this.#contents.get(key) !== content;
    this.#contents.set(key, content);
    if (changed && since !== undefined && this.#world.clock.nowMs() - since > knownWithinMs)
      this.#complain(name, `written in ${member} while suspended`);
  }

  readonly #contents = new Map<string, string>();
}

function follow(
  { server }: EmbeddedCluster,
  prefix: string,
  see: (object: Fields, gone: boolean, revision: number) => void,
): void {
  const { store } = server.core;
  store.watch({
    prefix,
    after: store.revision,
    deliver: (event) => see(event.value as unknown as Fields, event.type === "deleted", event.revision),
  });
}
