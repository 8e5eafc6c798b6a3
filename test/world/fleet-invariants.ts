import type { Fields } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { World } from "./world.ts";

const policyIds = [
  "propagationpolicy.karmada.io/permanent-id",
  "clusterpropagationpolicy.karmada.io/permanent-id",
] as const;
const bindingId = "resourcebinding.karmada.io/permanent-id";

/**
 * What is wrong with a world at rest; it knows the Deployments of the namespace shop and what was said about them there. Members that
 * left at some time may have kept what nobody could delete there.
 */
export function brokenInvariants(world: World, left: ReadonlySet<string> = new Set()): readonly string[] {
  const templates = inShop(world.list("deployments"));
  const policies = [...inShop(world.list("propagationpolicies")), ...world.list("clusterpropagationpolicies")];
  const bindings = inShop(world.list("resourcebindings"));
  return [
    ...leaving(world),
    ...templates.flatMap((template) => brokenClaims(template, policies, bindings)),
    ...bindings.flatMap((binding) => brokenBinding(world, binding, { templates, policies })),
    ...orphans(world, bindings, left),
    ...brokenClusters(world, bindings),
  ];
}

function inShop(objects: readonly Fields[]): readonly Fields[] {
  return objects.filter(({ metadata }) => metadata.namespace === "shop");
}

const nameOf = ({ kind, metadata }: Fields) => `${kind} ${metadata.name}`;

/** L8: every deletion ends. */
function leaving(world: World): readonly string[] {
  return [
    "deployments",
    "propagationpolicies",
    "clusterpropagationpolicies",
    "overridepolicies",
    "resourcebindings",
    "works",
    "clusters",
    "namespaces",
  ].flatMap((plural) =>
    world
      .list(plural)
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      .map((object) => `L8: ${nameOf(object)} is still being deleted`),
  );
}

/** S2: one claim at most, by a policy that exists and means the template; and none is missing. */
function brokenClaims(template: Fields, policies: readonly Fields[], bindings: readonly Fields[]): readonly string[] {
  const meaning = policies.filter((policy) => means(policy, template));
  const ids = policyIds.flatMap((label) => template["metadata"].labels?.[label] ?? []);
  const [id] = ids;
  if (ids.length > 1) return [`S2: ${nameOf(template)} is claimed twice`];
  if (id === undefined)
    return meaning.length === 0 ? [] : [`S2: ${nameOf(template)} has no claim, but ${nameOf(meaning[0]!)} means it`];
  const holder = meaning.find(({ metadata }) => policyIds.some((label) => metadata.labels?.[label] === id));
  if (holder === undefined) return [`S2: ${nameOf(template)} is claimed by nobody who means it`];
  const stronger = meaning.find((each) => preempts(each, holder));
  if (stronger !== undefined)
    return [`S2: ${nameOf(template)} is held by ${nameOf(holder)}, although ${nameOf(stronger)} preempts it`];
  const binding = bindings.find(({ spec }) => spec.resource.uid === template["metadata"].uid);
  if (binding === undefined) return [`L1: ${nameOf(template)} is claimed and has no binding`];
  return jsonEquals(binding["spec"].placement, holder["spec"].placement ?? {})
    ? []
    : [`L1: ${nameOf(binding)} does not have the placement of ${nameOf(holder)}`];
}

/** A policy of the namespace takes from all cluster-scoped ones, and of its own kind from those of lower priority. */
function preempts(challenger: Fields, holder: Fields): boolean {
  if (challenger["spec"].preemption !== "Always") return false;
  if (challenger["kind"] !== holder["kind"]) return challenger["kind"] === "PropagationPolicy";
  return challenger["spec"].priority > holder["spec"].priority;
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
  const isClaimed = policyIds.some((label) => metadata.labels?.[label] !== undefined);
  const served = targets.filter(({ name }) => !isSuspended(binding, name));
  return [
    ...(scheduled === "True" && isClaimed ? brokenDivision(binding, template) : []),
    ...served.flatMap((target) => brokenCopy(world, { template, binding, target, isClaimed })),
    ...brokenReports(binding, targets, served),
    ...targets
      .filter(({ name }) => isSuspended(binding, name))
      .flatMap(({ name }) => unsuspendedWorks(world, binding, name)),
  ];
}

function isSuspended({ spec }: Fields, cluster: string): boolean {
  const { dispatching, dispatchingOnClusters } = spec.suspension ?? {};
  return dispatching === true || (dispatchingOnClusters?.clusterNames ?? []).includes(cluster);
}

/** S4: what is suspended says so on its work. */
function unsuspendedWorks(world: World, binding: Fields, cluster: string): readonly string[] {
  const id = binding["metadata"].labels?.[bindingId];
  return world
    .list("works")
    .filter(({ metadata }) => metadata.labels?.[bindingId] === id && metadata.namespace === `karmada-es-${cluster}`)
    .filter(({ spec }) => spec.suspendDispatching !== true)
    .map((work) => `S4: ${nameOf(work)} for ${cluster} is not suspended`);
}

/** L2: a cluster has its execution namespace, and nothing stands for a cluster that is not joined. */
function brokenClusters(world: World, bindings: readonly Fields[]): readonly string[] {
  const joined = new Set(world.list("clusters").map(({ metadata }) => metadata.name));
  const spaces = world
    .list("namespaces")
    .map(({ metadata }) => metadata.name as string)
    .filter((name) => name.startsWith("karmada-es-"))
    .map((name) => name.slice("karmada-es-".length));
  const targets = new Set(bindings.flatMap(({ spec }) => (spec.clusters ?? []).map(({ name }: Fields) => name)));
  return [
    ...spaces.filter((name) => !joined.has(name)).map((name) => `L2: the namespace of ${name} was left behind`),
    ...[...joined].filter((name) => !spaces.includes(name)).map((name) => `L2: ${name} has no execution namespace`),
    ...[...targets].filter((name) => !joined.has(name)).map((name) => `S6: ${name} is a target and not joined`),
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
  readonly isClaimed: boolean;
}

/** L1: each target has what it should have. */
function brokenCopy(world: World, { template, binding, target, isClaimed }: Copy): readonly string[] {
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
  if (!isClaimed) return []; // nobody speaks for it: it runs on as it was
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
      if (targetCluster.clusterNames.includes(cluster)) image = withRegistry(image, overriders.imageOverrider[0].value);
  }
  return image;
}

/** What is added to a registry goes behind it, as in Karmada: two overrides of one copy make one long name. */
function withRegistry(image: string, value: string): string {
  const slash = image.indexOf("/");
  return `${image.slice(0, Math.max(0, slash))}${value}/${image.slice(slash + 1)}`;
}

/** L4: what is said is what is. */
function brokenReports(
  { kind, metadata, status }: Fields,
  targets: readonly Fields[],
  served: readonly Fields[],
): readonly string[] {
  const reported = (status?.aggregatedStatus ?? []).map(({ clusterName }: Fields) => clusterName);
  const names = targets.map(({ name }) => name);
  const applied = status?.conditions?.find(({ type }: Fields) => type === "FullyApplied")?.status;
  return [
    ...(jsonEquals(reported.toSorted(), names.toSorted())
      ? []
      : [`L4: ${kind} ${metadata.name} reports of ${reported}, not of ${names}`]),
    ...(names.length === 0 || served.length < names.length || applied === "True"
      ? []
      : [`L4: ${kind} ${metadata.name} is not fully applied`]),
  ];
}

/** L2: nothing that nobody asked for. */
function orphans(world: World, bindings: readonly Fields[], left: ReadonlySet<string>): readonly string[] {
  const ids = new Map(bindings.map((binding) => [binding["metadata"].labels?.[bindingId], binding]));
  const works = world.list("works").flatMap(({ metadata }) => {
    const id = metadata.labels?.[bindingId];
    if (id === undefined) return []; // a namespace's
    const clusters: readonly Fields[] = ids.get(id)?.["spec"].clusters ?? [];
    return clusters.some(({ name }) => metadata.namespace === `karmada-es-${name}`)
      ? []
      : [`L2: Work ${metadata.namespace}/${metadata.name} belongs to no binding that is there`];
  });
  const staying = world.fleet.members.filter(({ name }) => !left.has(name));
  const copies = staying.flatMap(({ name: member }) =>
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
