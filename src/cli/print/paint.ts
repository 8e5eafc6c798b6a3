/** Colours of a terminal. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

export interface PaintNeeds {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Colours where a terminal shows them and nobody forbids them (NO_COLOR, TERM=dumb). */
export function paintFor({ isTerminal, env }: PaintNeeds): Paint {
  const isPlain = !isTerminal || !!env["NO_COLOR"] || env["TERM"] === "dumb";
  const style = (on: number, off: number) => (text: string) =>
    isPlain || text === "" ? text : `\u001b[${on}m${text}\u001b[${off}m`;
  return { bold: style(1, 22), dim: style(2, 22), red: style(31, 39), green: style(32, 39), yellow: style(33, 39) };
}
