import type { ApiCall, ApiTransport } from "#api/meta/api-call.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { JsonObject } from "#base/json.ts";
import { type Core, namedResource } from "./core.ts";
import { type Authorizer, refusal } from "./identity/authorize.ts";
import { answerReview, type ReviewNeeds } from "./identity/reviews.ts";
import { serveResource } from "./resource-handler.ts";
import { selectedName } from "./selectors.ts";
import type { ServedAnswer } from "./served-answer.ts";
import type { SpecialSubresource } from "./subresources/special-subresource.ts";

export interface ApiServerNeeds {
  readonly core: Core;
  readonly authorizer: Authorizer;
  readonly reviews: ReviewNeeds;
  /** Kinds that are questions, by `<group>/<plural>`. */
  readonly questions?: ReadonlyMap<string, Question> | undefined;
  /** Subresources that are more than a view of the object, by `<group>/<plural>/<name>`. */
  readonly special: ReadonlyMap<string, SpecialSubresource>;
}

/** Answers what is posted to it; nothing is stored. Who may ask is for it to judge: a question may be more or less than a write. */
export type Question = (call: ApiCall) => Promise<JsonObject>;

/** Answers calls: who may, on what, and then the verb. HTTP and the in-process transport both end here. */
export class ApiServer implements ApiTransport {
  readonly core: Core;
  readonly authorizer: Authorizer;
  readonly special: ReadonlyMap<string, SpecialSubresource>;
  readonly #reviews: ReviewNeeds;
  readonly #questions: ReadonlyMap<string, Question>;
  readonly #questionGroups: ReadonlySet<string>;

  constructor({ core, authorizer, reviews, special, questions = new Map() }: ApiServerNeeds) {
    this.core = core;
    this.authorizer = authorizer;
    this.special = special;
    this.#reviews = reviews;
    this.#questions = questions;
    this.#questionGroups = new Set([...questions.keys()].map((name) => name.slice(0, name.indexOf("/"))));
  }

  /** Throws where a request cannot be answered whatever its options and its body are: those are looked at after all else. */
  expectAnswerable(call: ApiCall): void {
    const { group, version, resource, subresource } = call.path;
    const type = this.core.registry.get(group, version, resource);
    if (type === undefined) throw StatusError.unknownResource();
    if (this.#questions.has(`${group}/${resource}`)) return;
    this.#authorize(call);
    expectPlace(type, call);
    const special = this.special.get(`${group}/${resource}/${subresource}`);
    if (special === undefined) expectServed(type, call);
    else if (!special.listed.verbs.includes(call.verb)) throw StatusError.methodNotAllowed();
  }

  async call(call: ApiCall): Promise<ServedAnswer> {
    const { group, version, resource, subresource } = call.path;
    const type = this.core.registry.get(group, version, resource);
    if (type === undefined) throw StatusError.unknownResource();
    const question = this.#questionGroups.has(group) ? this.#questions.get(`${group}/${resource}`) : undefined;
    if (question !== undefined) return { kind: "document", code: 201, document: await ask(question, call) };
    this.#authorize(call);
    const review = answerReview(this.#reviews, type, call);
    if (review !== undefined) return { kind: "document", code: 201, document: review };
    expectPlace(type, call);
    const special = subresource === undefined ? undefined : this.special.get(`${group}/${resource}/${subresource}`);
    if (special !== undefined) return await special.serve(this.core, type, call);
    expectServed(type, call);
    return await serveResource(this.core, type, call); // a promise that is handed on takes three turns more
  }

  #authorize({ user, verb, path, options }: ApiCall): void {
    const { group, resource, subresource, namespace } = path;
    const name = path.name ?? (selects.has(verb) ? selectedName(options) : undefined);
    const attributes = { verb, group, resource, subresource, namespace, name };
    if (!this.authorizer.allows(user, attributes)) throw refusal(user, attributes);
  }
}

async function ask(question: Question, call: ApiCall): Promise<JsonObject> {
  const { name, namespace, subresource } = call.path;
  if (call.verb !== "create" || name !== undefined || subresource !== undefined) throw StatusError.methodNotAllowed();
  if (namespace !== undefined) throw StatusError.unknownResource();
  return question(call);
}

function expectPlace({ namespaced, custom }: ResourceType, call: ApiCall): void {
  const { namespace } = call.path;
  if (namespaced && namespace === undefined && needsNamespace(call))
    throw call.path.name === undefined && !custom ? StatusError.methodNotAllowed() : StatusError.unknownResource();
  if (!namespaced && namespace !== undefined) throw StatusError.unknownResource();
}

/** Lists and watches may span namespaces; a single object lies in one. */
function needsNamespace({ verb }: ApiCall): boolean {
  return verb !== "list" && verb !== "watch";
}

/** Verbs on one object; the others are on a collection. */
const namesOne: ReadonlySet<string> = new Set(["get", "update", "patch", "delete"]);

/** Verbs on what selectors choose. */
const selects: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

function expectServed(type: ResourceType, { verb, path }: ApiCall): void {
  const unknown = () =>
    type.custom ? StatusError.notFound(namedResource(type, path.name)) : StatusError.unknownResource();
  switch (path.subresource) {
    case undefined:
      if (type.custom && path.name === undefined && (verb === "update" || verb === "patch"))
        throw StatusError.badRequest("name must be provided");
      if (!type.verbs.includes(verb) || (path.name !== undefined) !== namesOne.has(verb))
        throw StatusError.methodNotAllowed(); // of custom resources, too: who may create one name creates no other (K20)
      return;
    case "status":
      if (!type.subresources.status) throw unknown();
      return expectPartVerb(type, verb);
    case "scale":
      if (type.subresources.scale === undefined) throw unknown();
      return expectPartVerb(type, verb);
    default:
      throw unknown();
  }
}

function expectPartVerb(type: ResourceType, verb: string): void {
  if (verb === "get" || verb === "update" || verb === "patch") return;
  throw type.custom ? StatusError.verbNotSupported(namedResource(type), verb) : StatusError.methodNotAllowed();
}
