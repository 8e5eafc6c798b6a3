import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { cleanupFinalizer, type DefinitionStep, decideDefinition } from "./decide-definition.ts";

const cases: Record<
  string,
  {
    reason: string;
    going?: boolean;
    finalizers?: readonly string[];
    /** `name!` when it was asked to go. */
    instances: readonly string[];
    told?: boolean;
    expect: readonly string[];
  }
> = {
  "a definition in use": { reason: "nobody asked for its end", going: false, instances: ["a"], expect: [] },
  "one that somebody else holds": { reason: "we are done", finalizers: ["x/y"], instances: [], expect: [] },
  "one without instances": { reason: "nothing keeps it", instances: [], expect: ["release"] },
  "one with instances": { reason: "they go first", instances: ["a", "b"], expect: ["conditions", "delete a b"] },
  "some instances were asked already": {
    reason: "nobody is asked or told twice",
    instances: ["a!", "b"],
    told: true,
    expect: ["delete b"],
  },
  "all instances were asked": { reason: "their events bring it again", instances: ["a!"], told: true, expect: [] },
};

for (const [name, each] of Object.entries(cases)) {
  test(name, () => {
    const { reason, going = true, finalizers = [cleanupFinalizer], instances, told = false, expect: steps } = each;
    const conditions = [
      { type: "Established", status: "True" },
      ...(told ? [{ type: "Terminating", status: "True" }] : []),
    ];
    const definition = {
      ...object("widgets.example.com", { finalizers, going }),
      spec: { group: "example.com", names: { plural: "widgets" } },
      status: { conditions },
    };
    const objects = instances.map((text) => object(text.replace("!", ""), { going: text.endsWith("!") }));
    const plan = decideDefinition({ definition, instances: objects, nowMs: 0 });
    expect(plan.steps.map(line), reason).toEqual(steps);
    const waits = going && finalizers.includes(cleanupFinalizer) && instances.length > 0;
    expect(plan.waitFor !== undefined, reason).toBe(waits);
  });
}

function object(name: string, { finalizers, going }: { finalizers?: readonly string[]; going: boolean }): ApiObject {
  const metadata = { name, uid: name, resourceVersion: "1", creationTimestamp: "2030-01-01T00:00:00Z" };
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: {
      ...metadata,
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(going ? { deletionTimestamp: "2030-01-01T00:00:00Z" } : {}),
    },
  };
}

function line(step: DefinitionStep): string {
  if (step.do === "delete") return `delete ${step.instances.map(({ metadata }) => metadata.name).join(" ")}`;
  if (step.do === "release") return "release";
  expect(step.conditions.map(({ type }) => type)).toEqual(["Established", "Terminating"]);
  return "conditions";
}
