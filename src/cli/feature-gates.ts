import { Option } from "commander";
import { type FeatureGates, featureGates, fixedGates, gatesWith, isFeatureGate } from "#api/feature-gates.ts";
import { MisuseError } from "./command.ts";

/** Reads `A=true,B=false`; a gate that is not known, or that cannot be turned that way, is refused by name. */
export function readFeatureGates(text: string): FeatureGates {
  return gatesWith(readGivenGates(text));
}

/** The same without the defaults. */
export function readGivenGates(text: string): Partial<FeatureGates> {
  const items = text.split(",").map((each) => each.trim());
  return Object.fromEntries(items.filter((each) => each !== "").flatMap(readGate));
}

function readGate(item: string): readonly (readonly [string, boolean])[] {
  const [name, value] = item.split("=") as [string, string | undefined];
  if (value !== "true" && value !== "false")
    throw new MisuseError(
      `cannot read feature gate ${JSON.stringify(item)}`,
      "write NAME=true or NAME=false, separated by commas",
    );
  const isOn = value === "true";
  if (isFeatureGate(name)) return [[name, isOn]];
  const known = `the gates that can be turned are ${Object.keys(featureGates).join(", ")}`;
  if (!Object.hasOwn(fixedGates, name))
    throw new MisuseError(`there is no feature gate ${JSON.stringify(name)}`, known);
  if (fixedGates[name] === isOn) return [];
  throw new MisuseError(
    isOn ? `feature gate ${name} is not built yet` : `feature gate ${name} cannot be turned off`,
    known,
  );
}

/** `--feature-gates` of commands that may have to decide as the controllers do. */
export function controllerGates(): Option {
  return new Option("--feature-gates <gates>", "gates of the controllers, where these have not published their own");
}

/** The gates with what they do, for the help text. */
export function describeGates(): string {
  return Object.entries(featureGates)
    .map(([name, gate]) => `  ${name}=${gate.default}: ${gate.means}`)
    .join("\n");
}
