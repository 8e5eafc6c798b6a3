import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubernetesBinaries } from "../../tools/kubernetes-binaries.mjs";
import { Etcd } from "./etcd.ts";
import { KubeCluster } from "./kube-cluster.ts";

export interface KubeFleetOptions {
  readonly members: readonly string[];
  /** More flags of every kube-apiserver. */
  readonly flags?: readonly string[];
  /** Whether the control plane writes down every write. */
  readonly audit?: boolean;
}

/** A control plane and members, each a real kube-apiserver, over one etcd; gone when the test is over. */
export class KubeFleet implements AsyncDisposable {
  readonly folder: string;
  readonly etcd: Etcd;
  readonly controlPlane: KubeCluster;
  readonly members: readonly KubeCluster[];

  private constructor(folder: string, etcd: Etcd, [controlPlane, ...members]: readonly KubeCluster[]) {
    this.folder = folder;
    this.etcd = etcd;
    this.controlPlane = controlPlane!; // the first
    this.members = members;
  }

  static async start({ members, flags = [], audit = false }: KubeFleetOptions): Promise<KubeFleet> {
    const { folder: binaries, missing } = kubernetesBinaries();
    if (missing !== undefined) throw new Error(`cannot start a kube-apiserver: ${missing}`);
    const folder = mkdtempSync(join(tmpdir(), "flotilla-real-"));
    const etcd = await Etcd.start(join(folder, "etcd"), binaries);
    const start = (name: string, index: number) =>
      KubeCluster.start({
        name,
        folder: join(folder, name),
        binaries,
        etcd: etcd.url,
        flags,
        audit: audit && index === 0,
      });
    const clusters = await Promise.all(["control-plane", ...members].map(start));
    return new KubeFleet(folder, etcd, clusters);
  }

  member(name: string): KubeCluster {
    const found = this.members.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no member ${name}`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.controlPlane, ...this.members].map((each) => each[Symbol.asyncDispose]()));
    await this.etcd.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
