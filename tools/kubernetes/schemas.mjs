// The component schemas that the served resources reach, one copy each, as Kubernetes publishes them.
import { groupVersions } from "./modules.mjs";
import { readOpenApi } from "./resources.mjs";

const referencePrefix = "#/components/schemas/";
const metaPrefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";
/** What every document refers to besides its kinds. */
const alwaysServed = ["DeleteOptions", "Status", "WatchEvent", "Patch", "APIResourceList", "ObjectMeta", "ListMeta"];

/** Name to schema; `$ref` holds the bare name. */
export function collectSchemas(folders, resources) {
  const all = {};
  for (const served of groupVersions) {
    for (const [name, schema] of Object.entries(readOpenApi(folders, served).components.schemas)) {
      all[name] = name in all ? sameButKinds(name, all[name], schema) : schema;
    }
  }
  const wanted = new Set();
  const reach = (name) => {
    if (wanted.has(name)) return;
    if (all[name] === undefined) throw new Error(`cannot find the schema ${name}`);
    wanted.add(name);
    for (const reference of referencesOf(all[name])) reach(reference);
  };
  for (const name of rootsOf(all, resources)) reach(name);
  return Object.fromEntries([...wanted].map((name) => [name, withBareReferences(servedKindsOnly(all[name]))]));
}

function rootsOf(all, resources) {
  const kinds = resources.flatMap((row) => [row, ...row.subresources]);
  const wanted = new Set(kinds.flatMap((row) => [kindKey(row), `${kindKey(row)}List`]));
  const roots = Object.keys(all).filter((name) =>
    (all[name]["x-kubernetes-group-version-kind"] ?? []).some((mark) => wanted.has(kindKey(mark))),
  );
  return [...roots, ...alwaysServed.map((name) => metaPrefix + name)];
}

function kindKey({ group, version, kind }) {
  return `${group}/${version}/${kind}`;
}

/** The documents agree on every schema but for the list of kinds that DeleteOptions and WatchEvent carry. */
function sameButKinds(name, first, second) {
  const { "x-kubernetes-group-version-kind": marks = [], ...rest } = first;
  const { "x-kubernetes-group-version-kind": otherMarks = [], ...otherRest } = second;
  if (JSON.stringify(rest) !== JSON.stringify(otherRest))
    throw new Error(`cannot merge the schema ${name}: it differs`);
  const union = new Map([...marks, ...otherMarks].map((mark) => [kindKey(mark), mark]));
  return union.size === 0 ? rest : { ...rest, "x-kubernetes-group-version-kind": [...union.values()] };
}

function servedKindsOnly(schema) {
  const marks = schema["x-kubernetes-group-version-kind"];
  if (marks === undefined) return schema;
  const served = marks.filter((mark) =>
    groupVersions.some(({ group, version }) => mark.group === group && mark.version === version),
  );
  return { ...schema, "x-kubernetes-group-version-kind": served };
}

function referencesOf(schema) {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]);
}

function withBareReferences(schema) {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"$ref":"${referencePrefix}`, '"$ref":"'));
}
