import { createHash, timingSafeEqual } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { UserInfo } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Clock } from "#base/clock.ts";
import type { Store } from "#storage/store.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface AuthenticatorNeeds {
  /** Fixed bearer tokens and whom they stand for. */
  readonly tokens: readonly { readonly token: string; readonly user: UserInfo }[];
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly store: Store<ApiObject>;
  readonly clock: Clock;
}

/** Finds out who sends a request: a client certificate signed by our CA, or a bearer token in the header; nothing else counts. */
export class Authenticator {
  readonly #needs: AuthenticatorNeeds;
  readonly #certificates = new WeakMap<TLSSocket, UserInfo>();
  readonly #digests: readonly { readonly digest: Buffer; readonly user: UserInfo }[];

  constructor(needs: AuthenticatorNeeds) {
    this.#needs = needs;
    this.#digests = needs.tokens.map(({ token, user }) => ({ digest: digestOf(token), user: withAuthenticated(user) }));
  }

  /** Undefined: nobody we know. */
  authenticate(authorization: string | undefined, socket: TLSSocket | undefined): UserInfo | undefined {
    if (authorization !== undefined) {
      const token = /^bearer +([^\s]+)$/i.exec(authorization)?.[1];
      return token === undefined ? undefined : this.ofToken(token);
    }
    return socket?.authorized ? this.#ofCertificate(socket) : undefined;
  }

  /** The user of a bearer token. Compared in constant time; a service account must still exist as it was. */
  ofToken(token: string): UserInfo | undefined {
    const digest = digestOf(token);
    const fixed = this.#digests.find((known) => timingSafeEqual(known.digest, digest));
    if (fixed !== undefined) return fixed.user;
    const verified = this.#needs.serviceAccountTokens.verify(token, this.#needs.clock.nowMs());
    if (verified === undefined) return undefined;
    const { namespace, serviceAccount, secret } = verified;
    if (!this.#exists(`/serviceaccounts/${namespace}/${serviceAccount.name}`, serviceAccount.uid)) return undefined;
    if (secret !== undefined && !this.#exists(`/secrets/${namespace}/${secret.name}`, secret.uid)) return undefined;
    return verified.user;
  }

  /** Read once per connection: its certificate does not change. */
  #ofCertificate(socket: TLSSocket): UserInfo | undefined {
    const known = this.#certificates.get(socket);
    if (known !== undefined) return known;
    const { subject } = socket.getPeerCertificate();
    const name = [subject?.CN].flat()[0];
    if (name === undefined || name === "") return undefined;
    const user = withAuthenticated({ name, groups: [subject?.O ?? []].flat() });
    this.#certificates.set(socket, user);
    return user;
  }

  #exists(key: string, uid: string): boolean {
    const object = this.#needs.store.get(key)?.value;
    return object !== undefined && object.metadata.uid === uid && object.metadata.deletionTimestamp === undefined;
  }
}

function withAuthenticated(user: UserInfo): UserInfo {
  return { ...user, groups: [...new Set([...user.groups, "system:authenticated"])] };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
