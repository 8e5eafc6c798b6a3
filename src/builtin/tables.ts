import type { TablePrinter } from "#api/meta/resource-type.ts";

/** How kubectl shows a built-in kind. */
export function tableOf(_group: string, _kind: string): TablePrinter {
  const column = { format: "", priority: 0, description: "" } as const;
  return {
    columns: [
      { ...column, name: "Name", type: "string", format: "name" },
      { ...column, name: "Created At", type: "date" },
    ],
    cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
  };
}
