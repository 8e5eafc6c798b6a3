import { parseArgs } from "node:util";
import { scenarios } from "./black-box/scenarios.ts";

/** What the benchmark is told: suites by name, the rest by flags. */
export interface BenchFlags {
  readonly suites: readonly string[];
  readonly json: boolean;
  /** How many Deployments the measurements from outside make. */
  readonly templates: number;
  readonly scenarios: readonly string[];
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly members: readonly string[];
  readonly pids: readonly number[];
  /** Of the fleets over which a slope is drawn, in namespaces of a thousand templates. */
  readonly sizes: readonly number[];
  /** Where the plot is written. */
  readonly plot: string | undefined;
}

/** Reads the command line; what is not known there is an error. */
export function readFlags(args: readonly string[]): BenchFlags {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      templates: { type: "string", default: "1000" },
      scenarios: { type: "string", default: Object.keys(scenarios).join(",") },
      kubeconfig: { type: "string" },
      context: { type: "string" },
      members: { type: "string", default: "" },
      pids: { type: "string", default: "" },
      sizes: { type: "string", default: "1,2,4,8,16" },
      plot: { type: "string" },
    },
  });
  const list = (text: string) => text.split(",").filter((each) => each !== "");
  const wanted = list(values.scenarios);
  const unknown = wanted.find((name) => scenarios[name] === undefined);
  if (unknown !== undefined)
    throw new Error(`there is no scenario ${unknown}: choose from ${Object.keys(scenarios).join(", ")}`);
  return {
    suites: positionals,
    json: values.json,
    templates: Number(values.templates),
    scenarios: wanted,
    kubeconfig: values.kubeconfig,
    context: values.context,
    members: list(values.members),
    pids: list(values.pids).map(Number),
    sizes: list(values.sizes).map(Number),
    plot: values.plot,
  };
}
