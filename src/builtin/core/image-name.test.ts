import { expect, test } from "vitest";
import { defaultPullPolicy } from "./image-name.ts";

const rows: Record<string, "Always" | "IfNotPresent"> = {
  nginx: "Always",
  "nginx:latest": "Always",
  "nginx:1.27": "IfNotPresent",
  "registry.example.com:5000/a/b": "Always",
  "registry.example.com:5000/a/b:v1": "IfNotPresent",
  [`nginx@sha256:${"0".repeat(64)}`]: "IfNotPresent",
  [`nginx:latest@sha256:${"0".repeat(64)}`]: "Always",
  "": "IfNotPresent",
  "Not An Image": "IfNotPresent",
  [`${"a-".repeat(100_000)}`]: "IfNotPresent",
};
for (const [image, policy] of Object.entries(rows)) {
  test(`${JSON.stringify(image.slice(0, 40))} is pulled ${policy}`, () =>
    expect(defaultPullPolicy(image)).toBe(policy));
}
