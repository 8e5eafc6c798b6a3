import { expect, test } from "vitest";
import { chooseFault, type FaultRule, type FaultSubject, parseFault } from "./faults.ts";

const texts: Readonly<Record<string, unknown>> = {
  "never-ready": { kind: "never-ready" },
  "crash-loop": { kind: "crash-loop" },
  "image-pull-error": { kind: "image-pull-error" },
  fail: { kind: "fail" },
  "slow-start": { kind: "slow-start", delayMs: 30_000 },
  "slow-start=90s": { kind: "slow-start", delayMs: 90_000 },
  "slow-start=250ms": { kind: "slow-start", delayMs: 250 },
  "slow-start=2m": { kind: "slow-start", delayMs: 120_000 },
  "": undefined,
  meteor: undefined,
};
for (const [text, fault] of Object.entries(texts)) {
  test(`"${text}" means ${JSON.stringify(fault)}`, () => expect(parseFault(text)).toEqual(fault));
}

const subject: FaultSubject = {
  namespace: "shop",
  name: "web-1",
  podSpec: { containers: [{ image: "registry/does-not-exist:1" }] },
  annotations: [undefined, undefined],
};
const fail: FaultRule["fault"] = { kind: "fail" };

const rows: Readonly<
  Record<string, { rules: readonly FaultRule[]; given?: Partial<FaultSubject>; expect: string | undefined }>
> = {
  "no rule": { rules: [], expect: undefined },
  "a part of an image's name": { rules: [{ fault: fail, image: "does-not-exist" }], expect: "fail" },
  "another image": { rules: [{ fault: fail, image: "nginx" }], expect: undefined },
  "the beginning of a name": { rules: [{ fault: fail, name: "web" }], expect: "fail" },
  "a name in another namespace": { rules: [{ fault: fail, name: "web", namespace: "bank" }], expect: undefined },
  "a rule without conditions befalls everything": { rules: [{ fault: fail }], expect: "fail" },
  "the first of two rules": { rules: [{ fault: { kind: "crash-loop" } }, { fault: fail }], expect: "crash-loop" },
  "an annotation goes before rules": {
    rules: [{ fault: fail }],
    given: { annotations: [{ "simulator.flotilla.io/fault": "never-ready" }] },
    expect: "never-ready",
  },
  "an annotation on the controller": {
    rules: [],
    given: { annotations: [{}, { "simulator.flotilla.io/fault": "crash-loop" }] },
    expect: "crash-loop",
  },
  "an annotation that is no fault spares from rules": {
    rules: [{ fault: fail }],
    given: { annotations: [{ "simulator.flotilla.io/fault": "none" }] },
    expect: undefined,
  },
};
for (const [name, { rules, given, expect: kind }] of Object.entries(rows)) {
  test(`fault by ${name}`, () => expect(chooseFault({ ...subject, ...given }, rules)?.kind).toBe(kind));
}
