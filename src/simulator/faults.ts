import type { Fields } from "#api/meta/object-meta.ts";

/** What goes wrong with a pod. */
export type PodFault =
  /** Runs, and is never ready. */
  | { readonly kind: "never-ready" }
  /** Starts, ends with an error, is started again, ever more slowly. */
  | { readonly kind: "crash-loop" }
  | { readonly kind: "image-pull-error" }
  /** Its containers end with exit code 1. */
  | { readonly kind: "fail" }
  | { readonly kind: "slow-start"; readonly delayMs: number };

/** A fault, and which pods it befalls: those for which everything that is said holds. */
export interface FaultRule {
  readonly fault: PodFault;
  /** A part of the name of an image. */
  readonly image?: string;
  readonly namespace?: string;
  /** What the name of the pod, or of the workload, begins with. */
  readonly name?: string;
}

/** On an object, its controller or its pod template: `crash-loop`, `slow-start=30s`. */
export const faultAnnotation = "simulator.flotilla.io/fault";

const defaultSlowStartMs = 30_000;

/** A pod, or the template of pods that are only counted. */
export interface FaultSubject {
  readonly namespace: string;
  readonly name: string;
  readonly podSpec: Fields;
  /** The annotations of the pod, then of what controls it: the first that names a fault counts. */
  readonly annotations: readonly (Readonly<Record<string, string>> | undefined)[];
}

/** The fault of a pod: the one that is written on it, or the first rule that applies. */
export function chooseFault(subject: FaultSubject, rules: Iterable<FaultRule>): PodFault | undefined {
  for (const annotations of subject.annotations) {
    const text = annotations?.[faultAnnotation];
    if (text !== undefined) return parseFault(text);
  }
  for (const rule of rules) if (applies(rule, subject)) return rule.fault;
  return undefined;
}

/** Reads a fault as it is written in an annotation; a word that is none is no fault. */
export function parseFault(text: string): PodFault | undefined {
  const [kind, detail] = text.split("=");
  switch (kind) {
    case "never-ready":
    case "crash-loop":
    case "image-pull-error":
    case "fail":
      return { kind };
    case "slow-start":
      return { kind, delayMs: parseSeconds(detail) ?? defaultSlowStartMs };
    default:
      return undefined;
  }
}

function parseSeconds(text = ""): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === "m" ? 60_000 : match[2] === "s" ? 1_000 : 1);
}

function applies({ image, namespace, name }: FaultRule, subject: FaultSubject): boolean {
  if (namespace !== undefined && namespace !== subject.namespace) return false;
  if (name !== undefined && !subject.name.startsWith(name)) return false;
  return image === undefined || imagesOf(subject.podSpec).some((each) => each.includes(image));
}

function imagesOf(podSpec: Fields): readonly string[] {
  const containers: readonly Fields[] = [...(podSpec["initContainers"] ?? []), ...(podSpec["containers"] ?? [])];
  return containers.map(({ image }) => image ?? "");
}
