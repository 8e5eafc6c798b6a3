/** One step of a scenario, with the manifest or fields that it speaks of. */
export interface Step {
  readonly kind: "action" | "check";
  readonly text: string;
  readonly block: string | undefined;
  readonly line: number;
}

/** A scenario as it stands in its file. */
export interface Scenario {
  readonly title: string;
  /** The statement of the acceptance list that it shows, as `S12`; several where one story shows them. */
  readonly statements: readonly string[];
  readonly tags: ReadonlySet<string>;
  /** `Gates`, `Members`, `Ruling`: the file's, then its own. */
  readonly settings: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly line: number;
}

interface Draft {
  title: string;
  tags: Set<string>;
  settings: Record<string, string>;
  steps: { kind: Step["kind"]; text: string; block: string[]; line: number }[];
  line: number;
}

/** And and But go on with what came before. */
const kinds: Readonly<Record<string, Step["kind"]>> = { Given: "action", When: "action", Then: "check" };
const settingNames = new Set(["Gates", "Members", "Ruling", "Needs"]);

/** Reads a story file; what it does not understand is an error with its line. */
export function parseStory(text: string): readonly Scenario[] {
  const common: Record<string, string> = {};
  const drafts: Draft[] = [];
  let tags = new Set<string>();
  for (const [index, raw] of text.split("\n").entries()) {
    const line = index + 1;
    const draft = drafts.at(-1);
    const step = draft?.steps.at(-1);
    if (step !== undefined && /^ {6}/.test(raw)) {
      step.block.push(raw.slice(6));
      continue;
    }
    const content = raw.trim();
    if (content === "" || content.startsWith("#")) continue;
    if (content.startsWith("@")) {
      tags = new Set(content.split(/\s+/).map((tag) => tag.slice(1)));
      continue;
    }
    const scenario = /^Scenario: (.+)$/.exec(content)?.[1];
    if (scenario !== undefined) {
      drafts.push({ title: scenario, tags, settings: { ...common }, steps: [], line });
      tags = new Set();
      continue;
    }
    const setting = /^(\w+): (.+)$/.exec(content);
    if (setting !== null && settingNames.has(setting[1]!) && step === undefined) {
      (draft?.settings ?? common)[setting[1]!] = setting[2]!;
      continue;
    }
    const words = /^(Given|When|Then|And|But) (.+)$/.exec(content);
    if (words === null || draft === undefined) throw new Error(`cannot read line ${line} of the story: ${content}`);
    const kind = kinds[words[1]!] ?? step?.kind ?? "action";
    draft.steps.push({ kind, text: words[2]!.replace(/:$/, ""), block: [], line });
  }
  return drafts.map(finished);
}

function finished({ title, tags, settings, steps, line }: Draft): Scenario {
  const numbers = /^(S\d+(?:, S\d+)*) /.exec(title)?.[1];
  return {
    title,
    statements: numbers === undefined ? [] : numbers.split(", "),
    tags,
    settings,
    line,
    steps: steps.map(({ kind, text, block, line: at }) => ({
      kind,
      text,
      block: block.length === 0 ? undefined : block.join("\n"),
      line: at,
    })),
  };
}
