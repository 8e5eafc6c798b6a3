import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { BenchRow } from "./bench-row.ts";
import { changeNames } from "./black-box/scenarios.ts";
import { memberNames } from "./open-fleet.ts";

/** What the benchmark is told: suites by name, the rest by flags. */
export interface BenchFlags {
  readonly suites: readonly string[];
  readonly json: boolean;
  /** How many Deployments the measurements from outside make. */
  readonly templates: number;
  /** Which changes they measure. */
  readonly scenarios: readonly string[];
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** By name; a number stands for so many that are made for it. */
  readonly members: readonly string[];
  readonly pids: readonly number[];
  /** Whether members outside run workloads, so that statuses can be waited for. */
  readonly running: boolean;
  /** Whether each server's requests are told by verb, resource and code, too. */
  readonly requests: boolean;
  /** The folder for CPU profiles and heap snapshots. */
  readonly profile: string | undefined;
  /** Of the fleets over which a slope is drawn, in namespaces of a thousand templates. */
  readonly sizes: readonly number[];
  /** Where the plot is written. */
  readonly plot: string | undefined;
  /** Told of what a suite has found before its end, where that is far away. */
  readonly soFar?: (rows: readonly BenchRow[]) => void;
}

/** Reads the command line; what is not known there is an error. */
export function readFlags(args: readonly string[]): BenchFlags {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      templates: { type: "string", default: "1000" },
      scenarios: { type: "string", default: changeNames.join(",") },
      kubeconfig: { type: "string" },
      context: { type: "string" },
      members: { type: "string", default: "3" },
      pids: { type: "string", default: "" },
      sizes: { type: "string", default: "1,3,10,30,100" },
      plot: { type: "string" },
      running: { type: "boolean", default: false },
      requests: { type: "boolean", default: false },
      profile: { type: "string" },
    },
  });
  const list = (text: string) => text.split(",").filter((each) => each !== "");
  const wanted = list(values.scenarios);
  const unknown = wanted.find((name) => !changeNames.includes(name));
  if (unknown !== undefined) throw new Error(`there is no scenario ${unknown}: choose from ${changeNames.join(", ")}`);
  return {
    suites: positionals,
    json: values.json,
    templates: Number(values.templates),
    scenarios: wanted,
    kubeconfig: values.kubeconfig,
    context: values.context,
    members: /^[0-9]+$/.test(values.members) ? memberNames(Number(values.members)) : list(values.members),
    pids: list(values.pids).map(Number),
    sizes: list(values.sizes).map(Number),
    plot: values.plot,
    running: values.running,
    requests: values.requests,
    profile: values.profile === undefined ? undefined : resolve(values.profile),
  };
}
