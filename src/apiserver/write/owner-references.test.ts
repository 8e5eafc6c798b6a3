import { expect, test } from "vitest";
import { leaveOutRepeatedOwners } from "./owner-references.ts";

const owner = (uid: string) => ({ apiVersion: "v1", kind: "ConfigMap", name: "a", uid });

test("an owner that is named again is left out and told of, however many there are", () => {
  const many = Array.from({ length: 50_000 }, (_, index) => owner(`u${index}`));
  const draft = { apiVersion: "v1", kind: "Pod", metadata: { ownerReferences: [...many, owner("u7"), owner("u0")] } };
  const warnings: string[] = [];
  leaveOutRepeatedOwners(draft, warnings);
  expect(draft.metadata.ownerReferences).toEqual(many);
  expect(warnings).toEqual([expect.stringMatching(/observed: u7, u0$/)]);
});
