import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { ServedCluster } from "#test/world/http.ts";

/** What an attacker is told to do; `attacker.mjs` knows how. */
export type Attack =
  | { readonly attack: "slow"; readonly slowHeaders: number; readonly slowReaders: number }
  | {
      readonly attack: "watches";
      readonly token: string;
      readonly path: string;
      readonly connections: number;
      readonly perConnection: number;
    };

/** How it went: how many connections are open, or how many answers of which kind there were. */
export interface AttackResult {
  readonly open: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** A hostile client in a process of its own, which ends with the attack. */
export class Attacker implements Disposable {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, "attacker.mjs"));
  readonly #target: ServedCluster;

  constructor({ url, pki }: ServedCluster) {
    this.#target = { url, pki };
  }

  /** Resolves when everything is open; what was opened stays so. */
  start(attack: Attack): Promise<AttackResult> {
    return new Promise((resolve, reject) => {
      this.#child.once("message", (result: AttackResult & { readonly error?: string }) =>
        result.error === undefined ? resolve(result) : reject(new Error(result.error)),
      );
      this.#child.once("exit", (code) => reject(new Error(`the attacker ended with ${code}`)));
      this.#child.send({ ...this.#target, ...attack });
    });
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }
}
