import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes sure that there is a tmux: where it is missing and we may, it is installed; where we may not, that is said plainly. */
export function requireTmux(): void {
  if (hasTmux()) return;
  if (process.getuid?.() !== 0)
    throw new Error(
      "cannot test on a terminal: there is no tmux. Install it (apt-get install tmux) and run the tests again",
    );
  const options = { encoding: "utf8", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  const install = () => spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "tmux"], options);
  if (install().status === 0 && hasTmux()) return;
  spawnSync("apt-get", ["update"], options);
  const { status, stderr } = install();
  if (status !== 0) throw new Error(`cannot install tmux, which the tests on a terminal need: ${stderr}`);
}

function hasTmux(): boolean {
  return spawnSync("tmux", ["-V"]).status === 0;
}

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

const deadlineMs = 60_000;
const lookMs = 50;

/** A shell on a real terminal that nobody sees. */
export class Screen implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "flotilla-tmux-"));
  readonly #socket = join(this.#folder, "socket");

  constructor({ columns = 100, rows = 30, environment = {} }: ScreenOptions) {
    const settings = Object.entries({ PS1: "$ ", ...environment }).map(([name, value]) => `${name}=${value}`);
    this.#tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), "env", ...settings, "bash", "--norc");
  }

  /** Types a line and presses Enter. */
  type(line: string): void {
    this.#tmux("send-keys", "-l", line);
    this.#tmux("send-keys", "Enter");
  }

  /** Wipes what is there: whatever shows afterwards is new. */
  async clear(): Promise<void> {
    this.type("clear");
    await this.shows(/^\$\s*$/);
  }

  /** Presses one key, by tmux's name for it. */
  press(key: string): void {
    this.#tmux("send-keys", key);
  }

  /** What is on the screen: as text, or with its colours. */
  look({ coloured = false } = {}): string {
    return this.#tmux("capture-pane", "-p", ...(coloured ? ["-e"] : []));
  }

  /** Waits until the screen shows it. */
  async shows(what: RegExp, { coloured = false } = {}): Promise<string> {
    for (let waited = 0; ; waited += lookMs) {
      const text = this.look({ coloured });
      if (what.test(text)) return text;
      if (waited > deadlineMs) throw new Error(`the screen never showed ${what}:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  [Symbol.dispose](): void {
    this.#tmux("kill-server");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync("tmux", ["-f", "/dev/null", "-S", this.#socket, ...args], { encoding: "utf8" });
  }
}
