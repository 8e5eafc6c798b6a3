import { describe, expect, test } from "vitest";
import type { ServedResource } from "#client/discovery.ts";
import { MisuseError } from "../command.ts";
import { findResource, readObjectWord } from "./find-resource.ts";

const kind = (group: string, resource: string, more: Partial<ServedResource>): ServedResource => ({
  group,
  version: "v1",
  resource,
  kind: resource,
  namespaced: true,
  ...more,
});
const served = [
  kind("", "pods", { kind: "Pod", shortNames: ["po"] }),
  kind("", "events", { kind: "Event" }),
  kind("apps", "deployments", { kind: "Deployment", singular: "deployment", shortNames: ["deploy"] }),
  kind("events.k8s.io", "events", { kind: "Event" }),
  kind("work.karmada.io", "resourcebindings", { kind: "ResourceBinding", shortNames: ["rb"], version: "v1alpha2" }),
];

describe("a word means", () => {
  for (const [word, group] of [
    ["pods", ""],
    ["po", ""],
    ["Deployment", "apps"],
    ["deploy", "apps"],
    ["deployments.apps", "apps"],
    ["deployments.v1.apps", "apps"],
    ["events", ""],
    ["events.events.k8s.io", "events.k8s.io"],
    ["rb", "work.karmada.io"],
  ] as const)
    test(`${word}: the one of group ${JSON.stringify(group)}`, () =>
      expect(findResource(word, served).group).toBe(group));
});

test("a slip of the pen is told what was meant", () => {
  for (const word of ["deploymnet", "deploymen", "deploymentt", "deplyment"])
    expect(() => findResource(word, served)).toThrow(
      expect.objectContaining({ hint: "did you mean deployments?" }) as unknown as Error,
    );
  expect(() => findResource("unicorns", served)).toThrow(
    expect.objectContaining({ hint: "see 'kubectl api-resources'" }) as unknown as Error,
  );
});

test("KIND/NAME is taken apart, and anything else is misuse", () => {
  expect(readObjectWord("deployment/web")).toEqual({ kind: "deployment", name: "web" });
  expect(readObjectWord("deployment", "web")).toEqual({ kind: "deployment", name: "web" });
  for (const [word, name] of [
    ["deployment/web", "web"],
    ["deployment/", "web"],
    ["", "web"],
    ["deployment", ""],
    ["deployment", "a/b"],
  ] as const)
    expect(() => readObjectWord(word, name)).toThrow(MisuseError);
  for (const word of ["deployment", "deployment/", "/web", "a/b/c", ""])
    expect(() => readObjectWord(word)).toThrow(MisuseError);
});
