import type { Output } from "../command.ts";
import { plainText } from "../print/plain-text.ts";
import { printDocument } from "../print/print-objects.ts";
import type { Journey } from "./decide-wave.ts";
import type { WavesOutcome } from "./run-waves.ts";

interface Printing {
  readonly output: Output;
  readonly format: "json" | "yaml" | undefined;
  readonly stages: number;
}

/** Prints what was done and what was not. */
export async function printOutcome(
  { journeys, ended }: WavesOutcome,
  { output, format, stages }: Printing,
): Promise<void> {
  const sorted = journeys.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const isDone = ({ stagesAsked, arrival }: Journey) => stagesAsked === stages && arrival.is === "there";
  const done = sorted.filter(isDone).map(({ name }) => name);
  const notBegun = sorted.filter(({ stagesAsked }) => stagesAsked === 0).map(({ name }) => name);
  const failed = sorted.flatMap(({ name, arrival }) =>
    arrival.is === "failed" ? [{ name, why: plainText(arrival.why) }] : [],
  );
  const partly = sorted
    .filter((each) => !isDone(each) && each.stagesAsked > 0 && each.arrival.is !== "failed")
    .map(({ name }) => name);
  if (format !== undefined) return printDocument(output, { ended, done, failed, underWay: partly, notBegun }, format);
  if (journeys.length === 0) return output.line("nothing is pending");
  for (const { name, why } of failed) output.line(`${output.paint.red("failed")}  ${name}: ${why}`);
  for (const name of partly) output.line(`${output.paint.yellow("begun")}   ${name}`);
  const counts = [
    `${done.length} reconciled`,
    ...part(failed, "failed"),
    ...part(partly, "begun"),
    ...part(notBegun, "not begun"),
  ];
  output.line(counts.join(", "));
  if (ended !== "finished") output.note("hint: run the same command again to go on");
}

function part(list: readonly unknown[], what: string): readonly string[] {
  return list.length === 0 ? [] : [`${list.length} ${what}`];
}
