import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import { inParallel } from "#housekeeping/in-parallel.ts";
import type { ResourceFeed } from "#housekeeping/resource-feed.ts";
import { namespaces } from "#housekeeping/resource-ids.ts";
import type { ServedResources } from "#housekeeping/served-resources.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import {
  decideNamespace,
  isTerminating,
  type Namespace,
  type NamespaceFacts,
  type NamespaceStep,
  namespaceFinalizer,
} from "./decide-namespace.ts";
import type { Content, NamespaceCondition } from "./namespace-conditions.ts";

export interface NamespaceNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly served: ServedResources;
  readonly feed: ResourceFeed;
  readonly namespaces: Informer<Namespace>;
  readonly delayMs: number;
}

/** What the last look at a terminating namespace found. */
interface Look {
  readonly atMs: number;
  /** Objects that were asked to go before and are still there. */
  readonly held: number;
  readonly failures: ReadonlyMap<string, string>;
}

const maxPauseMs = 1_000;

/** Empties terminating namespaces and lets them go. */
export function namespaceController(needs: NamespaceNeeds): Controller<NamespaceFacts, NamespaceStep> {
  const looks = new Map<string, Look>();
  return {
    name: "namespace",
    watches: [
      watchInformer(needs.namespaces, ({ before, after }) => [(after ?? before)!.metadata.name]),
      contentWatch(needs),
    ],
    async gather(name) {
      const namespace = needs.namespaces.get({ name });
      if (namespace === undefined || !isTerminating(namespace)) {
        looks.delete(name);
        return undefined;
      }
      const nowMs = needs.clock.nowMs();
      const look = looks.get(name);
      const dueMs = dueTime(namespace, { delayMs: needs.delayMs, look });
      const failures = look?.failures ?? new Map<string, string>();
      if (nowMs < dueMs) return { namespace, nowMs, dueMs, content: [], failures };
      const content = await readContent(needs, name);
      looks.set(name, { atMs: nowMs, held: countHeld(content), failures });
      return { namespace, nowMs, dueMs, content, failures };
    },
    decide: decideNamespace,
    async apply(step, { namespace }) {
      switch (step.do) {
        case "delete": {
          const failures = await deleteContent(needs.client, step.content);
          const look = looks.get(namespace.metadata.name);
          if (look !== undefined) looks.set(namespace.metadata.name, { ...look, failures });
          if (failures.size > 0)
            throw new Error(`cannot delete ${failures.size} objects: ${[...failures.values()][0]}`);
          return;
        }
        case "writeConditions":
          return writeConditions(needs.client, namespace, step.conditions);
        case "finalize":
          return finalize(needs.client, namespace);
      }
    },
  };
}

async function writeConditions(
  client: Client,
  namespace: Namespace,
  conditions: readonly NamespaceCondition[],
): Promise<void> {
  await client.updateStatus(namespaces, { ...namespace, status: { ...namespace.status, conditions } });
}

async function finalize(client: Client, namespace: Namespace): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((each) => each !== namespaceFinalizer);
  const body = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await client.post(namespaces, keyOf(namespace), { verb: "update", subresource: "finalize", body });
}

/** The more is held, the longer changes are gathered before the next look: the work stays in proportion to what goes. */
function dueTime(
  { metadata }: Namespace,
  { delayMs, look }: { readonly delayMs: number; readonly look: Look | undefined },
): number {
  const firstMs = Date.parse(metadata.deletionTimestamp ?? "") + delayMs;
  return look === undefined ? firstMs : Math.max(firstMs, look.atMs + Math.min(look.held - 1, maxPauseMs));
}

function countHeld(content: readonly Content[]): number {
  const marked = ({ metadata }: ApiObject) => metadata.deletionTimestamp !== undefined;
  return content.reduce((sum, { objects }) => sum + objects.filter(marked).length, 0);
}

/** Whatever happens in a terminating namespace may be what it waits for. */
function contentWatch({ feed, namespaces: informer }: NamespaceNeeds): Watch {
  return (enqueue) => {
    const wake = ({ metadata: { namespace } }: ApiObject) => {
      if (namespace === undefined) return;
      const holder = informer.get({ name: namespace });
      if (holder !== undefined && isTerminating(holder)) enqueue(namespace, "background");
    };
    return feed.subscribe({
      present: (_, { object }) => wake(object),
      gone: (_, object) => wake(object),
      listed: () => {
        for (const each of informer.all()) if (isTerminating(each)) enqueue(each.metadata.name, "background");
      },
    });
  };
}

async function readContent({ client, served }: NamespaceNeeds, namespace: string): Promise<readonly Content[]> {
  const lists = await Promise.all(
    served.namespaced().map(async (resource) => ({
      resource,
      objects: (await client.list(resource, { namespace })).items,
    })),
  );
  return lists.filter(({ objects }) => objects.length > 0);
}

/** Asks all of it to go; why what could not be asked, by uid. */
async function deleteContent(client: Client, content: readonly Content[]): Promise<ReadonlyMap<string, string>> {
  const items = content.flatMap(({ resource, objects }) => objects.map((object) => ({ resource, object })));
  const failures = await inParallel(items, ({ resource, object }) =>
    client.delete(resource, keyOf(object), {
      propagationPolicy: "Background",
      preconditions: { uid: object.metadata.uid },
    }),
  );
  return new Map(
    failures.map(({ item, error }) => [
      item.object.metadata.uid,
      error instanceof Error ? error.message : String(error),
    ]),
  );
}
