import type { ApiCall, UserInfo } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Explanation } from "#api/plan/explanation.ts";
import type { ExplanationSpec, WantedEdit } from "#api/plan/plan-resources.ts";
import { annotatedAsApplied, asIfApplied } from "#apiserver/apply/last-applied.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import type { Authorizer } from "#apiserver/identity/authorize.ts";
import { storageKey } from "#apiserver/registry.ts";
import { serveResource } from "#apiserver/resource-handler.ts";
import type { Outcome } from "#plan/outcome.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { forkedStore, readAs } from "./forked-store.ts";
import type { RunningPipeline } from "./pipeline.ts";
import type { Edit, ForkedState } from "./planner.ts";
import type { WritePath } from "./write-path.ts";

export interface PlanRequest {
  readonly edits: readonly WantedEdit[];
  readonly user: UserInfo;
  /** Who would own the fields. */
  readonly fieldManager: string;
  /** Whether manifests are applied on the server; else as plain `kubectl apply` does. */
  readonly serverSide: boolean;
  /** Where things are whose manifests do not say. */
  readonly namespace: string;
}

/** Finds out what manifests would do to a fleet. */
export interface EmbeddedPlanner {
  readonly authorizer: Authorizer;
  plan(request: PlanRequest): Promise<Outcome>;
  /** Why something is where it is. */
  explain(what: ExplanationSpec): Explanation;
}

/** A planner that judges manifests exactly as the server would, and lets the pipeline find out the rest. */
export function embeddedPlanner(path: WritePath, pipeline: Pick<RunningPipeline, "plan" | "explain">): EmbeddedPlanner {
  return {
    authorizer: path.authorizer,
    explain: (what) => explainNamed(path.core.registry.all(), pipeline, what),
    plan: ({ edits, ...who }) =>
      pipeline.plan(edits.map((wanted) => (state: ForkedState) => admitEdit(path, { wanted, state, ...who }))),
  };
}

/** What a kind is called, and where it is served. */
export type NamedType = Pick<
  ResourceType,
  "group" | "version" | "plural" | "singular" | "kind" | "shortNames" | "namespaced"
>;

/** Why the thing is where it is whose kind is one of these by any of its names. */
export function explainNamed(
  types: readonly NamedType[],
  pipeline: Pick<RunningPipeline, "explain">,
  { kind: word, namespace = "default", name }: ExplanationSpec,
): Explanation {
  const type = typeNamed(types, word);
  if (type === undefined) throw StatusError.badRequest(`the server has no kind ${JSON.stringify(word)}`);
  const { group, version, plural, kind, namespaced } = type;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const found = pipeline.explain(`${apiVersion} ${kind} ${namespaced ? namespace : ""}/${name}`);
  if (found !== undefined) return found;
  throw StatusError.notFound({ group, resource: plural, name });
}

/** The first type that a word means, as kubectl reads it. */
function typeNamed(types: readonly NamedType[], word: string): NamedType | undefined {
  const [name = "", ...rest] = word.toLowerCase().split(".");
  const suffix = rest.join(".");
  return types.find(
    ({ group, plural, singular, kind, shortNames }) =>
      [plural, singular, kind.toLowerCase(), ...shortNames].includes(name) && (suffix === "" || suffix === group),
  );
}

interface Wanted extends Omit<PlanRequest, "edits"> {
  readonly wanted: WantedEdit;
  readonly state: ForkedState;
}

/** The change as the server's own write path makes it of a manifest, in a trial run: decoded, completed, admitted, validated. */
async function admitEdit(
  { core: live, coreOver }: WritePath,
  { wanted, state, user, fieldManager, serverSide, namespace: home }: Wanted,
): Promise<Edit> {
  const { manifest } = wanted;
  const type = live.registry.ofKind(manifest.apiVersion, manifest.kind);
  if (type === undefined)
    throw StatusError.badRequest(`no matches for kind "${manifest.kind}" in version "${manifest.apiVersion}"`);
  const { namespace, name } = placed(type, { namespace: home, ...manifest.metadata });
  const { group, version, plural, kind, namespaced } = type;
  const resource = { group, version, resource: plural, kind, namespaced };
  const key = namespace === undefined ? { name } : { namespace, name };
  const body = { ...manifest, metadata: { ...manifest.metadata, ...key } };
  const call: ApiCall = {
    verb: wanted.do === "apply" ? "patch" : "delete",
    path: { group, version, resource: plural, ...key },
    user,
    options: { dryRun: true, fieldManager, force: true },
    ...(wanted.do === "apply" && {
      body: serverSide ? body : annotatedAsApplied(body),
      patchType: "apply",
    }),
  };
  const store = forkedStore(live.store, state);
  const { schema } = type;
  const path = storageKey(type, namespace, name);
  const written = state.written(resource, key);
  const owned = written && { ...written, base: written.accepted ?? live.store.get(path)?.value, schema };
  const core = coreOver(
    serverSide
      ? readAs(store, (object) => (owned?.object === object ? withOwners(object, owned) : object))
      : readAs(store, (object) => asIfApplied(object, { schema, manager: fieldManager })),
  );
  const before = store.get(path)?.value;
  const answer = await serveResource(core, type, call);
  if (wanted.do === "delete") return { do: "delete", resource, key, before };
  if (answer.kind !== "object") throw new Error(`cannot plan ${plural} ${name}: the server answered a ${answer.kind}`);
  return { do: "put", resource, key, before, object: answer.object };
}

interface Owned {
  /** What there was before controllers wrote to it. */
  readonly base: ApiObject | undefined;
  readonly schema: SchemaNode;
}

/** An object of a plan with the owners that its fields would have: what users own no more is taken from nobody else. */
function withOwners(object: ApiObject, { base, schema }: Owned): ApiObject {
  if (base === undefined || base.metadata.uid !== object.metadata.uid) return object;
  const next = { ...object, metadata: { ...object.metadata, managedFields: base.metadata.managedFields } } as Draft; // ours alone
  const time = object.metadata.creationTimestamp; // nobody looks at it
  const { apiVersion } = object;
  return trackUpdate({ schema, old: base, next, manager: "flotilla", time, apiVersion }) as ApiObject; // as it was, with owners
}

function placed(
  { namespaced }: ResourceType,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): { readonly namespace: string | undefined; readonly name: string } {
  return namespaced ? { namespace, name } : { namespace: undefined, name };
}
