/** What a comparison of one area found. */
export interface Report {
  readonly area: string;
  readonly cases: number;
  /** One line each. */
  readonly differences: readonly string[];
  /** How many differ in what, where that is told apart. */
  readonly aspects?: ReadonlyMap<string, number>;
}

/** Prints one line for each area, under it the first differences, and says whether there are none. */
export function printReports(reports: readonly Report[], { show }: { readonly show: number }): boolean {
  for (const { area, cases, differences, aspects = new Map() } of reports) {
    const share = cases === 0 ? 0 : (100 * differences.length) / cases;
    const parts = [...aspects].map(([aspect, count]) => `${aspect} ${count}`).join(", ");
    const split = parts === "" ? "" : `: ${parts}`;
    console.log(`${area}: ${differences.length} of ${cases} differ (${share.toFixed(2)} %)${split}`);
    for (const difference of differences.slice(0, show)) console.log(`  ${difference}`);
  }
  return reports.every(({ differences }) => differences.length === 0);
}
