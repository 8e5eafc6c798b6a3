export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What stands in an exposition: its samples, and the type of each family that is described. */
export interface Exposition {
  readonly samples: readonly Sample[];
  readonly types: ReadonlyMap<string, string>;
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelText = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/** Reads Prometheus' text format; a line that is not legal there is an error. */
export function parseExposition(text: string): Exposition {
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("# HELP ")) continue;
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type !== null) {
      types.set(type[1]!, type[2]!);
      continue;
    }
    const match = sampleLine.exec(line);
    if (match === null) throw new Error(`no line of an exposition: ${line}`);
    const labels = Object.fromEntries(
      [...(match[2] ?? "").matchAll(labelText)].map(([, key, value]) => [key!, value!]),
    );
    samples.push({ name: match[1]!, labels, value: match[3] === "+Inf" ? Number.POSITIVE_INFINITY : Number(match[3]) });
  }
  return { samples, types };
}

/** The value of the one sample with that name and at least those labels. */
export function sampleOf({ samples }: Exposition, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  if (found.length !== 1) throw new Error(`${found.length} samples of ${name} ${JSON.stringify(labels)}`);
  return found[0]!.value;
}
