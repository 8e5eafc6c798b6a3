/** What every condition has, whatever else its kind adds. */
interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** What a condition says now; since when is kept apart. */
export type Verdict<C extends AnyCondition> = Omit<C, "lastTransitionTime">;

/** The conditions with these verdicts in the place of what was said before. The time moves only with the status; others stay. */
export function withConditions<C extends AnyCondition>(
  conditions: readonly C[],
  verdicts: readonly Verdict<C>[],
  now: string,
): readonly C[] {
  return verdicts.reduce<readonly C[]>((all, verdict) => withCondition(all, verdict, now), conditions);
}

function withCondition<C extends AnyCondition>(
  conditions: readonly C[],
  verdict: Verdict<C>,
  now: string,
): readonly C[] {
  const before = conditions.find(({ type }) => type === verdict.type);
  const lastTransitionTime = before?.status === verdict.status ? before.lastTransitionTime : now;
  const after = { ...before, ...verdict, lastTransitionTime } as unknown as C; // a verdict and its time
  return before === undefined ? [...conditions, after] : conditions.map((each) => (each === before ? after : each));
}
