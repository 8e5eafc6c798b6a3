import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { crdOf } from "#api/crd-of.ts";
import { ourKinds } from "#api/our-kinds.ts";

/** Every place where one of our CRDs is not exactly Karmada's, with the ruling (or the proposals) that wants it so. */
const selectorDifferences = {
  "spec.resourceSelectors[].exclude: added": "ruling 11",
};
const suspensionDifferences = {
  "spec.suspension.suspendDispatching: added": "ruling 12",
  "spec.suspension.suspendDispatchingOnClusters: added": "ruling 12",
};
const propagationDifferences = {
  ...selectorDifferences,
  ...suspensionDifferences,
  "spec.excludeResourceSelectors: added": "ruling 11",
};
const bindingDifferences = {
  ...suspensionDifferences,
  "spec.activation: added": "ruling 4",
  ': required is undefined, not ["spec"]': "the proposals print a binding without spec",
  'spec: default is {"resource":{"apiVersion":"","kind":"","name":""}}, not undefined': "the same",
};
const differences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "propagationpolicies.policy.karmada.io": propagationDifferences,
  "clusterpropagationpolicies.policy.karmada.io": propagationDifferences,
  "overridepolicies.policy.karmada.io": selectorDifferences,
  "clusteroverridepolicies.policy.karmada.io": selectorDifferences,
  "resourcebindings.work.karmada.io": bindingDifferences,
  "clusterresourcebindings.work.karmada.io": bindingDifferences,
  "works.work.karmada.io": {
    'spec.workload.manifests[]: type is undefined, not "object"':
      "the proposals print a work with a placeholder as manifest",
  },
  "clustertaintpolicies.policy.karmada.io": {},
  "workloadrebalancers.apps.karmada.io": {},
  "resourceinterpretercustomizations.config.karmada.io": {},
};

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: object;
    readonly scope: string;
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly subresources?: object;
      readonly additionalPrinterColumns?: readonly object[];
      readonly schema: { readonly openAPIV3Schema: Node };
    }[];
  };
}
type Node = Readonly<Record<string, unknown>>;

const upstream = JSON.parse(readFileSync(new URL("./fixtures/karmada-crds.json", import.meta.url), "utf8")) as Record<
  string,
  Definition
>;
// What crdOf returns is JSON of this shape.
const ours = new Map(ourKinds.map((kind) => [`${kind.plural}.${kind.group}`, crdOf(kind) as unknown as Definition]));

test("every kind of Karmada that we have is compared", () => {
  const compared = Object.keys(upstream).toSorted();
  expect(Object.keys(differences).toSorted()).toEqual(compared);
  expect([...ours.keys()].filter((name) => !compared.includes(name))).toEqual(["clusters.cluster.karmada.io"]);
});

/** What static policies hold back shows in `kubectl get rb` (issue of the five proposals, ruling 5). */
const ownColumns = new Set(["PENDING"]);

for (const [name, theirs] of Object.entries(upstream)) {
  const mine = ours.get(name)!;
  const [theirVersion, myVersion] = [theirs.spec.versions[0]!, mine.spec.versions[0]!];

  test(`${name}: names, scope, columns and subresources equal Karmada's`, () => {
    const { versions: _, ...rest } = mine.spec;
    const { versions: __, ...theirRest } = theirs.spec;
    expect(rest).toEqual(theirRest);
    expect(myVersion.name).toBe(theirVersion.name);
    expect([myVersion.served, myVersion.storage]).toEqual([true, true]);
    const columns = myVersion.additionalPrinterColumns?.filter(
      (column) => !ownColumns.has((column as { name: string }).name),
    );
    expect(columns).toEqual(theirVersion.additionalPrinterColumns);
    expect(myVersion.subresources ?? {}).toEqual(theirVersion.subresources ?? {});
  });

  test(`${name}: the schema differs from Karmada's only where a ruling says so`, () => {
    const found = compare(theirVersion.schema.openAPIV3Schema, myVersion.schema.openAPIV3Schema, "");
    expect(found.toSorted()).toEqual(Object.keys(differences[name]!).toSorted());
  });
}

function compare(theirs: Node, mine: Node, path: string): string[] {
  const structure = new Set(["description", "properties", "items", "additionalProperties"]);
  const keywords = new Set([...Object.keys(theirs), ...Object.keys(mine)].filter((keyword) => !structure.has(keyword)));
  const found: string[] = [];
  for (const keyword of keywords) {
    const [their, my] = [inOrder(theirs[keyword]), inOrder(mine[keyword])];
    if (their !== my) found.push(`${path}: ${keyword} is ${my}, not ${their}`);
  }
  found.push(...compareFields(properties(theirs), properties(mine), path));
  for (const [keyword, mark] of [
    ["items", "[]"],
    ["additionalProperties", "{}"],
  ] as const) {
    const [their, my] = [theirs[keyword], mine[keyword]];
    if (isNode(their) && isNode(my)) found.push(...compare(their, my, `${path}${mark}`));
    else if (their !== my) found.push(`${path}: ${keyword} is not alike`);
  }
  return found;
}

function compareFields(theirs: Record<string, Node>, mine: Record<string, Node>, path: string): string[] {
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const found = Object.keys(mine)
    .filter((name) => !Object.hasOwn(theirs, name))
    .map((name) => `${at(name)}: added`);
  for (const [name, their] of Object.entries(theirs)) {
    const my = mine[name];
    if (my === undefined) found.push(`${at(name)}: missing`);
    else found.push(...compare(their, my, at(name)));
  }
  return found;
}

function properties(node: Node): Record<string, Node> {
  return (node["properties"] ?? {}) as Record<string, Node>;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** Requirements and choices are sets. */
function inOrder(value: unknown): string | undefined {
  return JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
}
