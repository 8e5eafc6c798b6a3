import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { dependenciesAnnotation } from "#api/work/binding-keys.ts";
import { templateEvents } from "#api/work/event-reasons.ts";
import { dependenciesFinalizer } from "#api/work/finalizers.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import { podLabelsOf } from "#interpreter/dependents.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import type { Interpreter } from "#interpreter/interpreter.ts";
import type { EventText } from "#runtime/event-recorder.ts";
import { decideReferrer } from "./decide-referrer.ts";
import { type DependencyList, listDependencies, printDependency } from "./dependency-list.ts";
import type { DependentsIndex } from "./dependents-index.ts";
import { isReferrer, referrerOf } from "./referrers.ts";

export interface FindNeeds {
  readonly interpreter: Pick<Interpreter, "dependencies">;
  /** Services and Ingresses; undefined when they do not follow anybody. */
  readonly dependents: DependentsIndex | undefined;
  /** Gate PropagateDeps. */
  readonly enabled: boolean;
}

/** What the template of a referrer needs, and what is needed by nothing but its pods: that is found from now on also when it appears. */
export async function findDependencies(
  { interpreter, dependents }: FindNeeds,
  binding: Binding,
  template: ApiObject,
): Promise<Interpretation<DependencyList>> {
  const manifest = template as unknown as Manifest; // an object with its identity
  const answer = await interpreter.dependencies(manifest);
  if (!answer.ok && answer.why !== "no rule") return answer;
  const podLabels = podLabelsOf(manifest);
  const { namespace } = binding.metadata;
  const pods = podLabels === undefined || namespace === undefined ? undefined : { namespace, podLabels };
  const following = dependents?.follow(bindingKey(binding), pods) ?? [];
  return listDependencies([...(answer.ok ? answer.value : []), ...following], referrerOf(binding));
}

/** The metadata of a binding that records what its template needs, and is held until nobody follows it. */
export function recordOf({ metadata }: Binding, { text }: DependencyList) {
  return {
    annotations: { [dependenciesAnnotation]: text },
    finalizers: [...new Set([...(metadata.finalizers ?? []), dependenciesFinalizer])],
  };
}

/** What is told of a template whose needs were found out. */
export function foundText({ dependencies, leftOut }: DependencyList): EventText {
  const found = dependencies.length === 0 ? "none" : dependencies.map(printDependency).join(", ");
  const message = `Got dependencies: ${found}.${leftOut.length === 0 ? "" : ` Left out: ${leftOut.join(", ")}.`}`;
  return { type: "Normal", reason: templateEvents.getDependencies.succeed, message };
}

/** A binding that is about to be made, and what is to be told of its template then. */
export interface RecordedBinding {
  readonly binding: Binding;
  readonly news?: EventText;
}

/**
 * Records in a binding that is about to be made what its template needs, so that one write carries both. Whatever is not found out here
 * is when the binding is there.
 */
export async function withDependencies(
  needs: FindNeeds,
  binding: Binding,
  template: ApiObject,
): Promise<RecordedBinding> {
  const { enabled } = needs;
  if (!enabled || !isReferrer(binding)) return { binding };
  const found = await findDependencies(needs, binding, template);
  if (!found.ok) return { binding };
  const [step] = decideReferrer({ binding, found, followers: 0, enabled }).steps;
  if (step?.do !== "record") return { binding };
  const { annotations, finalizers } = recordOf(binding, step.list);
  const metadata = {
    ...binding.metadata,
    annotations: { ...binding.metadata.annotations, ...annotations },
    finalizers,
  };
  return { binding: { ...binding, metadata }, news: foundText(step.list) };
}
