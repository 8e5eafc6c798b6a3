/** Named numbers; the unit is in the name. */
export type Figures = Readonly<Record<string, number>>;

/** One figure of a benchmark. */
export interface BenchRow {
  readonly name: string;
  /** The name by which it can be asked for alone, where it can. */
  readonly scenario?: string;
  /** Not a number where it could not be measured; the note says why. */
  readonly value: number;
  readonly unit: string;
  /** What it is held against, or how it was taken. */
  readonly note?: string;
  /** What else was measured with it. */
  readonly figures?: Figures;
}

/** Figures as a line: whole numbers from ten on. */
export function describeFigures(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 })} ${name}`)
    .join(", ");
}
