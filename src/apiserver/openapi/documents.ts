import { createHash } from "node:crypto";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { apiVersionOf, type Registry } from "#apiserver/registry.ts";
import type { PublishedSchemas } from "#schema/published-schema.ts";
import { type BareSwagger, bareSwagger } from "./bare-swagger.ts";
import { openApiKey } from "./open-api-request.ts";
import { renderOpenApi } from "./render-document.ts";

export interface OpenApiNeeds {
  readonly registry: Registry;
  readonly publishedSchemas: PublishedSchemas;
  readonly serverVersion: string;
}

export interface OpenApiDocument {
  readonly body: unknown;
  readonly etag: string;
}

/** The OpenAPI documents, rendered when first asked for and again when the registry has changed. */
export class OpenApiDocuments {
  readonly #needs: OpenApiNeeds;
  /** Rendered text by key; forgotten with the hash it was rendered for. */
  readonly #rendered = new Map<string, { readonly hash: string; readonly text: string }>();
  #groups: { readonly version: number; readonly hashes: ReadonlyMap<string, GroupHash> } | undefined;

  constructor(needs: OpenApiNeeds) {
    this.#needs = needs;
  }

  /** Which documents there are; each address carries the hash of its content, which kubectl caches by. */
  index(): OpenApiDocument {
    const paths = Object.fromEntries(
      [...this.#hashes()].map(([key, { hash }]) => [key, { serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` }]),
    );
    return { body: { paths }, etag: `"${hashOf(JSON.stringify(paths))}"` };
  }

  /** The document of version 2, for clients that still ask for it. */
  swagger(accepted: readonly string[]): BareSwagger & OpenApiDocument {
    const document = bareSwagger(this.#needs.serverVersion, accepted);
    return { ...document, etag: `"${hashOf(JSON.stringify(document))}"` };
  }

  /** The document of `api/v1`, `apis/apps/v1` and so on. */
  ofPath(key: string): OpenApiDocument | undefined {
    const group = this.#hashes().get(key);
    if (group === undefined) return undefined;
    const known = this.#rendered.get(key);
    const text = known?.hash === group.hash ? known.text : this.#render(key, group);
    return { body: text, etag: `"${group.hash}"` };
  }

  #render(key: string, { hash, types }: GroupHash): string {
    const { group, version } = types[0]!;
    const { publishedSchemas, serverVersion } = this.#needs;
    const text = JSON.stringify(renderOpenApi({ group, version, resources: types, publishedSchemas, serverVersion }));
    this.#rendered.set(key, { hash, text });
    return text;
  }

  #hashes(): ReadonlyMap<string, GroupHash> {
    const { registry } = this.#needs;
    if (this.#groups?.version !== registry.version)
      this.#groups = { version: registry.version, hashes: this.#hashAll() };
    return this.#groups.hashes;
  }

  #hashAll(): ReadonlyMap<string, GroupHash> {
    const byVersion = new Map<string, ResourceType[]>();
    for (const type of this.#needs.registry.all()) {
      byVersion.set(apiVersionOf(type), [...(byVersion.get(apiVersionOf(type)) ?? []), type]);
    }
    const entries = [...byVersion.values()].map(
      (types) => [openApiKey(types[0]!), { types, hash: this.#hash(types) }] as const,
    );
    return new Map(entries);
  }

  /** Built-in schemas change with the server's version only; those of custom resources are part of the hash. */
  #hash(types: readonly ResourceType[]): string {
    const facts = types.map((type) => [
      type.kind,
      type.plural,
      type.verbs,
      type.subresources,
      type.custom ? type.schema : "",
    ]);
    return hashOf(JSON.stringify([this.#needs.serverVersion, facts]));
  }
}

interface GroupHash {
  readonly hash: string;
  readonly types: readonly ResourceType[];
}

function hashOf(text: string): string {
  return createHash("sha512").update(text).digest("hex").toUpperCase();
}
