/**
 * OpenAPI v3 of one group version, computed from the served resources.
 *
 * kubectl reads three things in it: that a PATCH operation with the right kind accepts `fieldValidation`, which patch
 * content types that operation takes, and the component schemas with descriptions, patch keys and kind marks.
 */

import type { JsonObject } from "#base/json.ts";
import { collectComponents } from "./components.ts";
import type { OpenApiRequest } from "./open-api-request.ts";
import { renderPaths } from "./paths.ts";
import { SchemaNames } from "./schema-names.ts";

/** The document that `/openapi/v3/<key>` serves; deterministic, so that its hash can name it. */
export function renderOpenApi(request: OpenApiRequest): JsonObject {
  const names = new SchemaNames(request.publishedSchemas);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: request.serverVersion },
    paths: renderPaths(request, names),
    components: {
      schemas: collectComponents(request, names),
      securitySchemes: {
        BearerToken: {
          type: "apiKey",
          in: "header",
          name: "authorization",
          description: "Bearer Token authentication",
        },
      },
    },
  };
}
