import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What the stages of the way from a template to its status are called, by the folders in which their code is; the first that fits counts. */
const stages: readonly (readonly [RegExp, string])[] = [
  [/^src\/apiserver\/apply\//, "API server: field ownership (managedFields)"],
  [
    /^src\/(apiserver\/http|apiserver\/identity|apiserver\/patch|builtin\/protobuf)\//,
    "API server: decode, patch, authorize, encode",
  ],
  [
    /^src\/(schema|builtin|admission|apiserver\/webhooks|apiserver\/plugins)\//,
    "API server: prune, default, validate, admit",
  ],
  [/^src\/apiserver\/(watch|list|selectors)/, "API server: watches and lists"],
  [/^src\/apiserver\//, "API server: verbs, generations, what has changed"],
  [/^src\/storage\//, "store: judge, print, commit, tell watchers"],
  [
    /^src\/(controllers\/(detector|policy|namespace|dependencies|attached-binding)|selection)\//,
    "detector: find the policy, claim, bind",
  ],
  [/^src\/(controllers\/scheduler|scheduling)\//, "scheduler"],
  [/^src\/(controllers\/binding|overrides)\//, "binding: render works"],
  [/^src\/controllers\/execution\//, "execution: send to members, compare, report"],
  [/^src\/controllers\/binding-status\//, "status: gather reports, write binding and template"],
  [/^src\/interpreter\//, "interpreter: replicas, health, status of a kind"],
  [/^src\/controllers\//, "other controllers"],
  [/^src\/(simulator|housekeeping)\//, "members: simulated workloads, housekeeping"],
  [/^src\/(runtime|client|members)\//, "caches, queues and clients of the controllers"],
  [/^(bench|test)\//, "idle"], // what the benchmark does itself is nobody's
];

/** A CPU profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/**
 * Milliseconds by stage, longest first. Words of the language (`base`), of the engine and of Node belong to whoever called them;
 * what nobody called is the engine's own.
 */
export function timeByStage({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<string, number> {
  const modules = new ModuleFinder();
  const parents = new Map<number, ProfileNode>();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const known = new Map<number, string>();
  const stageOf = (node: ProfileNode): string => {
    const found = known.get(node.id) ?? findStage(node, { modules, parents });
    known.set(node.id, found);
    return found;
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sums = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const stage = stageOf(byId.get(id)!); // samples name nodes
    sums.set(stage, (sums.get(stage) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  return new Map([...sums].filter(([stage]) => stage !== "idle").sort(([, a], [, b]) => b - a));
}

interface Finding {
  readonly modules: ModuleFinder;
  readonly parents: ReadonlyMap<number, ProfileNode>;
}

const engine: Readonly<Record<string, string>> = {
  "(idle)": "idle",
  "(garbage collector)": "garbage collection",
  "(program)": "Node and the engine: native code, timers, promises",
};

function findStage(leaf: ProfileNode, { modules, parents }: Finding): string {
  const own = engine[leaf.callFrame.functionName];
  if (own !== undefined) return own;
  for (let node: ProfileNode | undefined = leaf; node !== undefined; node = parents.get(node.id)) {
    const module = modules.at(node.callFrame);
    const stage = stages.find(([pattern]) => pattern.test(module))?.[1];
    if (stage !== undefined) return stage;
  }
  return engine["(program)"]!;
}

/** Finds the source file of a place in a bundle: esbuild says before each part where it is from. */
class ModuleFinder {
  readonly #bundles = new Map<string, readonly string[]>();

  at({ url, lineNumber }: ProfileNode["callFrame"]): string {
    if (!url.startsWith("file:")) return "";
    const lines = this.#bundles.get(url) ?? modulesOf(url);
    this.#bundles.set(url, lines);
    return lines[lineNumber] ?? "";
  }
}

function modulesOf(url: string): readonly string[] {
  let current = "";
  return readFileSync(fileURLToPath(url), "utf8")
    .split("\n")
    .map((line) => {
      current = /^\/\/ ((?:src|bench|test|tools|node_modules)\/\S+)$/.exec(line)?.[1] ?? current;
      return current;
    });
}
