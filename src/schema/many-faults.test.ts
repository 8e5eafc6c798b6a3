import { expect, test } from "vitest";
import { validateFields } from "./validate-fields.ts";

test("faults in very many items are each told once, in time by their number", () => {
  const schema = { type: "object", properties: { names: { type: "array", items: { type: "string" } } } } as const;
  expect(validateFields({ names: Array(200_000).fill(1) }, schema)).toHaveLength(200_000);
});
