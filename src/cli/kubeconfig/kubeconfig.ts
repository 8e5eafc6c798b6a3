import { readBoundedFile } from "#app/bounded-text.ts";
import { HintedError } from "#base/hinted-error.ts";
import { parseYaml, YamlSyntaxError } from "#base/parse-yaml.ts";
import { ConfigSection } from "./config-section.ts";

/** Far more than hundreds of clusters with inline certificates. */
const maxBytes = 4 * 1024 * 1024;

/** Clusters, users and contexts by name, as several files together give them: of two with one name, the first counts. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, ConfigSection>;
  readonly users: ReadonlyMap<string, ConfigSection>;
  readonly contexts: ReadonlyMap<string, ConfigSection>;
}

/** One way to a cluster: where it is, as whom, and the namespace that is meant when none is said. */
export interface ChosenContext {
  readonly name: string;
  readonly cluster: ConfigSection;
  /** Undefined: as nobody. */
  readonly user: ConfigSection | undefined;
  readonly namespace: string | undefined;
}

/** Reads and merges files; those that are not there are passed over. */
export function readKubeconfig(files: readonly string[]): Kubeconfig {
  const roots = files.flatMap((file) => {
    const text = readBoundedFile(file, maxBytes);
    return text === undefined ? [] : [rootOf(file, text)];
  });
  return {
    files: roots.map(({ file }) => file),
    currentContext: roots.map((root) => root.text("current-context")).find((name) => name !== undefined),
    clusters: named(roots, "clusters", "cluster"),
    users: named(roots, "users", "user"),
    contexts: named(roots, "contexts", "context"),
  };
}

/** The context of that name, or the current one. */
export function chooseContext(config: Kubeconfig, wanted: string | undefined): ChosenContext {
  const shown = config.files.join(", ");
  const name = wanted ?? config.currentContext;
  const known = [...config.contexts.keys()].sort();
  const hint = known.length === 0 ? "it has no contexts" : `it has ${listed(known)}; choose one with --context`;
  if (name === undefined) throw new HintedError(`cannot choose a context of ${shown}: none is current`, hint);
  const context = config.contexts.get(name);
  if (context === undefined)
    throw new HintedError(`cannot find context ${JSON.stringify(name)} in kubeconfig ${shown}`, hint);
  const cluster = config.clusters.get(context.text("cluster") ?? "");
  const user = context.text("user");
  const broken = (what: string, value: string | undefined) =>
    new HintedError(
      `cannot use context ${JSON.stringify(name)}: its ${what} ${JSON.stringify(value ?? "")} is not in ${shown}`,
      "repair the kubeconfig, or choose another context with --context",
    );
  if (cluster === undefined) throw broken("cluster", context.text("cluster"));
  if (user !== undefined && !config.users.has(user)) throw broken("user", user);
  return {
    name,
    cluster,
    user: user === undefined ? undefined : config.users.get(user),
    namespace: context.text("namespace"),
  };
}

function rootOf(file: string, text: string): ConfigSection {
  try {
    const { value } = parseYaml(text);
    return new ConfigSection(file, value ?? {});
  } catch (error: unknown) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw new HintedError(`cannot read kubeconfig ${file}: ${error.message}`, "a kubeconfig is YAML or JSON");
  }
}

function named(roots: readonly ConfigSection[], list: string, content: string): ReadonlyMap<string, ConfigSection> {
  const found = new Map<string, ConfigSection>();
  for (const entry of roots.flatMap((root) => root.sections(list))) {
    const name = entry.text("name");
    const section = entry.section(content);
    if (name !== undefined && section !== undefined && !found.has(name)) found.set(name, section);
  }
  return found;
}

const maxListed = 10;

function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return `${names.slice(0, maxListed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
