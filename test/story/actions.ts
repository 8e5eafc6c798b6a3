import { reconcileRequestAnnotation, releasedClustersAnnotation } from "#api/work/template-keys.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { manifestOf, partOf, parts, pathOf, type Subject } from "./cast.ts";
import { fieldsIn, namesIn, type Phrase, type Play } from "./play.ts";
import { type PolicySketch, placementOn, policyManifest, policyPath } from "./policy-sketch.ts";

const kinds = Object.keys(parts).join("|");

/** What can happen in a story. */
export const actions: readonly Phrase[] = [
  { says: /^I apply$/, run: (play, _, block) => applyManifests(play, block ?? "") },
  { says: /^I try to apply$/, run: (play, _, block) => attempt(play, () => applyManifests(play, block ?? "")) },
  {
    says: new RegExp(`^(${kinds}) (\\S+?)(?: in ([a-z0-9-]+))?(?: with (\\d+) replicas)?(?: is created)?$`),
    async run(play, [kind, name, namespace = "default", replicas = "2"]) {
      const where = partOf(kind!).clusterScoped ? undefined : namespace;
      const subject = play.cast.add({ kind: kind!, name: name!, namespace: where });
      await play.stage.controlPlane.apply(manifestOf(subject, { replicas: Number(replicas), image: "nginx:1" }));
    },
  },
  {
    says: /^(cluster |namespaced )?policy (\S+?)(?: for (.+?))?(?: to ([\w, -]+?))?(?: with (\{.*\}))?(?: is created)?$/,
    run: (play, words) => putPolicy(play, sketchOf(play, words)),
  },
  {
    says: /^I try policy (\S+?)(?: for (.+?))? to ([\w, -]+?)(?: with (\{.*\}))?$/,
    run: (play, [name, target, clusters, more]) =>
      attempt(play, () => putPolicy(play, sketchOf(play, [undefined, name, target, clusters, more]))),
  },
  {
    says: /^policy (\S+) (?:changes|goes) to ([\w, -]+)$/,
    run: (play, [name, clusters]) => editPolicy(play, name!, { placement: placementOn(namesIn(clusters)) }),
  },
  {
    says: /^policy (\S+) changes (\{.*\})$/,
    run: (play, [name, fields]) => editPolicy(play, name!, fieldsIn(fields)),
  },
  {
    says: /^policy (\S+) stops matching (\S+)$/,
    run: (play, [name, target]) =>
      editPolicy(play, name!, { resourceSelectors: [{ ...selectorFor(play, target!), name: "something-else" }] }),
  },
  {
    says: /^policy (\S+) matches (.+)$/,
    run: (play, [name, target]) => editPolicy(play, name!, { resourceSelectors: [selectorFor(play, target!)] }),
  },
  {
    says: /^policy (\S+) is deleted$/,
    run: (play, [name]) => play.stage.controlPlane.delete(policyPath(knownPolicy(play, name!))),
  },
  { says: /^the user edits (.+)$/, run: (play, [who]) => annotate(play, who!, `example.com/edit-${++play.edits}`) },
  {
    says: /^(.+) is scaled to (\d+) replicas$/,
    run: (play, [who, replicas]) => patch(play, who!, { spec: { replicas: Number(replicas) } }),
  },
  {
    says: /^(.+)'s image becomes (\S+)$/,
    run: (play, [who, image]) => patch(play, who!, withImage(image!)),
  },
  {
    says: /^(.+) is (labelled|annotated) (\S+)=(\S*)$/,
    run: (play, [who, how, key, value]) =>
      patch(play, who!, { metadata: { [how === "labelled" ? "labels" : "annotations"]: { [key!]: value! } } }),
  },
  {
    says: /^(.+) is (labelled|annotated) (\S+) no more$/,
    run: (play, [who, how, key]) =>
      patch(play, who!, { metadata: { [how === "labelled" ? "labels" : "annotations"]: { [key!]: null } } }),
  },
  {
    says: /^(\S+) mounts (.+)$/,
    run: (play, [who, mounted]) =>
      patch(play, who!, withVolumes(play, mounted === "nothing" ? [] : mounted!.split(" and "))),
  },
  {
    says: /^cluster (\S+) gets the taint ([\w./-]+):(NoSchedule|NoExecute)$/,
    run: ({ stage }, [name, key, effect]) =>
      stage.controlPlane.patch(`clusters/${name}`, { spec: { taints: [{ key, effect }] } }),
  },
  {
    says: /^cluster (\S+) loses its taints$/,
    run: ({ stage }, [name]) => stage.controlPlane.patch(`clusters/${name}`, { spec: { taints: null } }),
  },
  {
    says: /^cluster (\S+) is (un)?cordoned$/,
    run: ({ stage }, [name, un]) =>
      stage.controlPlane.patch(`clusters/${name}`, {
        spec: { taints: un ? null : [{ key: "cluster.karmada.io/unschedulable", effect: "NoSchedule" }] },
      }),
  },
  { says: /^cluster (\S+) is unjoined$/, run: ({ stage }, [name]) => stage.controlPlane.delete(`clusters/${name}`) },
  {
    says: /^cluster (\S+) changes (\{.*\})$/,
    run: ({ stage }, [name, fields]) => stage.controlPlane.patch(`clusters/${name}`, fieldsIn(fields)),
  },
  { says: /^(\S+(?: \S+)?) changes (\{.*\})$/, run: (play, [who, fields]) => patch(play, who!, fieldsIn(fields)) },
  {
    says: /^the status of (.+) changes (\{.*\})$/,
    run: (play, [who, fields]) =>
      play.stage.controlPlane.patch(pathOf(play.cast.find(who!)), { status: fieldsIn(fields) }, "status"),
  },
  {
    says: /^the binding of (.+) changes (\{.*\})$/,
    async run(play, [who, fields]) {
      const { bindingPathOf } = await import("./cast.ts");
      await play.stage.controlPlane.patch(bindingPathOf(play.cast.find(who!)), { spec: fieldsIn(fields) });
    },
  },
  {
    says: /^the operator asks to reconcile (.+)$/,
    run: (play, [who]) => annotate(play, who!, reconcileRequestAnnotation, `request-${++play.edits}`),
  },
  {
    says: /^(.+) is released on (.+)$/,
    run: (play, [who, clusters]) =>
      annotate(play, who!, releasedClustersAnnotation, clusters === "all clusters" ? null : clusters!),
  },
  {
    says: /^(.+) is deleted in (\S+)$/,
    run: (play, [who, member]) => memberOf(play, member!).delete(copy(play, who!)),
  },
  {
    says: /^(.+)'s image is set to (\S+) in (\S+)$/,
    run: (play, [who, image, member]) => memberOf(play, member!).patch(copy(play, who!), withImage(image!)),
  },
  {
    says: /^(.+) changes in (\S+) (\{.*\})$/,
    run: (play, [who, member, fields]) => memberOf(play, member!).patch(copy(play, who!), fieldsIn(fields)),
  },
  {
    says: /^the status of (.+) in (\S+) becomes (\{.*\})$/,
    run: (play, [who, member, fields]) =>
      memberOf(play, member!).patch(copy(play, who!), { status: fieldsIn(fields) }, "status"),
  },
  { says: /^(\S+) already has$/, run: (play, [member], block) => memberOf(play, member!).apply(block ?? "") },
  { says: /^(.+) is deleted$/, run: (play, [who]) => play.stage.controlPlane.delete(copy(play, who!)) },
  {
    says: /^the controllers restart$/,
    async run({ stage }) {
      await stage.stopControllers();
      await stage.startControllers();
    },
  },
  { says: /^the controllers stop$/, run: ({ stage }) => stage.stopControllers() },
  { says: /^the controllers start$/, run: ({ stage }) => stage.startControllers() },
  {
    says: /^(\d+) (second|minute|hour)s? pass$/,
    run: ({ stage }, [count, unit]) => stage.timePasses(seconds(count!, unit!)),
  },
  { says: /^(\S+) cannot be reached$/, run: ({ stage }, [member]) => stage.reach(member!, false) },
  { says: /^(\S+) can be reached again$/, run: ({ stage }, [member]) => stage.reach(member!, true) },
];

/** Applies manifests and remembers what they name. */
async function applyManifests({ stage, cast }: Play, yaml: string): Promise<void> {
  await stage.controlPlane.apply(yaml);
  for (const { value } of parseYamlDocuments(yaml)) {
    const { kind, metadata } = value as { kind: string; metadata: { name: string; namespace?: string } };
    const part = parts[kind];
    if (part === undefined) continue;
    cast.add({
      kind,
      name: metadata.name,
      namespace: part.clusterScoped ? undefined : (metadata.namespace ?? "default"),
    });
  }
}

async function attempt(play: Play, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    play.refusal = error instanceof Error ? error.message : String(error);
  }
}

function sketchOf(play: Play, [said, name, target, clusters, more]: readonly (string | undefined)[]): PolicySketch {
  const [first, second] = name!.split("/") as [string, string | undefined];
  const scope = said === undefined ? play.scope : said.trim() === "cluster" ? "cluster" : "namespaced";
  return {
    name: second ?? first,
    namespace: second === undefined ? "default" : first,
    scope,
    clusters: namesIn(clusters),
    selectors: (target ?? "Deployments").split(" and ").map((each) => selectorFor(play, each)),
    more: fieldsIn(more),
  };
}

/** `nginx`, `Deployments`, `Deployments labelled app=web`, or `Deployments in user1-*`. */
function selectorFor({ cast }: Play, words: string): object {
  const [, plural, key, value, namespace] = /^(\w+)s(?: labelled (\S+)=(\S+))?(?: in (\S+))?$/.exec(words) ?? [];
  if (plural !== undefined && parts[plural] !== undefined)
    return {
      apiVersion: partOf(plural).apiVersion,
      kind: plural,
      ...(namespace && { namespace }),
      ...(key && { labelSelector: { matchLabels: { [key]: value } } }),
    };
  const { kind, name, namespace: own } = cast.find(words);
  return { apiVersion: partOf(kind).apiVersion, kind, name, ...(own && { namespace: own }) };
}

async function putPolicy(play: Play, sketch: PolicySketch): Promise<void> {
  await play.stage.controlPlane.apply(policyManifest(sketch));
  play.policies.set(sketch.name, sketch);
}

function editPolicy(play: Play, name: string, spec: object): Promise<void> {
  return play.stage.controlPlane.patch(policyPath(knownPolicy(play, name)), { spec });
}

function knownPolicy({ policies }: Play, name: string): PolicySketch {
  const found = policies.get(name);
  if (found === undefined) throw new Error(`the story has no policy ${name}`);
  return found;
}

function annotate(play: Play, who: string, key: string, value: string | null = "now"): Promise<void> {
  return patch(play, who, { metadata: { annotations: { [key]: value } } });
}

function patch({ stage, cast }: Play, who: string, fields: object): Promise<void> {
  return stage.controlPlane.patch(pathOf(cast.find(who)), fields);
}

function copy({ cast }: Play, who: string): string {
  return pathOf(cast.find(who) satisfies Subject);
}

function memberOf({ stage }: Play, name: string) {
  return stage.member(name);
}

function withImage(image: string) {
  return { spec: { template: { spec: { containers: [{ name: "main", image }] } } } };
}

/** Volumes from ConfigMaps and Secrets of the story, or of names that it has not told of: then a ConfigMap's. */
function withVolumes({ cast }: Play, names: readonly string[]) {
  const volumes = names.map((name) =>
    cast.knows(name) && cast.find(name).kind === "Secret"
      ? { name, secret: { secretName: name } }
      : { name, configMap: { name } },
  );
  return { spec: { template: { spec: { volumes } } } };
}

function seconds(count: string, unit: string): number {
  return Number(count) * { second: 1, minute: 60, hour: 3600 }[unit as "second"];
}
