import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Work } from "#api/work/work.ts";
import { mergeMembers } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import type { ExecutionStep } from "./decide-execution.ts";
import { letGo } from "./let-go.ts";
import { releaseWork } from "./release-work.ts";
import { isOurs } from "./whose-object.ts";

export interface ActionNeeds {
  readonly client: Client;
  readonly member: { readonly client: Client };
  /** Told of a manifest that the member has an object for already. */
  readonly exists: (manifest: Fields) => void;
  /** Which control plane this is. */
  readonly controlPlaneId: () => string | undefined;
  /** Told of every action after it was tried. */
  readonly tried: (action: ExecutionStep, about: { readonly work: Work; readonly result: "success" | "error" }) => void;
}

const { Namespace } = kubernetesResources;

/** Runs all actions; one that fails does not keep the others from being tried. What failed, if anything did. */
export async function runActions(
  needs: ActionNeeds,
  work: Work,
  actions: readonly ExecutionStep[],
): Promise<Error | undefined> {
  const failures: string[] = [];
  let cause: unknown;
  for (const action of actions) {
    if (action.do === "releaseWork" && failures.length > 0) break;
    try {
      await run(needs, work, action);
      needs.tried(action, { work, result: "success" });
    } catch (error: unknown) {
      needs.tried(action, { work, result: "error" });
      failures.push(error instanceof Error ? error.message : String(error));
      cause = error;
    }
  }
  return failures.length === 0 ? undefined : new Error(failures.join("; "), { cause });
}

function run(needs: ActionNeeds, work: Work, action: ExecutionStep): Promise<unknown> {
  const { client, member, exists } = needs;
  switch (action.do) {
    case "create":
      return member.client.create(action.resource, action.manifest as ApiObject).catch((error: unknown) => {
        if (error instanceof StatusError && error.reason === "AlreadyExists") exists(action.manifest);
        throw error;
      }); // a whole manifest
    case "update": {
      const { observed, manifest } = action;
      const { resourceVersion } = observed.metadata;
      const metadata = mergeMembers<unknown>(manifest["metadata"], { resourceVersion });
      return member.client.update(action.resource, { ...manifest, metadata } as unknown as ApiObject); // as above
    }
    case "delete": {
      // the very object that we saw: one that somebody made anew in the meantime is not ours to delete
      const preconditions = { uid: action.observed.metadata.uid };
      return member.client.delete(action.resource, keyOf(action.observed), {
        propagationPolicy: "Background",
        preconditions,
      });
    }
    case "letGo":
      return member.client.update(action.resource, letGo(action.observed));
    case "letGoNamespace":
      return letGoNamespace(needs, action.name);
    case "refuse":
      throw new Error(action.error);
    case "releaseWork":
      return releaseWork(client, work);
  }
}

async function letGoNamespace({ member: { client }, controlPlaneId }: ActionNeeds, name: string): Promise<void> {
  const found = await client.get(Namespace, { name });
  if (found !== undefined && isOurs(found, controlPlaneId())) await client.update(Namespace, letGo(found));
}
