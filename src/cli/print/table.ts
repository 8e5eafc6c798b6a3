/** Rows under headings, as kubectl prints them. */
export interface Table {
  readonly columns: readonly TableColumn[];
  /** One text per column, the wide ones included. */
  readonly rows: readonly (readonly string[])[];
}

export interface TableColumn {
  readonly name: string;
  /** Shown only with `-o wide`. */
  readonly wide?: boolean;
}

const gap = 3;

/** The lines of a table; columns are as wide as their widest text, colours not counted. */
export function tableLines(
  { columns, rows }: Table,
  { wide = false }: { readonly wide?: boolean } = {},
): readonly string[] {
  const shown = columns.flatMap((column, index) =>
    column.wide === true && !wide ? [] : [{ name: column.name, index }],
  );
  const all = [
    shown.map(({ name }) => name),
    ...rows.map((row) => shown.map(({ index }) => oneLine(row[index] ?? ""))),
  ];
  const widths = shown.map((_, at) => Math.max(...all.map((cells) => visibleLength(cells[at]!))));
  return all.map((cells) =>
    cells
      .map((cell, at) => `${cell}${" ".repeat(widths[at]! - visibleLength(cell) + gap)}`)
      .join("")
      .trimEnd(),
  );
}

/** Texts come from clusters: none may break the table or move the cursor. Our own colours stay. */
function oneLine(text: string): string {
  return text.replaceAll(
    /(\u001b\[[0-9;]{1,5}m)|[\p{Cc}\u2028\u2029]/gu,
    (_, colour: string | undefined) => colour ?? " ",
  );
}

function visibleLength(text: string): number {
  return Array.from(text.replaceAll(/\u001b\[[0-9;]{1,5}m/g, "")).length;
}
