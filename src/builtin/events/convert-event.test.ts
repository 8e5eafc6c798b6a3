import { expect, test } from "vitest";
import { eventConversion } from "./convert-event.ts";

const stored = {
  apiVersion: "v1",
  kind: "Event",
  metadata: {
    name: "web.1",
    namespace: "shop",
    uid: "u",
    resourceVersion: "1",
    creationTimestamp: "2026-11-15T08:00:00Z",
  },
  involvedObject: { kind: "Pod", name: "web" },
  message: "Started",
  reason: "Started",
  source: { component: "kubelet" },
  reportingComponent: "kubelet",
  firstTimestamp: "2026-11-15T08:00:00Z",
  lastTimestamp: "2026-11-15T08:01:00Z",
  count: 2,
  type: "Normal",
};

test("an event of the core group is served by the other group under the other names", () => {
  expect(eventConversion.fromStorage(stored)).toEqual({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: stored.metadata,
    regarding: { kind: "Pod", name: "web" },
    note: "Started",
    reason: "Started",
    deprecatedSource: { component: "kubelet" },
    reportingController: "kubelet",
    deprecatedFirstTimestamp: "2026-11-15T08:00:00Z",
    deprecatedLastTimestamp: "2026-11-15T08:01:00Z",
    deprecatedCount: 2,
    type: "Normal",
  });
});

test("what is served goes back as it was", () => {
  const { apiVersion, kind, ...rest } = eventConversion.fromStorage(stored);
  expect(eventConversion.toStorage({ ...rest, apiVersion, kind, metadata: { name: "web.1" } })).toEqual({
    ...stored,
    metadata: { name: "web.1" },
  });
});
