import type { Terminal } from "../command.ts";

const visible = /\u001b\[[0-9;]{1,5}m|./gsu;

/** Lines on a terminal that are drawn again in place. */
export class LiveLines {
  readonly #terminal: Terminal;
  #drawn = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Draws these instead of those before; what does not fit onto the screen is left out and counted. */
  show(lines: readonly string[]): void {
    const { columns, rows } = this.#terminal.size();
    const room = Math.max(1, rows - 1);
    const fitting = lines.length > room ? [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`] : lines;
    const text = fitting.map((line) => `${cut(line, columns)}\u001b[K\n`).join("");
    this.#terminal.write(`${this.#back()}${text}\u001b[J`);
    this.#drawn = fitting.length;
  }

  /** Leaves what was drawn last where it is. */
  keep(): void {
    this.#drawn = 0;
  }

  /** Takes away what was drawn last. */
  clear(): void {
    this.#terminal.write(`${this.#back()}\u001b[J`);
    this.#drawn = 0;
  }

  #back(): string {
    return this.#drawn === 0 ? "" : `\r\u001b[${this.#drawn}A`;
  }
}

/** As much of a line as fits; colours take no room, and end with it. */
function cut(line: string, columns: number): string {
  let room = columns;
  let text = "";
  for (const [piece] of line.matchAll(visible)) {
    if (piece.length > 1 && piece.startsWith("\u001b")) text += piece;
    else if (room-- > 0) text += piece;
  }
  return text;
}
