import { lstatSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { HintedError } from "#base/hinted-error.ts";

/** What the search depends on, handed in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  /** Undefined where files have no owners. */
  readonly userId: number | undefined;
}

/** Where the way to an API server is written down. */
export interface KubeconfigSource {
  readonly files: readonly string[];
  /** Nobody named the file: it lay in the folder that we were called in, and may be somebody else's idea. */
  readonly stumbledUpon: boolean;
}

/**
 * The first of: `--kubeconfig`, the list in KUBECONFIG, `.flotilla/kubeconfig` of the current folder (what `flotilla up` wrote here
 * is what is meant here), `~/.kube/config`. Undefined when there is none of them.
 */
export function findKubeconfig(flag: string | undefined, surroundings: Surroundings): KubeconfigSource | undefined {
  const { workingDirectory } = surroundings;
  if (flag !== undefined) {
    if (isFile(flag)) return { files: [flag], stumbledUpon: false };
    throw new HintedError(`cannot find kubeconfig ${flag}`, "give the path of an existing file to --kubeconfig");
  }
  const listed = listedIn(surroundings);
  if (listed.length > 0) {
    if (listed.some(isFile)) return { files: listed, stumbledUpon: false };
    throw new HintedError(
      `cannot find kubeconfig ${listed.join(", ")}`,
      "KUBECONFIG names it; set it right or unset it",
    );
  }
  const here = join(workingDirectory, ".flotilla", "kubeconfig");
  if (isFile(here) && isOwn(here, surroundings)) return { files: [here], stumbledUpon: true };
  const home = homeFile(surroundings);
  return isFile(home) ? { files: [home], stumbledUpon: false } : undefined;
}

/** The files that every client uses that is given none: whoever wrote them has had their way already. */
export function everydayFiles(surroundings: Surroundings): readonly string[] {
  return [...listedIn(surroundings), homeFile(surroundings)].map((file) => resolve(file));
}

function listedIn({ env }: Surroundings): readonly string[] {
  return (env["KUBECONFIG"] ?? "").split(delimiter).filter((each) => each !== "");
}

function homeFile({ homeDirectory }: Surroundings): string {
  return join(homeDirectory, ".kube", "config");
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** In a folder that others write to, their file is not taken for ours. */
function isOwn(path: string, { userId }: Surroundings): boolean {
  return userId === undefined || lstatSync(path).uid === userId;
}
