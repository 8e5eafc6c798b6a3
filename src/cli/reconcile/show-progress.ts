import type { Output } from "../command.ts";
import { LiveLines } from "../print/live-lines.ts";
import { plainText } from "../print/plain-text.ts";
import type { Journey } from "./decide-wave.ts";

export interface Progress {
  readonly tell: (journeys: readonly Journey[]) => void;
  readonly end: () => void;
}

const barWidth = 30;
const maxShown = 8;

/** Shows how far a run is: a bar that grows on a terminal, a line for each thing that happens elsewhere. */
export function showProgress(output: Output, order: readonly string[]): Progress {
  const known = new Map<string, Journey>();
  const stages = order.length + 1;
  const live = output.terminal && new LiveLines(output.terminal);
  return {
    tell(journeys) {
      for (const journey of journeys) {
        const before = known.get(journey.name);
        known.set(journey.name, journey);
        if (live === undefined) for (const line of news(before, journey, order)) output.note(line);
      }
      live?.show(screen([...known.values()], { output, stages }));
    },
    end: () => live?.clear(),
  };
}

/** What happened to one template, in words. */
export function news(before: Journey | undefined, now: Journey, order: readonly string[]): readonly string[] {
  const lines: string[] = [];
  if (before !== undefined && before.stagesAsked !== now.stagesAsked) {
    const cluster = order[now.stagesAsked - 1];
    const elsewhere = order.length === 0 ? "released" : "released everywhere";
    lines.push(`${now.name}: ${cluster === undefined ? elsewhere : `released on ${cluster}`}`);
  }
  const { arrival } = now;
  if (now.stagesAsked === 0 || before === undefined || before.arrival.is === arrival.is) return lines;
  if (arrival.is === "there") lines.push(`${now.name}: healthy`);
  if (arrival.is === "failed") lines.push(`${now.name}: failed: ${plainText(arrival.why)}`);
  return lines;
}

function screen(
  journeys: readonly Journey[],
  { output, stages }: { readonly output: Output; readonly stages: number },
): readonly string[] {
  const { paint } = output;
  const total = journeys.length * stages;
  const done = journeys.reduce((sum, each) => sum + passed(each), 0);
  const filled = total === 0 ? barWidth : Math.floor((done * barWidth) / total);
  const bar = `${paint.green("█".repeat(filled))}${paint.dim("░".repeat(barWidth - filled))}`;
  const finished = journeys.filter((each) => passed(each) === stages).length;
  const underWay = journeys.filter(({ stagesAsked, arrival }) => stagesAsked > 0 && arrival.is === "under way");
  const rest = underWay.length - maxShown;
  return [
    `${bar} ${finished}/${journeys.length}`,
    ...underWay.slice(0, maxShown).map(({ name, arrival }) => `  ${name}  ${paint.dim(waits(arrival))}`),
    ...(rest > 0 ? [paint.dim(`  and ${rest} more`)] : []),
  ];
}

/** How many stages a template has behind it. */
function passed({ stagesAsked, arrival }: Journey): number {
  return arrival.is === "there" ? stagesAsked : Math.max(0, stagesAsked - 1);
}

function waits(arrival: Journey["arrival"]): string {
  return arrival.is === "under way" ? `waits for ${plainText(arrival.waitsFor)}` : "";
}
