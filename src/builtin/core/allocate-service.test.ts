import { expect, test } from "vitest";
import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import { fieldErrorMessage } from "#base/field-error.ts";
import { cloneJson } from "#base/json.ts";
import { allocateService } from "./allocate-service.ts";
import { serviceStrategy } from "./service.ts";

function service(spec: Fields): Draft {
  const draft: Draft = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "a" },
    spec: { ports: [{ port: 80 }], ...spec },
  };
  serviceStrategy.applyDefaults?.(draft);
  serviceStrategy.prepareForCreate?.(draft);
  return draft;
}

function allocated(draft: Draft, others: readonly Draft[] = []): string[] {
  // stored objects are drafts that are complete
  const stored = others as unknown as readonly ApiObject[];
  return allocateService(draft, { others: () => stored, random: () => 0 }).map(fieldErrorMessage);
}

test("a service gets an address, and what follows from it", () => {
  const draft = service({});
  expect(allocated(draft)).toEqual([]);
  expect(draft.spec).toMatchObject({
    clusterIP: "10.96.0.1",
    clusterIPs: ["10.96.0.1"],
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
  });
});

test("an address that another service has is passed over", () => {
  const first = service({});
  allocated(first);
  const second = service({});
  allocated(second, [first]);
  expect(second.spec.clusterIP).toBe("10.96.0.2");
});

const headless: Record<string, { spec: Fields; expected: Fields }> = {
  "a headless service with a selector has one family": {
    spec: { clusterIP: "None", selector: { a: "b" } },
    expected: { clusterIPs: ["None"], ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
  },
  "a headless service without selector has both": {
    spec: { clusterIP: "None" },
    expected: { clusterIPs: ["None"], ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
  },
};
for (const [name, { spec, expected }] of Object.entries(headless)) {
  test(name, () => {
    const draft = service(spec);
    expect(allocated(draft)).toEqual([]);
    expect(draft.spec).toMatchObject(expected);
  });
}

test("an external name gets nothing", () => {
  const draft = service({ type: "ExternalName", externalName: "x.example.com" });
  expect(allocated(draft)).toEqual([]);
  expect(draft.spec.clusterIP).toBeUndefined();
});

test("each port of a node port service gets a number of its own", () => {
  const draft = service({
    type: "NodePort",
    ports: [
      { name: "a", port: 80 },
      { name: "b", port: 81, nodePort: 30_000 },
    ],
  });
  expect(allocated(draft)).toEqual([]);
  expect(draft.spec.ports.map((port: Fields) => port.nodePort)).toEqual([30_001, 30_000]);
});

test("a balancer that keeps traffic local gets a port for health checks", () => {
  const draft = service({ type: "LoadBalancer", externalTrafficPolicy: "Local" });
  expect(allocated(draft)).toEqual([]);
  expect(draft.spec.healthCheckNodePort).toBe(30_001);
});

const refusals: Record<string, { spec: Fields; message: string }> = {
  "an address that is taken": {
    spec: { clusterIP: "10.96.0.9" },
    message:
      'spec.clusterIPs: Invalid value: ["10.96.0.9"]: failed to allocate IP 10.96.0.9: provided IP is already allocated',
  },
  "an address outside the network": {
    spec: { clusterIP: "10.0.0.9" },
    message:
      'spec.clusterIPs: Invalid value: ["10.0.0.9"]: failed to allocate IP 10.0.0.9: the provided network does not match the current range',
  },
  "a node port that is taken": {
    spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30_080 }] },
    message: "spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated",
  },
  "a node port outside the range": {
    spec: { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] },
    message:
      "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767",
  },
};
for (const [name, { spec, message }] of Object.entries(refusals)) {
  test(`${name} is refused`, () => {
    const other = service({ type: "NodePort", clusterIP: "10.96.0.9", ports: [{ port: 80, nodePort: 30_080 }] });
    expect(allocated(service(spec), [other])).toEqual([message]);
  });
}

test("an update that leaves out what was given out keeps it", () => {
  const stored = service({ type: "NodePort" });
  allocated(stored);
  const update = cloneJson(stored);
  for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]) delete update.spec[field];
  delete update.spec.ports[0].nodePort;
  serviceStrategy.prepareForUpdate?.(update, stored as unknown as ApiObject);
  expect(update.spec).toEqual(stored.spec);
});

test("a service that becomes a plain one gives its node port back", () => {
  const stored = service({ type: "NodePort" });
  allocated(stored);
  const update = cloneJson(stored);
  update.spec.type = "ClusterIP";
  serviceStrategy.prepareForUpdate?.(update, stored as unknown as ApiObject);
  expect(update.spec.ports[0].nodePort).toBeUndefined();
  expect(update.spec.externalTrafficPolicy).toBeUndefined();
  expect(update.spec.clusterIP).toBe(stored.spec.clusterIP);
});
