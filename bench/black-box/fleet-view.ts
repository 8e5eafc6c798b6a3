import { setMaxListeners } from "node:events";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { systemClock } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { type Informer, LiveInformer } from "#runtime/informer.ts";
import { deployments, type Load } from "./load.ts";
import type { MeasuredFleet } from "./measured-fleet.ts";

/** What members have, followed by watches: looking costs the servers nothing. */
export class FleetView implements Disposable {
  readonly #stopping = new AbortController();
  readonly #members: ReadonlyMap<string, Informer<ApiObject>>;

  private constructor(members: (signal: AbortSignal) => ReadonlyMap<string, Informer<ApiObject>>) {
    setMaxListeners(0, this.#stopping.signal);
    this.#members = members(this.#stopping.signal);
  }

  static async open({ members }: MeasuredFleet): Promise<FleetView> {
    const view = new FleetView(
      (signal) =>
        new Map(
          members.map(({ name, client }) => {
            const informer = new LiveInformer<ApiObject>({
              client,
              resource: deployments,
              clock: systemClock,
              log: silentLogger,
            });
            informer.start(signal);
            return [name, informer];
          }),
        ),
    );
    await Promise.all([...view.#members.values()].map((informer) => informer.whenSynced()));
    return view;
  }

  get members(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** How many Deployments of a load a member has, of a certain image if one is named. */
  copies({ namespaces }: Load, member: string, image?: string): number {
    let count = 0;
    for (const copy of this.#members.get(member)?.all() ?? []) {
      if (!namespaces.includes(copy.metadata.namespace ?? "")) continue;
      if (image === undefined || (copy as Fields)["spec"].template.spec.containers[0].image === image) count++;
    }
    return count;
  }

  /** How many replicas of a load all members were asked for. */
  replicas({ namespaces }: Load): number {
    let sum = 0;
    for (const informer of this.#members.values())
      for (const copy of informer.all())
        if (namespaces.includes(copy.metadata.namespace ?? "")) sum += (copy as Fields)["spec"].replicas ?? 0;
    return sum;
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
  }
}
