import type { Paint } from "../print/paint.ts";
import { plainText } from "../print/plain-text.ts";
import { tableLines } from "../print/table.ts";
import type { TreeNode, TreeState } from "./tree-of.ts";

/** A tree as lines: branches on the left, how each thing fares on the right. */
export function treeLines(root: TreeNode, paint: Paint): readonly string[] {
  const rows = branches(root, { before: "", below: "" }).map(([branch, node]) => [
    `${paint.dim(branch)}${plainText(node.kind)} ${plainText(node.name)}`,
    node.states.map((state) => painted(state, paint)).join("; "),
  ]);
  return tableLines({ columns: [{ name: "OBJECT" }, { name: "STATE" }], rows });
}

interface Indents {
  readonly before: string;
  readonly below: string;
}

function branches(node: TreeNode, { before, below }: Indents): readonly (readonly [string, TreeNode])[] {
  const last = node.children.length - 1;
  return [
    [before, node],
    ...node.children.flatMap((child, at) =>
      branches(child, {
        before: `${below}${at === last ? "└─ " : "├─ "}`,
        below: `${below}${at === last ? "   " : "│  "}`,
      }),
    ),
  ];
}

function painted({ text, is }: TreeState, paint: Paint): string {
  const plain = plainText(text);
  switch (is) {
    case "well":
      return paint.green(plain);
    case "waiting":
      return paint.yellow(plain);
    case "wrong":
      return paint.red(plain);
    case "neutral":
      return plain;
  }
}
