import { isJsonObject, member } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { emptySet, type FieldSet, NodeBuilder } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { ListSteps, memberNode, shapeOf } from "./shape.ts";

/** The node of a value that comes or goes as a whole: its own path and those of everything inside. */
export function wholeNode(value: unknown, node: SchemaNode | undefined): FieldSet {
  const shape = shapeOf(node, value);
  if (shape === "leaf") return emptySet;
  const children = new NodeBuilder();
  if (isJsonObject(value)) {
    for (const key in value) {
      const child = member(value, key);
      if (child !== undefined) children.add(fieldElement(key), wholeNode(child, memberNode(node, key)));
    }
  } else {
    // Only a node makes a list associative.
    addItems(children, value as readonly unknown[], node!);
  }
  return children.build("member");
}

/** Elements with equal keys are owned together, without what is inside. */
function addItems(children: NodeBuilder, items: readonly unknown[], node: SchemaNode): void {
  const steps = new ListSteps(node);
  const found = new Map<PathElement, FieldSet>();
  for (const item of items) {
    const element = steps.stepTo(item);
    if (element === undefined) continue;
    found.set(element, found.has(element) ? emptySet : wholeNode(item, node.items));
  }
  for (const [element, child] of found) children.add(element, child);
}
