import type { ResourceType } from "#api/meta/resource-type.ts";
import type { PublishedSchemas } from "#schema/published-schema.ts";

/** What a document is made from. */
export interface OpenApiRequest {
  readonly group: string;
  readonly version: string;
  /** The resources of this group version, in the order in which they are listed. */
  readonly resources: readonly ResourceType[];
  /** Schemas of the built-in kinds; a resource whose kind none of them is marked with gets a schema of its own. */
  readonly publishedSchemas: PublishedSchemas;
  /** Version of the server, as `/version` has it. */
  readonly serverVersion: string;
}

/** The key of a group version in the index (`api/v1`, `apis/apps/v1`), and its path below `/openapi/v3/`. */
export function openApiKey({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}
