import { KubeFleet } from "#test/real/kube-fleet.ts";
import { startTestFleet } from "#test/world/fleet.ts";
import { type HttpAnswer, http, type ServedCluster } from "#test/world/http.ts";
import type { RequestQuestion } from "./request-question.ts";

/** A real kube-apiserver and ours, both empty. */
export interface TwoServers extends AsyncDisposable {
  readonly theirs: ServedCluster;
  readonly ours: ServedCluster;
}

/** The real one runs without the plugins whose work is that of a whole cluster: nobody makes service accounts here. */
const flags = ["--disable-admission-plugins=ServiceAccount", "--allow-privileged=true"];

export async function startTwoServers(): Promise<TwoServers> {
  const [real, own] = await Promise.all([KubeFleet.start({ members: [], flags }), startTestFleet()]);
  return {
    theirs: real.controlPlane,
    ours: own.fleet.controlPlane,
    async [Symbol.asyncDispose]() {
      await Promise.all([real[Symbol.asyncDispose](), own[Symbol.asyncDispose]()]);
    },
  };
}

export function send(server: ServedCluster, { method, path, body, contentType }: RequestQuestion): Promise<HttpAnswer> {
  const headers = contentType === undefined ? {} : { "content-type": contentType };
  const nothing = { code: 0, headers: {}, text: "", json: {} }; // it hung up
  return http(server, path, { method, headers, ...(body === undefined ? {} : { body }) }).catch(() => nothing);
}
