import type { Fields } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { World } from "./world.ts";

const policyId = "propagationpolicy.karmada.io/permanent-id";
const bindingId = "resourcebinding.karmada.io/permanent-id";

/** What is wrong with a world at rest; it knows the Deployments of the namespace shop and what was said about them there. */
export function brokenInvariants(world: World): readonly string[] {
  const templates = inShop(world.list("deployments"));
  const policies = inShop(world.list("propagationpolicies"));
  const bindings = inShop(world.list("resourcebindings"));
  return [
    ...leaving(world),
    ...templates.flatMap((template) => brokenClaims(template, policies, bindings)),
    ...bindings.flatMap((binding) => brokenBinding(world, binding, { templates, policies })),
    ...orphans(world, bindings),
  ];
}

function inShop(objects: readonly Fields[]): readonly Fields[] {
  return objects.filter(({ metadata }) => metadata.namespace === "shop");
}

const nameOf = ({ kind, metadata }: Fields) => `${kind} ${metadata.name}`;

/** L8: every deletion ends. */
function leaving(world: World): readonly string[] {
  return ["deployments", "propagationpolicies", "overridepolicies", "resourcebindings", "works"].flatMap((plural) =>
    world
      .list(plural)
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      .map((object) => `L8: ${nameOf(object)} is still being deleted`),
  );
}

/** S2: one claim at most, by a policy that exists and means the template; and none is missing. */
function brokenClaims(template: Fields, policies: readonly Fields[], bindings: readonly Fields[]): readonly string[] {
  const meaning = policies.filter((policy) => means(policy, template));
  const id = template["metadata"].labels?.[policyId];
  if (id === undefined)
    return meaning.length === 0 ? [] : [`S2: ${nameOf(template)} has no claim, but ${nameOf(meaning[0]!)} means it`];
  const holder = meaning.find(({ metadata }) => metadata.labels?.[policyId] === id);
  if (holder === undefined) return [`S2: ${nameOf(template)} is claimed by nobody who means it`];
  const binding = bindings.find(({ spec }) => spec.resource.uid === template["metadata"].uid);
  if (binding === undefined) return [`L1: ${nameOf(template)} is claimed and has no binding`];
  return jsonEquals(binding["spec"].placement, holder["spec"].placement ?? {})
    ? []
    : [`L1: ${nameOf(binding)} does not have the placement of ${nameOf(holder)}`];
}

function means({ spec }: Fields, { metadata }: Fields): boolean {
  return spec.resourceSelectors.some(({ name }: Fields) => name === undefined || name === "" || name === metadata.name);
}

interface Around {
  readonly templates: readonly Fields[];
  readonly policies: readonly Fields[];
}

function brokenBinding(world: World, binding: Fields, { templates }: Around): readonly string[] {
  const { spec, status, metadata } = binding;
  const template = templates.find((each) => each["metadata"].uid === spec.resource.uid);
  if (template === undefined) return [`L2: ${nameOf(binding)} has no template`];
  const targets: readonly Fields[] = spec.clusters ?? [];
  const scheduled = status?.conditions?.find(({ type }: Fields) => type === "Scheduled")?.status;
  const isClaimed = metadata.labels?.[policyId] !== undefined;
  return [
    ...(scheduled === "True" && isClaimed ? brokenDivision(binding, template) : []),
    ...targets.flatMap((target) => brokenCopy(world, { template, binding, target })),
    ...brokenReports(binding, targets),
  ];
}

/** S6: no replica too many and none too few. */
function brokenDivision(binding: Fields, template: Fields): readonly string[] {
  const { clusters = [], placement } = binding["spec"];
  const wanted = template["spec"].replicas;
  const isDivided = placement?.replicaScheduling?.replicaSchedulingType === "Divided";
  const replicas: readonly number[] = clusters.map((target: Fields) => target["replicas"] ?? 0);
  const names: readonly string[] | undefined = placement?.clusterAffinity?.clusterNames;
  const outside = clusters.filter(({ name }: Fields) => names !== undefined && !names.includes(name));
  const right = isDivided
    ? replicas.reduce((sum, each) => sum + each, 0) === wanted
    : replicas.every((each) => each === wanted);
  return [
    ...(right ? [] : [`S6: ${nameOf(binding)} gives ${replicas.join("+")} of ${wanted} replicas`]),
    ...outside.map(({ name }: Fields) => `S6: ${nameOf(binding)} is on ${name}, where its placement is not`),
  ];
}

interface Copy {
  readonly template: Fields;
  readonly binding: Fields;
  readonly target: Fields;
}

/** L1: each target has what it should have. */
function brokenCopy(world: World, { template, binding, target }: Copy): readonly string[] {
  const { name } = template["metadata"];
  const where = `${name} in ${target["name"]}`;
  const copy = world.member(target["name"]).get(`deployments/shop/${name}`);
  if (copy === undefined) return [`L1: ${where} is missing`];
  const image = expectedImage(world, template, target["name"]);
  const replicas = target["replicas"] ?? template["spec"].replicas; // what asks for none is not divided
  const got = copy["spec"].template.spec.containers[0].image;
  const id = binding["metadata"].labels?.[bindingId];
  const works = world
    .list("works")
    .filter(
      ({ metadata }) => metadata.labels?.[bindingId] === id && metadata.namespace === `karmada-es-${target["name"]}`,
    );
  return [
    ...(copy["spec"].replicas === replicas
      ? []
      : [`L1: ${where} has ${copy["spec"].replicas} replicas, not ${replicas}`]),
    ...(got === image ? [] : [`L1: ${where} runs ${got}, not ${image}`]),
    ...(works.length === 1 ? [] : [`L2: ${where} has ${works.length} works`]),
  ];
}

function expectedImage(world: World, template: Fields, cluster: string): string {
  let image = template["spec"].template.spec.containers[0].image;
  const overrides = inShop(world.list("overridepolicies")).toSorted((a, b) =>
    a["metadata"].name < b["metadata"].name ? -1 : 1,
  );
  for (const { spec } of overrides) {
    if (!spec.resourceSelectors.some(({ name }: Fields) => name === template["metadata"].name)) continue;
    for (const { targetCluster, overriders } of spec.overrideRules)
      if (targetCluster.clusterNames.includes(cluster)) image = `${overriders.imageOverrider[0].value}/${image}`;
  }
  return image;
}

/** L4: what is said is what is. */
function brokenReports({ kind, metadata, status }: Fields, targets: readonly Fields[]): readonly string[] {
  const reported = (status?.aggregatedStatus ?? []).map(({ clusterName }: Fields) => clusterName);
  const names = targets.map(({ name }) => name);
  const applied = status?.conditions?.find(({ type }: Fields) => type === "FullyApplied")?.status;
  return [
    ...(jsonEquals(reported.toSorted(), names.toSorted())
      ? []
      : [`L4: ${kind} ${metadata.name} reports of ${reported}, not of ${names}`]),
    ...(names.length === 0 || applied === "True" ? [] : [`L4: ${kind} ${metadata.name} is not fully applied`]),
  ];
}

/** L2: nothing that nobody asked for. */
function orphans(world: World, bindings: readonly Fields[]): readonly string[] {
  const ids = new Map(bindings.map((binding) => [binding["metadata"].labels?.[bindingId], binding]));
  const works = world.list("works").flatMap(({ metadata }) => {
    const id = metadata.labels?.[bindingId];
    if (id === undefined) return []; // a namespace's
    const clusters: readonly Fields[] = ids.get(id)?.["spec"].clusters ?? [];
    return clusters.some(({ name }) => metadata.namespace === `karmada-es-${name}`)
      ? []
      : [`L2: Work ${metadata.namespace}/${metadata.name} belongs to no binding that is there`];
  });
  const copies = world.fleet.members.flatMap(({ name: member }) =>
    inShop(world.member(member).list("deployments")).flatMap(({ metadata }) =>
      bindings.some(
        ({ spec }) =>
          spec.resource.name === metadata.name && spec.clusters?.some(({ name }: Fields) => name === member),
      )
        ? []
        : [`L2: ${metadata.name} in ${member} was left behind`],
    ),
  );
  return [...works, ...copies];
}
