/**
 * The difference of two texts as Kubernetes shows it: unified, with three lines around each change. The blocks that stay are found as
 * Python's difflib finds them, which Kubernetes' library follows, frequent lines left out in long texts included.
 */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before, after].map((text) => text.split("\n")) as [string[], string[]];
  const changes = findChanges(a, b);
  return groupsOf(changes)
    .map((group) => printGroup(group, a, b))
    .join("");
}

/** A stretch of both texts: the same, or replaced (where one side is empty: added or removed). */
interface Stretch {
  readonly same: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

const context = 3;
const longText = 200;

function findChanges(a: readonly string[], b: readonly string[]): Stretch[] {
  const stretches: Stretch[] = [];
  let [i, j] = [0, 0];
  for (const match of [...mergedMatches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) stretches.push({ same: false, a: [i, match.a], b: [j, match.b] });
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size > 0) stretches.push({ same: true, a: [match.a, i], b: [match.b, j] });
  }
  return stretches;
}

function mergedMatches(a: readonly string[], b: readonly string[]): Match[] {
  const matches: Match[] = [];
  const places = placesOf(b);
  const visit = (range: Range): void => {
    const match = longestMatch(a, b, { ...range, places });
    if (match.size === 0) return;
    const end = { a: match.a + match.size, b: match.b + match.size };
    if (range.aFrom < match.a && range.bFrom < match.b) visit({ ...range, aTo: match.a, bTo: match.b });
    const last = matches.at(-1);
    if (last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b) {
      matches[matches.length - 1] = { ...last, size: last.size + match.size };
    } else matches.push(match);
    if (end.a < range.aTo && end.b < range.bTo) visit({ ...range, aFrom: end.a, bFrom: end.b });
  };
  visit({ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length });
  return matches;
}

interface Range {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** Where each line stands; in a long text not those that stand in more than one of a hundred places. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (lines.length < longText) return places;
  const frequent = Math.floor(lines.length / 100) + 1;
  for (const [line, found] of places) if (found.length > frequent) places.delete(line);
  return places;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  { aFrom, aTo, bFrom, bTo, places }: Range & { readonly places: ReadonlyMap<string, readonly number[]> },
): Match {
  let best: Match = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bFrom || j >= bTo) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  for (; i > aFrom && j > bFrom && a[i - 1] === b[j - 1]; size++) [i, j] = [i - 1, j - 1];
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}

/** Changes with the lines around them; those that are near to each other together. */
function groupsOf(stretches: readonly Stretch[]): Stretch[][] {
  const groups: Stretch[][] = [];
  let group: Stretch[] = [];
  for (const [index, stretch] of stretches.entries()) {
    if (!stretch.same) {
      group.push(stretch);
      continue;
    }
    const isFirst = index === 0;
    const isLast = index === stretches.length - 1;
    const size = stretch.a[1] - stretch.a[0];
    if (isFirst || isLast) group.push(isFirst ? tail(stretch) : head(stretch));
    else if (size > 2 * context) {
      groups.push([...group, head(stretch)]);
      group = [tail(stretch)];
    } else group.push(stretch);
  }
  groups.push(group);
  return groups.filter((each) => each.some(({ same }) => !same));
}

function head({ a, b }: Stretch): Stretch {
  return { same: true, a: [a[0], Math.min(a[1], a[0] + context)], b: [b[0], Math.min(b[1], b[0] + context)] };
}

function tail({ a, b }: Stretch): Stretch {
  return { same: true, a: [Math.max(a[0], a[1] - context), a[1]], b: [Math.max(b[0], b[1] - context), b[1]] };
}

function printGroup(group: readonly Stretch[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0]!, group.at(-1)!];
  let text = `@@ -${printRange(first.a[0], last.a[1])} +${printRange(first.b[0], last.b[1])} @@\n`;
  for (const { same, a: old, b: now } of group) {
    const removed = a.slice(...old).map((line) => `${same ? " " : "-"}${line}\n`);
    const added = same ? [] : b.slice(...now).map((line) => `+${line}\n`);
    text += [...removed, ...added].join("");
  }
  return text;
}

function printRange(from: number, to: number): string {
  const size = to - from;
  if (size === 1) return String(from + 1);
  return `${size === 0 ? from : from + 1},${size}`;
}
