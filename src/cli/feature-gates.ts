import { MisuseError } from "./command.ts";

/** The gates that can be turned on, and what they do when off. */
const gates = {
  PropagationPolicyPreemption: "policies that preempt take templates from others",
  ClearTargetsWhenNoFit: "a binding that no cluster fits loses its targets, as in Karmada",
} as const;

export type FeatureGate = keyof typeof gates;

/** Gates of Karmada and of the proposals that mean something else than off only once they are built. */
const notBuilt: ReadonlySet<string> = new Set([
  "StaticPolicy",
  "Failover",
  "PropagateDependents",
  "MultiClusterService",
  "StatefulFailoverInjection",
  "FederatedQuotaEnforcement",
  "WorkloadAffinity",
  "MultiplePodTemplatesScheduling",
]);

/** Reads `A=true,B=false`; what is not known, or not built yet and asked for, is refused by name. */
export function readFeatureGates(text: string): Readonly<Record<FeatureGate, boolean>> {
  const result: Record<FeatureGate, boolean> = { PropagationPolicyPreemption: false, ClearTargetsWhenNoFit: false };
  for (const item of text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")) {
    const [name, value] = item.split("=") as [string, string | undefined];
    if (value !== "true" && value !== "false")
      throw new MisuseError(
        `cannot read feature gate ${JSON.stringify(item)}`,
        "write NAME=true or NAME=false, separated by commas",
      );
    if (isGate(name)) result[name] = value === "true";
    else if (!notBuilt.has(name))
      throw new MisuseError(
        `there is no feature gate ${JSON.stringify(name)}`,
        `the gates are ${Object.keys(gates).join(" and ")}`,
      );
    else if (value === "true")
      throw new MisuseError(
        `feature gate ${name} is not built yet`,
        `the gates that can be turned on are ${Object.keys(gates).join(" and ")}`,
      );
  }
  return result;
}

/** The gates with what they do, for the help text. */
export function describeGates(): string {
  return Object.entries(gates)
    .map(([name, what]) => `  ${name}: ${what}`)
    .join("\n");
}

function isGate(name: string): name is FeatureGate {
  return Object.hasOwn(gates, name);
}
