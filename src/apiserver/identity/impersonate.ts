import type { UserInfo } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Authorizer, refusal } from "./authorize.ts";
import type { Attributes } from "./policy-rules.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Who the request acts as: the sender, or, where the sender may impersonate, whom its headers name. */
export function effectiveUser(user: UserInfo, headers: Headers, authorizer: Authorizer): UserInfo {
  const name = first(headers["impersonate-user"]);
  const groups = values(headers["impersonate-group"]);
  const uid = first(headers["impersonate-uid"]);
  const extra = readExtra(headers);
  if (name === undefined) {
    if (groups.length === 0 && uid === undefined && Object.keys(extra).length === 0) return user;
    throw StatusError.badRequest("requested impersonation of groups, uid or extra without impersonating a user");
  }
  for (const attributes of wanted({ name, groups, uid, extra })) {
    if (!authorizer.allows(user, attributes)) throw refusal(user, attributes);
  }
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(name);
  const implied =
    account !== null && groups.length === 0 ? ["system:serviceaccounts", `system:serviceaccounts:${account[1]}`] : [];
  const anonymous = name === "system:anonymous";
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: [...new Set([...groups, ...implied, anonymous ? "system:unauthenticated" : "system:authenticated"])],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

interface Impersonated {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid: string | undefined;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

function* wanted({ name, groups, uid, extra }: Impersonated): Generator<Attributes> {
  const verb = "impersonate";
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  if (account === null) yield { verb, group: "", resource: "users", name };
  else yield { verb, group: "", resource: "serviceaccounts", namespace: account[1]!, name: account[2]! };
  for (const each of groups) yield { verb, group: "", resource: "groups", name: each };
  if (uid !== undefined) yield { verb, group: "authentication.k8s.io", resource: "uids", name: uid };
  for (const [key, list] of Object.entries(extra)) {
    for (const value of list)
      yield { verb, group: "authentication.k8s.io", resource: "userextras", subresource: key, name: value };
  }
}

function readExtra(headers: Headers): Record<string, readonly string[]> {
  const prefix = "impersonate-extra-";
  const entries = Object.keys(headers)
    .filter((header) => header.startsWith(prefix))
    .map((header) => [decodeURIComponent(header.slice(prefix.length)), values(headers[header])] as const);
  return Object.fromEntries(entries);
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

/** Repeated headers arrive joined by commas or as a list, depending on the protocol. */
function values(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return (typeof value === "string" ? value.split(",") : value)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
