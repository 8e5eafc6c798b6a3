import type { Fields } from "#api/meta/object-meta.ts";

/** A cluster as a story reaches it: by paths like `deployments/shop/web` or `clusters/paris`. */
export interface StageCluster {
  get(path: string): Promise<Fields | undefined>;
  list(plural: string): Promise<readonly Fields[]>;
  apply(yaml: string): Promise<void>;
  patch(path: string, patch: object, subresource?: "status"): Promise<void>;
  delete(path: string): Promise<void>;
}

/** Where stories are played: a fleet, whatever it runs on. */
export interface Stage extends AsyncDisposable {
  readonly controlPlane: StageCluster;
  readonly members: readonly string[];
  member(name: string): StageCluster;
  /** Lets everything come to rest. */
  settle(): Promise<void>;
  /** Stops every controller, as a crash does. */
  stopControllers(): Promise<void>;
  /** Starts them, again if they ran. */
  startControllers(): Promise<void>;
  timePasses(seconds: number): Promise<void>;
  /** Cuts a member off, or brings it back. */
  reach(member: string, reachable: boolean): Promise<void>;
  /** Runs a check until it holds, where time is real; once, where it is not. */
  eventually(check: () => Promise<void>): Promise<void>;
}
