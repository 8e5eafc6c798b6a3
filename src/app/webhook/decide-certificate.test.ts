import { describe, expect, test } from "vitest";
import { type CertificateSituation, decideCertificate } from "./decide-certificate.ts";

const day = 24 * 3_600_000;
const names = ["hook.svc", "::1"];
const made = (ms: number) => ({
  notBeforeMs: ms,
  notAfterMs: ms + 90 * day,
  names: ["hook.svc", "0:0:0:0:0:0:0:1", "more"],
});
const decide = (more: Partial<CertificateSituation>) =>
  decideCertificate({ nowMs: day, names, current: made(0), next: undefined, isPublished: true, ...more });

describe("a certificate", () => {
  for (const [situation, more, step] of [
    ["is made where there is none", { current: undefined }, "make current"],
    ["is made anew when it has expired", { nowMs: 90 * day }, "make current"],
    ["is made anew when it is not valid yet", { nowMs: -1 }, "make current"],
    ["is made anew when it lacks a name", { names: ["other.svc"] }, "make current"],
    ["is left alone when it is young", {}, "wait"],
    ["gets a successor after two thirds of its life", { nowMs: 60 * day }, "make next"],
    ["waits for its successor to be known", { nowMs: 61 * day, next: made(60 * day), isPublished: false }, "wait"],
    ["waits an hour after that", { nowMs: 60 * day + 1, next: made(60 * day) }, "wait"],
    ["is replaced by its successor", { nowMs: 61 * day, next: made(60 * day) }, "promote next"],
    [
      "gets another successor when that one lacks a name",
      { nowMs: 61 * day, next: { ...made(60 * day), names: [] } },
      "make next",
    ],
    ["gets another successor when that one has expired", { nowMs: 61 * day, next: made(-30 * day) }, "make next"],
  ] as const)
    test(situation, () => expect(decide(more).do).toBe(step));

  test("is looked at again when there will be something to do", () => {
    expect(decide({})).toEqual({ do: "wait", untilMs: 60 * day });
    expect(decide({ nowMs: 60 * day + 1, next: made(60 * day) })).toEqual({
      do: "wait",
      untilMs: 60 * day + 300_000 + 3_600_000,
    });
  });
});
