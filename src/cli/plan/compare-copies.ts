import type { PlannedTemplate } from "#api/plan/plan-report.ts";
import { copyName, type WorkRecord, type WorkRecords } from "./work-records.ts";

type Effect = "created" | "changed" | "deleted";

const promised = { creates: "created", changes: "changed", deletes: "deleted", releases: "deleted" } as const;

interface Seen {
  readonly before: WorkRecords;
  readonly after: WorkRecords;
}

/** Where what became of copies in members is not what was planned for them, as lines for people. */
export function compareCopies(templates: readonly PlannedTemplate[], { before, after }: Seen): readonly string[] {
  const planned = new Map<string, Effect>();
  /** Copies that wait for something: what becomes of them is not a matter of the plan. */
  const waiting = new Set<string>();
  for (const template of templates) {
    for (const { cluster, does } of template.objects) planned.set(copyName(template, cluster), promised[does]);
    for (const { clusters = [] } of template.pending)
      for (const cluster of clusters) waiting.add(copyName(template, cluster));
  }
  return [...new Set([...before.keys(), ...after.keys(), ...planned.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    const [wanted, found] = [planned.get(name), effectOf(old, now)];
    if (wanted === undefined)
      return found === undefined || waiting.has(name) ? [] : [`${name}: not planned, was ${found}`];
    if (wanted !== found && !(wanted === "changed" && isReleased(old, now)))
      return [`${name}: planned to be ${wanted}, ${found === undefined ? stateOf(now) : `was ${found}`}`];
    if (now?.refusal === undefined) return [];
    return [`${name}: planned to be ${wanted}, the member has not got it: ${now.refusal}`];
  });
}

function effectOf(before: WorkRecord | undefined, after: WorkRecord | undefined): Effect | undefined {
  if (before === undefined) return after === undefined ? undefined : "created";
  if (after === undefined) return "deleted";
  return before.content === after.content ? undefined : "changed";
}

/** What was held back before is sent, although it says the same. */
function isReleased(before: WorkRecord | undefined, after: WorkRecord | undefined): boolean {
  return before?.isHeld === true && after?.isHeld === false;
}

function stateOf(record: WorkRecord | undefined): string {
  return record === undefined ? "is not there" : "is there as it was";
}
