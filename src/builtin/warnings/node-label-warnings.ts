import { labelValueErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { member } from "#base/json.ts";

const deprecated: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

/** What is to be said of a label of nodes that has another name now. */
export function nodeLabelProblem(label: string | undefined): string | undefined {
  return label === undefined ? undefined : (member(deprecated, label) as string | undefined); // as listed above
}

/** The same of the keys of a selector's labels. */
export function nodeSelectorWarnings(labels: Fields | undefined, at: (label: string) => string): string[] {
  return Object.keys(labels ?? {}).flatMap((label) => {
    const problem = nodeLabelProblem(label);
    return problem === undefined ? [] : [`${at(label)}: ${problem}`];
  });
}

/** Of expressions about labels of nodes; values that no label has are told of where they are only preferred. */
export function nodeExpressionWarnings(
  expressions: readonly Fields[] | undefined,
  path: string,
  { values: judgesValues = false }: { readonly values?: boolean } = {},
): string[] {
  return (expressions ?? []).flatMap(({ key, values = [] }, index) => {
    const at = `${path}[${index}]`;
    const problem = nodeLabelProblem(key);
    const named = problem === undefined ? [] : [`${at}.key: ${key} is ${problem}`];
    if (!judgesValues) return named;
    const bad = (values as readonly string[]).flatMap((value, place) =>
      labelValueErrors(value).map((message) => `${at}.values[${place}]: ${value} is invalid, ${message}`),
    );
    return [...named, ...bad];
  });
}
