import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { executionFinalizer } from "#api/work/finalizers.ts";
import { type Work, Works } from "#api/work/work.ts";
import type { Client } from "#client/client.ts";

const works = resourceOf(Works);

/** Lets a work go of which nothing is left to do in its member. */
export function releaseWork(client: Client, work: Work): Promise<unknown> {
  const finalizers = (work.metadata.finalizers ?? []).filter((name) => name !== executionFinalizer);
  return client.update(works, { ...work, metadata: { ...work.metadata, finalizers } } as unknown as ApiObject); // a Work
}

/** Whether a work leaves and waits for us to let it go. */
export function isHeld({ metadata }: Work): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(executionFinalizer);
}
