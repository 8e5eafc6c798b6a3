// The served resources, from the discovery documents that k8s.io/kubernetes carries.
import { readFileSync } from "node:fs";
import { fileStemOf, groupVersions } from "./modules.mjs";

/** One row per resource with its subresources, in the order of discovery. */
export function collectResources(folders) {
  return groupVersions.flatMap((served) => {
    const path = `${folders["k8s.io/kubernetes"]}/api/discovery/${fileStemOf(served)}.json`;
    const document = JSON.parse(readFileSync(path, "utf8"));
    const openapi = readOpenApi(folders, served);
    const whole = document.resources.filter((row) => !row.name.includes("/"));
    return whole.map((row) => ({
      group: served.group,
      version: served.version,
      kind: row.kind,
      plural: row.name,
      singular: row.singularName,
      shortNames: row.shortNames ?? [],
      categories: row.categories ?? [],
      namespaced: row.namespaced,
      verbs: row.verbs,
      schema: schemaOfKind(openapi, { group: served.group, version: served.version, kind: row.kind }),
      subresources: document.resources
        .filter((other) => other.name.startsWith(`${row.name}/`))
        .map((other) => subresource(other, served)),
    }));
  });
}

/** The OpenAPI document of a group version. */
export function readOpenApi(folders, served) {
  const path = `${folders["k8s.io/kubernetes"]}/api/openapi-spec/v3/${fileStemOf(served)}_openapi.json`;
  return JSON.parse(readFileSync(path, "utf8"));
}

/** The name of the schema that describes a kind. */
export function schemaOfKind(openapi, { group, version, kind }) {
  const found = Object.entries(openapi.components.schemas).find(([, schema]) => {
    const marks = schema["x-kubernetes-group-version-kind"] ?? [];
    return marks.some((mark) => mark.group === group && mark.version === version && mark.kind === kind);
  });
  if (found === undefined) throw new Error(`cannot find the schema of ${group}/${version} ${kind}`);
  return found[0];
}

function subresource(row, served) {
  return {
    name: row.name.slice(row.name.indexOf("/") + 1),
    kind: row.kind,
    group: row.group ?? served.group,
    version: row.version ?? served.version,
    verbs: row.verbs,
  };
}
