import { parseLabelSelector } from "#api/meta/parse-label-selector.ts";
import { addAccessFlags, type NamespacedFlags } from "../access-flags.ts";
import { type AddCommand, ExitCode, MisuseError } from "../command.ts";
import { addOutputFlag } from "../print/print-objects.ts";

export interface GetFlags extends NamespacedFlags {
  readonly allNamespaces: boolean;
  readonly clusters?: string;
  readonly operationScope?: string;
  readonly selector?: string;
  readonly watch: boolean;
  readonly output?: "json" | "yaml" | "name" | "wide";
}

const scopes = ["karmada", "members", "all"] as const;
export type Scope = (typeof scopes)[number];

/** `flotilla get`: objects of the control plane and of members, side by side. */
export const addGet: AddCommand = (program, output) => {
  addPlaceFlags(
    addOutputFlag(
      addAccessFlags(
        program
          .command("get")
          .summary("show objects of the control plane and of members")
          .argument("<kind>", "kind of the objects, or KIND/NAME")
          .argument("[name]", "name of one object"),
        { namespaced: true },
      ),
      ["json", "yaml", "name", "wide"],
    ),
  )
    .description(
      "Shows objects with the cluster that has them. ADOPTION is Y for what the control plane keeps in a member.",
    )
    .option("-A, --all-namespaces", "of every namespace", false)
    .option("-l, --selector <selector>", "only objects with these labels")
    .option("-w, --watch", "go on and show what changes", false)
    .addHelpText(
      "after",
      `${membersHelp}

Examples:
  flotilla get deployments -n shop
  flotilla get deployment/web -n shop --operation-scope all
  flotilla get pods -A --clusters member1,member2 -w`,
    )
    .action(async (kind: string, name: string | undefined, flags: GetFlags) => {
      const request = readGetFlags(kind, name, flags);
      const { runGet } = await import("./run-get.ts");
      if (!(await runGet(request, { flags, output }))) throw new ExitCode(1);
    });
};

/** How members are reached, for the help of every command that looks at them. */
export const membersHelp = `
A member is reached by a context of the kubeconfig that bears its name and leads to its address; without one, by the secret that
its Cluster names, for those who may read that secret.`;

/** Adds the flags that say where to look; they are karmadactl's. */
export function addPlaceFlags(command: ReturnType<typeof addAccessFlags>) {
  return command
    .option("-C, --clusters <names>", "these members: a,b")
    .option(
      "-s, --operation-scope <scope>",
      "karmada (the control plane), members, or all (default: karmada; with --clusters: members)",
    );
}

export interface GetRequest {
  readonly kind: string;
  readonly name: string | undefined;
  readonly scope: Scope;
  readonly clusters: readonly string[] | undefined;
}

/** Reads what is meant and where; whatever contradicts itself is misuse. */
export function readGetFlags(
  kind: string,
  name: string | undefined,
  flags: Partial<
    Pick<GetFlags, "clusters" | "operationScope" | "selector" | "allNamespaces" | "namespace" | "watch" | "output">
  >,
): GetRequest {
  const [word, part, ...more] = kind.split("/");
  const chosen = part ?? name;
  if (!word || part === "" || more.length > 0 || (part !== undefined && name !== undefined))
    throw new MisuseError(
      `cannot read ${JSON.stringify([kind, name].filter(Boolean).join(" "))}`,
      "write KIND, KIND NAME or KIND/NAME",
    );
  if (chosen !== undefined && flags.selector !== undefined)
    throw new MisuseError("cannot combine a name and -l", "leave one of them out");
  if (chosen !== undefined && flags.allNamespaces)
    throw new MisuseError("cannot look for a name in every namespace", "give its namespace with -n");
  if (flags.selector !== undefined) {
    const parsed = parseLabelSelector(flags.selector);
    if (!parsed.ok) throw new MisuseError(`cannot read selector: ${parsed.error}`, "write for example tier=front");
  }
  if (flags.watch && flags.output !== undefined && flags.output !== "wide")
    throw new MisuseError(`cannot watch with -o ${flags.output}`, "leave -o out, or use -o wide");
  return { kind: word, name: chosen, ...readPlaces(flags) };
}

function readPlaces({ clusters, operationScope }: { clusters?: string; operationScope?: string }) {
  const scope = scopes.find((each) => each === (operationScope ?? (clusters === undefined ? "karmada" : "members")));
  if (scope === undefined)
    throw new MisuseError(`cannot look at ${JSON.stringify(operationScope)}`, `the scopes are ${scopes.join(", ")}`);
  const names = clusters?.split(",").map((name) => name.trim());
  if (names?.includes("")) throw new MisuseError(`cannot read clusters ${JSON.stringify(clusters)}`, "write a,b");
  if (names !== undefined && scope === "karmada")
    throw new MisuseError("cannot combine --clusters and --operation-scope karmada", "leave one of them out");
  return { scope, clusters: names };
}
