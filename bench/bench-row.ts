/** One figure of a benchmark. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is held against, or how it was taken. */
  readonly note?: string;
}
