import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ObjectKey, ResourceId } from "#api/meta/resource-id.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { policyIdOf } from "#controllers/detector/claim.ts";
import { missingOverrides, prerequisiteOf, schedulePriorityOf } from "#controllers/detector/prerequisites.ts";
import type { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import type { Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { compilePolicy } from "#selection/policy-match.ts";

export const priorityClasses: ResourceId = {
  group: "scheduling.k8s.io",
  version: "v1",
  resource: "priorityclasses",
  kind: "PriorityClass",
  namespaced: false,
};

/** The index of policies under which those are found that wait for something. */
export const prerequisiteIndex = "prerequisite";

export interface PrerequisiteParts {
  /** Of both scopes, indexed by `prerequisite`. */
  readonly policies: readonly Informer<ApiObject>[];
  /** Of both scopes. */
  readonly overrides: readonly Informer<ApiObject>[];
  readonly priorityClasses: Informer<ApiObject>;
  readonly templates: TemplateCatalog;
  /** Gate PriorityBasedScheduling. */
  readonly prioritized: boolean;
}

/** What policies name and cannot do without, from caches. */
export function policyPrerequisites({ policies, overrides, templates, ...parts }: PrerequisiteParts) {
  const exists = (key: ObjectKey) =>
    overrides.find(({ resource }) => resource.namespaced === (key.namespace !== undefined))?.get(key) !== undefined;
  const valueOfClass = (name: string) => {
    const value = (parts.priorityClasses.get({ name }) as Fields | undefined)?.["value"];
    return typeof value === "number" ? value : undefined;
  };
  /** What appears wakes the templates of the policies that waited for it. */
  const watch: Watch = (enqueue) => {
    const stops = [...overrides, parts.priorityClasses].map((informer) =>
      informer.subscribe(({ before, after }) => {
        if (before !== undefined || after === undefined) return;
        for (const policy of policies.flatMap((each) => each.byIndex(prerequisiteIndex, prerequisiteOf(after))))
          for (const key of templatesOf(policy as unknown as Policy, templates)) enqueue(key, "background");
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  };
  return {
    watch,
    /** What has to be seen whole before any of this is known. */
    caches: [...overrides, parts.priorityClasses],
    missingOverrides: (policy: Policy) => missingOverrides(policy, exists),
    priorityOf: (policy: Policy) => schedulePriorityOf(policy, { isOn: parts.prioritized, valueOfClass }),
  };
}

function templatesOf(policy: Policy, templates: TemplateCatalog): ReadonlySet<string> {
  return new Set([...templates.meantBy(compilePolicy(policy)), ...templates.claimedBy(policyIdOf(policy))]);
}
