/** Where a template is on its way: how many stages have been asked for, and what has become of the last. */
export interface Journey {
  /** How people name it, and the order in which templates go: `Deployment shop/web`. */
  readonly name: string;
  /** 0 while the change is pending. */
  readonly stagesAsked: number;
  readonly arrival: Arrival;
}

export type Arrival =
  | { readonly is: "there" }
  | {
      readonly is: "under way";
      readonly waitsFor: string;
      /** Why it does not get there unless something else changes. */
      readonly stuck?: string;
    }
  | { readonly is: "failed"; readonly why: string };

export interface WaveFacts {
  readonly journeys: readonly Journey[];
  /** How many stages there are: one per cluster that is named, and one for the rest. */
  readonly stages: number;
  /** How many templates may be under way at once. */
  readonly size: number;
}

/** What to do next. */
export type WaveStep =
  | { readonly do: "ask"; readonly stage: number; readonly names: readonly string[] }
  | { readonly do: "wait"; readonly names: readonly string[] }
  | { readonly do: "stop"; readonly failed: readonly Journey[] }
  | { readonly do: "finish" };

/**
 * The next wave: nothing new is asked for while something is under way, and nothing at all once something has failed. All templates
 * pass one stage before any begins the next. Everything is read from the templates, so whoever starts anew goes on here.
 */
export function decideWave({ journeys, stages, size }: WaveFacts): WaveStep {
  const asked = journeys.filter(({ stagesAsked }) => stagesAsked > 0);
  const failed = asked.filter(({ arrival }) => arrival.is === "failed");
  if (failed.length > 0) return { do: "stop", failed };
  const underWay = asked.filter(({ arrival }) => arrival.is === "under way");
  if (underWay.length > 0) return { do: "wait", names: namesOf(underWay) };
  const stage = Math.min(stages, ...journeys.map(({ stagesAsked }) => stagesAsked));
  if (stage === stages) return { do: "finish" };
  const waiting = journeys.filter(({ stagesAsked }) => stagesAsked === stage);
  return { do: "ask", stage, names: namesOf(waiting).slice(0, size) };
}

/** How many templates make a wave: so many, or so many of a hundred, at least one. */
export function waveSize(limit: WaveLimit, total: number): number {
  return "percent" in limit ? Math.max(1, Math.floor((total * limit.percent) / 100)) : limit.atOnce;
}

export type WaveLimit = { readonly atOnce: number } | { readonly percent: number };

function namesOf(journeys: readonly Journey[]): readonly string[] {
  return journeys.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1));
}
