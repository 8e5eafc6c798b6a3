import { homedir } from "node:os";
import { resolve } from "node:path";
import { systemClock } from "#app/system.ts";
import { HintedError } from "#base/hinted-error.ts";
import { type Client, createClient } from "#client/client.ts";
import { createHttpTransport, type HttpTransport } from "#client/http-transport.ts";
import { fleetAnswers } from "#client/https-wire.ts";
import type { AccessFlags, NamespacedFlags } from "./access-flags.ts";
import { type Ask, expectAgreed } from "./kubeconfig/agreement.ts";
import { everydayFiles, findKubeconfig, type Surroundings } from "./kubeconfig/find-kubeconfig.ts";
import { inClusterAccess } from "./kubeconfig/in-cluster.ts";
import { chooseContext, readKubeconfig } from "./kubeconfig/kubeconfig.ts";
import { accessOfContext, type ServerAccess } from "./kubeconfig/server-access.ts";

/** A way to one API server, open until it is disposed of. */
export interface Connection extends Disposable {
  readonly client: Client;
  readonly transport: HttpTransport;
  readonly access: ServerAccess;
  /** The one that was asked for, else the context's, else `default`. */
  readonly namespace: string;
}

/** The field manager of what people do by the command line. */
const manager = "flotilla-cli";
/** Over the wire a caller is who its credentials say. */
const nobody = { name: "", groups: [] };

export interface AccessTrust {
  readonly mayRunPlugins?: boolean;
  /** Asked before a kubeconfig that is not in everyday use has its way on this machine; absent: it is trusted. */
  readonly ask?: Ask;
}

/** Connects to the server that the flags mean. */
export async function connect(flags: NamespacedFlags, trust: AccessTrust = {}): Promise<Connection> {
  return connectTo(await findAccess(flags, trust), flags);
}

/** How the server that the flags mean is reached, as the files say now; nothing is sent yet. */
export async function findAccess(
  flags: AccessFlags,
  { mayRunPlugins = true, ask }: AccessTrust = {},
): Promise<ServerAccess> {
  const { env } = process;
  const nowMs = () => systemClock.nowMs();
  const source = findKubeconfig(flags.kubeconfig, surroundings());
  if (source !== undefined) {
    const context = chooseContext(readKubeconfig(source.files), flags.context);
    if (!mayRunPlugins && context.user?.section("exec") !== undefined)
      throw new HintedError(
        `cannot use context ${JSON.stringify(context.name)}: its user runs a plugin, which a server does not do`,
        "give it a kubeconfig with a token file or a client certificate, or a service account",
      );
    const everyday = everydayFiles(surroundings());
    if (ask !== undefined && !source.files.every((file) => everyday.includes(resolve(file))))
      await expectAgreed(context, ask);
    return accessOfContext(context, {
      env,
      nowMs,
      interactive: process.stdin.isTTY === true,
      trusted: !source.stumbledUpon,
    });
  }
  const inCluster = inClusterAccess({ env, nowMs });
  if (inCluster !== undefined) return inCluster;
  throw new HintedError(
    "cannot find a kubeconfig",
    "start a control plane with 'flotilla up', or name one with --kubeconfig or KUBECONFIG",
  );
}

/** Connects to a server that is known already. */
export function connectTo(access: ServerAccess, { namespace }: { readonly namespace?: string }): Connection {
  // whoever sits at a command line may talk to servers on this very machine
  const addresses = { allowLoopback: true };
  const transport = createHttpTransport({ ...access, addresses, clock: systemClock, limits: fleetAnswers });
  return {
    client: createClient({ transport, user: nobody, manager }),
    transport,
    access,
    namespace: namespace ?? access.namespace ?? "default",
    [Symbol.dispose]: () => transport.close(),
  };
}

function surroundings(): Surroundings {
  return {
    env: process.env,
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
    userId: process.getuid?.(),
  };
}
