import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { type StatusDetails, StatusError, type StatusReason } from "#api/meta/status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "#apiserver/admission.ts";
import { fillDefaults } from "#apiserver/write/fill-defaults.ts";
import { cloneJson, isJsonObject, type JsonObject, jsonEquals, setMember } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { applyJsonPatch } from "#base/patch/json-patch.ts";
import type { Random } from "#base/random.ts";
import { pruneUnknown } from "#schema/prune-fields.ts";
import type { Store } from "#storage/store.ts";
import { callWebhook, WebhookFailure } from "./call-webhook.ts";
import { conditionsHold } from "./match-conditions.ts";
import { webhookMatches } from "./match-webhook.ts";
import {
  configurationPrefix,
  type Webhook,
  type WebhookConfiguration,
  type WebhookPhase,
} from "./webhook-configuration.ts";

export interface AdmissionWebhookNeeds {
  readonly store: Store<ApiObject>;
  readonly random: Random;
}

/** Asks the webhooks that users registered. Writes of the registrations themselves pass by, or a broken one could never be removed. */
export function admissionWebhooks(needs: AdmissionWebhookNeeds): AdmissionPlugin {
  const { store } = needs;
  const ask = (phase: WebhookPhase, request: AdmissionRequest): undefined | Promise<void> => {
    if (store.count(configurationPrefix[phase]) === 0 || request.type.group === "admissionregistration.k8s.io")
      return undefined;
    const hooks = matchingWebhooks(store, phase, request);
    if (hooks.length === 0) return undefined;
    return phase === "mutate" ? mutate(needs, hooks, request) : validate(needs, hooks, request);
  };
  return {
    name: "admission-webhooks",
    mutate: (request) => ask("mutate", request),
    validate: (request) => ask("validate", request),
  };
}

function matchingWebhooks(store: Store<ApiObject>, phase: WebhookPhase, request: AdmissionRequest): readonly Webhook[] {
  const result = store.list({ prefix: configurationPrefix[phase] });
  const configurations = result.ok ? result.entries.map(({ value }) => value as WebhookConfiguration) : []; // the prefix holds nothing else
  const labels = namespaceLabels(store, request);
  return configurations
    .flatMap(({ webhooks = [] }) => webhooks)
    .filter((webhook) => webhookMatches(webhook, request, labels));
}

function namespaceLabels(store: Store<ApiObject>, { type, namespace, object, old }: AdmissionRequest) {
  if (namespace !== undefined) return store.get(`/namespaces/${namespace}`)?.value.metadata.labels;
  return type.plural === "namespaces" ? (object ?? old)?.metadata.labels : undefined;
}

/** In order; a webhook that asked for it sees the object once more when a later one changed it. */
async function mutate(
  needs: AdmissionWebhookNeeds,
  hooks: readonly Webhook[],
  request: AdmissionRequest,
): Promise<void> {
  const again = new Map<Webhook, unknown>();
  for (const hook of hooks) {
    await mutateBy(needs, hook, request);
    if (hook.reinvocationPolicy === "IfNeeded") again.set(hook, cloneJson(request.object));
  }
  for (const [hook, seen] of again) if (!jsonEquals(seen, request.object)) await mutateBy(needs, hook, request);
}

async function mutateBy(needs: AdmissionWebhookNeeds, hook: Webhook, request: AdmissionRequest): Promise<void> {
  const response = await ask(needs, hook, request);
  if (response === undefined || request.object === undefined) return;
  const patch = response["patch"];
  if (patch === undefined || patch === "" || patch === null) return;
  try {
    patchDraft(request, response);
  } catch (error: unknown) {
    if (!(error instanceof WebhookFailure)) throw error;
    throw StatusError.internal(`failed calling webhook "${hook.name}": ${error.message}`);
  }
}

function patchDraft({ object, type }: AdmissionRequest, { patch, patchType }: JsonObject): void {
  if (patchType !== "JSONPatch") throw new WebhookFailure(`patchType ${JSON.stringify(patchType)} is not JSONPatch`);
  const draft = object!;
  const operations = parseJson(Buffer.from(String(patch), "base64").toString("utf8")).value;
  const result = applyJsonPatch(draft, operations);
  if (!result.ok) throw new WebhookFailure(result.message);
  const next = result.value as unknown as Draft; // conformed below
  const identity = ({ kind, apiVersion, metadata }: Draft) => [
    kind,
    apiVersion,
    metadata?.name,
    metadata?.namespace,
    metadata?.uid,
  ];
  if (!isJsonObject(next.metadata) || !jsonEquals(identity(next), identity(draft)))
    throw new WebhookFailure("the patch changes the object's identity");
  pruneUnknown(next, type.schema, { onUnknown: "drop" });
  fillDefaults(type, next, { applied: false });
  for (const key of Object.keys(draft)) delete draft[key];
  for (const key of Object.keys(next)) setMember(draft, key, next[key]);
}

async function validate(
  needs: AdmissionWebhookNeeds,
  hooks: readonly Webhook[],
  request: AdmissionRequest,
): Promise<void> {
  await Promise.all(hooks.map((hook) => ask(needs, hook, request)));
}

/** The response of a webhook that allowed the request; undefined when it could not be asked and may be ignored. */
async function ask(
  { random }: AdmissionWebhookNeeds,
  hook: Webhook,
  request: AdmissionRequest,
): Promise<JsonObject | undefined> {
  if (request.dryRun && hook.sideEffects !== "None" && hook.sideEffects !== "NoneOnDryRun") {
    throw StatusError.badRequest(`admission webhook "${hook.name}" does not support dry run`);
  }
  try {
    const concerned = conditionsHold(hook.matchConditions ?? [], request.user);
    if (concerned === false) return undefined;
    if (concerned === undefined)
      throw new WebhookFailure("matchConditions (CEL) but for comparisons of the user's name are not supported here");
    const response = await callWebhook(hook, reviewOf(random.uuid(), request));
    for (const warning of Array.isArray(response["warnings"]) ? response["warnings"] : [])
      request.warn(String(warning));
    if (response["allowed"] === true) return response;
    throw denial(hook, response);
  } catch (error: unknown) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (hook.failurePolicy === "Ignore") return undefined;
    throw StatusError.internal(`failed calling webhook "${hook.name}": ${error.message}`);
  }
}

function denial(hook: Webhook, response: JsonObject): StatusError {
  const status = isJsonObject(response["status"]) ? response["status"] : {};
  const detail = typeof status["message"] === "string" ? `: ${status["message"]}` : " without explanation";
  const code =
    typeof status["code"] === "number" && status["code"] >= 400 && status["code"] < 600 ? status["code"] : 403;
  const reason = typeof status["reason"] === "string" ? status["reason"] : code === 403 ? "Forbidden" : "";
  const details = isJsonObject(status["details"]) ? status["details"] : undefined;
  return new StatusError(
    code,
    reason as StatusReason, // a webhook's own word is passed on as it is
    `admission webhook "${hook.name}" denied the request${detail}`,
    details as StatusDetails | undefined, // likewise
  );
}

function reviewOf(uid: string, request: AdmissionRequest): JsonObject {
  const { type, namespace, name, subresource, operation, user, object, old, dryRun, options } = request;
  const kind = { group: type.group, version: type.version, kind: type.kind };
  const resource = { group: type.group, version: type.version, resource: type.plural };
  const review = {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid,
      kind,
      resource,
      ...(subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource }),
      requestKind: kind,
      requestResource: resource,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      operation,
      userInfo: {
        username: user.name,
        groups: user.groups,
        ...(user.uid === undefined ? {} : { uid: user.uid }),
        ...(user.extra === undefined ? {} : { extra: user.extra }),
      },
      object: object ?? null,
      oldObject: old ?? null,
      dryRun,
      options,
    },
  };
  return review as unknown as JsonObject; // objects are JSON
}
