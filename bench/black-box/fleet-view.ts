import { setMaxListeners } from "node:events";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { systemClock } from "#app/system.ts";
import type { Logger } from "#base/logger.ts";
import { type Informer, LiveInformer } from "#runtime/informer.ts";
import { configMaps, deployments, type Load, settingsName } from "./load.ts";
import type { MeasuredCluster, MeasuredFleet } from "./measured-fleet.ts";
import type { Outlook } from "./progress.ts";

export const clusters: ResourceId = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  resource: "clusters",
  kind: "Cluster",
  namespaced: false,
};

const claimLabel = "clusterpropagationpolicy.karmada.io/permanent-id";

/** What a fleet has, followed by watches: looking costs the servers nothing. */
export class FleetView implements Disposable {
  readonly #stopping = new AbortController();
  readonly #copies = new Map<string, Informer<ApiObject>>();
  readonly #settings = new Map<string, Informer<ApiObject>>();
  readonly #templates: Informer<ApiObject>;
  readonly #clusters: Informer<ApiObject>;
  #heard = 0;

  private constructor({ controlPlane, members }: MeasuredFleet) {
    setMaxListeners(0, this.#stopping.signal);
    for (const member of members) {
      this.#copies.set(member.name, this.#follow(member, deployments));
      this.#settings.set(member.name, this.#follow(member, configMaps));
    }
    this.#templates = this.#follow(controlPlane, deployments);
    this.#clusters = this.#follow(controlPlane, clusters);
  }

  static async open(fleet: MeasuredFleet): Promise<FleetView> {
    const view = new FleetView(fleet);
    const all = [...view.#copies.values(), ...view.#settings.values(), view.#templates, view.#clusters];
    await Promise.all(all.map((informer) => informer.whenSynced()));
    return view;
  }

  get members(): readonly string[] {
    return [...this.#copies.keys()];
  }

  /** How many Deployments of a load a member has, of a certain image if one is named. */
  copies(load: Pick<Load, "namespaces">, member: string, image?: string): number {
    let count = 0;
    for (const copy of inNamespaces(this.#copies.get(member), load))
      if (image === undefined || copy["spec"].template.spec.containers[0].image === image) count++;
    return count;
  }

  /** How many replicas of a load all members were asked for. */
  replicas(load: Load): number {
    let sum = 0;
    for (const informer of this.#copies.values())
      for (const copy of inNamespaces(informer, load)) sum += copy["spec"].replicas ?? 0;
    return sum;
  }

  /** How many templates of a load say that so many replicas are available, at their present generation. */
  reporting(load: Load, replicas: number): number {
    let count = 0;
    for (const { status, metadata } of inNamespaces(this.#templates, load))
      if ((status?.availableReplicas ?? 0) === replicas && status?.observedGeneration === metadata.generation) count++;
    return count;
  }

  /** How many templates of a load a cluster policy holds. */
  held(load: Pick<Load, "namespaces">): number {
    let count = 0;
    for (const { metadata } of inNamespaces(this.#templates, load)) if (metadata.labels?.[claimLabel]) count++;
    return count;
  }

  /** Whether a member has the settings of every namespace in that colour. */
  hasSettings(load: Load, member: string, colour: string): boolean {
    const found = [...inNamespaces(this.#settings.get(member), load)].filter(
      ({ metadata, data }) => metadata.name === settingsName && data?.colour === colour,
    );
    return found.length === load.namespaces.length;
  }

  /** Whether the control plane takes a member for healthy. */
  isReady(member: string): boolean {
    const cluster = [...this.#clusters.all()].find(({ metadata }) => metadata.name === member) as Fields | undefined;
    return cluster?.["status"]?.conditions?.some((each: Fields) => each.type === "Ready" && each.status === "True");
  }

  /** How far a load has come. */
  outlook(load: Load): Outlook {
    const heard = () => this.#heard;
    const ofMember = (member: string) => `${member} ${this.copies(load, member)}`;
    return {
      get heard() {
        return heard();
      },
      describe: () =>
        `${this.#running(load)} of ${load.namespaces.length * load.deploymentsEach} templates have a status; copies: ${this.members.map(ofMember).join(", ")}`,
    };
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
  }

  #running(load: Load): number {
    let count = 0;
    for (const { status } of inNamespaces(this.#templates, load)) if (status?.availableReplicas > 0) count++;
    return count;
  }

  #follow({ client, name }: MeasuredCluster, resource: ResourceId): Informer<ApiObject> {
    const informer = new LiveInformer<ApiObject>({ client, resource, clock: systemClock, log: tellingTroubleOf(name) });
    informer.onChange(() => this.#heard++);
    informer.start(this.#stopping.signal);
    return informer;
  }
}

/** What cannot be seen would be waited for in vain. */
function tellingTroubleOf(cluster: string): Logger {
  const log: Logger = {
    error: (message, fields) => console.error(`${cluster}: ${message} ${fields?.["resource"]}: ${fields?.["error"]}`),
    info() {},
    debug() {},
    child: () => log,
  };
  return log;
}

function* inNamespaces(informer: Informer<ApiObject> | undefined, { namespaces }: Pick<Load, "namespaces">) {
  const wanted = new Set(namespaces);
  for (const object of informer?.all() ?? []) if (wanted.has(object.metadata.namespace ?? "")) yield object as Fields;
}
