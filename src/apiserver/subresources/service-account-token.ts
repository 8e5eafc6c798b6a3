import type { Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import type { ServiceAccountTokens } from "#apiserver/identity/service-account-tokens.ts";
import { storageKey } from "#apiserver/registry.ts";
import { formatTime } from "#base/clock.ts";
import { invalid } from "#base/field-error.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { partBody } from "./part-body.ts";
import type { SpecialSubresource } from "./special-subresource.ts";

const defaultSeconds = 3_600;
const minSeconds = 600;
const maxSeconds = 4_294_967_296;

/** POST serviceaccounts/<name>/token: a token that ends by itself. */
export function serviceAccountToken(tokens: ServiceAccountTokens, kind: ResourceType): SpecialSubresource {
  return {
    of: "/serviceaccounts/token",
    listed: { name: "token", kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] },
    async serve(core, type, call) {
      const { verb, path } = call;
      if (verb !== "create") throw StatusError.methodNotAllowed();
      const request = partBody(core, kind, call);
      expectSameName(request, path.name!);
      const account = core.store.get(storageKey(type, path.namespace, path.name!))?.value;
      if (account === undefined) throw StatusError.notFound(namedResource(type, path.name));
      const spec = isJsonObject(request["spec"]) ? request["spec"] : {};
      const { name, uid } = account.metadata;
      const document = issue(core, tokens, { namespace: path.namespace!, name, uid, spec });
      return { kind: "document", code: 201, document };
    },
  };
}

function expectSameName({ metadata }: Draft, name: string): void {
  if (!metadata.name || metadata.name === name) return;
  const detail = "must match the service account name if specified";
  throw StatusError.invalid({ group: "authentication.k8s.io", resource: "TokenRequest", name }, [
    invalid("metadata.name", metadata.name, detail),
  ]);
}

interface Issue {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly spec: JsonObject;
}

function issue({ clock }: Core, tokens: ServiceAccountTokens, { namespace, name, uid, spec }: Issue): JsonObject {
  if (spec["boundObjectRef"] !== undefined && spec["boundObjectRef"] !== null)
    throw StatusError.notSupported("TokenRequest spec.boundObjectRef");
  const lifetimeSeconds = typeof spec["expirationSeconds"] === "number" ? spec["expirationSeconds"] : defaultSeconds;
  if (lifetimeSeconds < minSeconds || lifetimeSeconds > maxSeconds) {
    const detail =
      lifetimeSeconds < minSeconds
        ? "may not specify a duration less than 10 minutes"
        : "may not specify a duration larger than 2^32 seconds";
    throw StatusError.invalid({ group: "authentication.k8s.io", resource: "TokenRequest" }, [
      { path: "spec.expirationSeconds", type: "invalid", value: lifetimeSeconds, detail },
    ]);
  }
  const audiences = Array.isArray(spec["audiences"]) ? spec["audiences"].map(String) : [];
  const nowMs = clock.nowMs();
  const token = tokens.issue({ namespace, serviceAccount: { name, uid }, audiences, nowMs, lifetimeSeconds });
  return {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name, namespace, creationTimestamp: formatTime(nowMs) },
    spec: { audiences, expirationSeconds: lifetimeSeconds, boundObjectRef: null },
    status: { token, expirationTimestamp: formatTime(nowMs + lifetimeSeconds * 1_000) },
  };
}
