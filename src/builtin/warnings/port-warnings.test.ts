import { expect, test } from "vitest";
import { portWarnings } from "./port-warnings.ts";

const podOf = (ports: number) => ({ containers: [{ name: "c", ports: Array(ports).fill({ containerPort: 80 }) }] });

test("ports that stand twice are remarked", () => {
  expect(portWarnings(podOf(2), "spec")).toEqual([
    "spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]",
  ]);
});

test("a pod of very many ports does not make remarks of each about each", () => {
  expect(portWarnings(podOf(50_000), "spec")).toEqual([]);
});
