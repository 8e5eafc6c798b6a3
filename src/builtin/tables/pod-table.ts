import { ageSince } from "#api/meta/age.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { age, ageOf, name, type TableSketch } from "./table-sketch.ts";

/** Pods: what their containers do, in one word. Upstream: pkg/printers/internalversion/printers.go printPod. */
export const podTable: TableSketch = {
  columns: [
    name,
    { name: "Ready", about: "The aggregate readiness state of this pod for accepting traffic." },
    { name: "Status", about: "The aggregate status of the containers in this pod." },
    {
      name: "Restarts",
      about:
        "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
    },
    age,
    { name: "IP", wide: true, field: "status.podIP" },
    { name: "Node", wide: true, field: "spec.nodeName" },
    { name: "Nominated Node", wide: true, field: "status.nominatedNodeName" },
    { name: "Readiness Gates", wide: true, field: "spec.readinessGates" },
  ],
  cells: (pod, nowMs) => {
    const { ready, total, reason, restarts, restartedAt } = summaryOf(pod);
    const when = restarts > 0 && restartedAt !== "" ? ` (${ageSince(restartedAt, nowMs)} ago)` : "";
    return [
      pod.metadata.name,
      `${ready}/${total}`,
      reason,
      `${restarts}${when}`,
      ageOf(pod, nowMs),
      pod.status?.podIPs?.[0]?.ip || "<none>",
      pod.spec?.nodeName || "<none>",
      pod.status?.nominatedNodeName || "<none>",
      readinessGates(pod),
    ];
  },
};

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When a container last ended before it was started again; empty when none did. */
  readonly restartedAt: string;
}

function summaryOf(pod: Fields): Summary {
  const { spec = {}, status = {} } = pod;
  const sidecars = new Set<string>(
    (spec.initContainers ?? [])
      .filter((item: Fields) => item.restartPolicy === "Always")
      .map((item: Fields) => item.name),
  );
  const init = initSummary(pod, sidecars);
  const initialized = (status.conditions ?? []).some(
    (condition: Fields) => condition.type === "Initialized" && condition.status === "True",
  );
  const running = init.reason === undefined || initialized;
  const main = running ? mainSummary(pod, init.reason ?? firstReason(pod)) : undefined;
  return {
    ready: init.ready + (main?.ready ?? 0),
    total: (spec.containers ?? []).length + sidecars.size,
    reason: deletionReason(pod) ?? main?.reason ?? init.reason ?? "",
    restarts: main === undefined ? init.restarts : init.sidecarRestarts + main.restarts,
    restartedAt: main === undefined ? init.restartedAt : later(init.sidecarRestartedAt, main.restartedAt),
  };
}

function firstReason({ status = {} }: Fields): string {
  const gated = (status.conditions ?? []).some(
    (condition: Fields) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated",
  );
  return gated ? "SchedulingGated" : status.reason || status.phase || "";
}

function deletionReason({ metadata, status = {} }: Fields): string | undefined {
  if (metadata.deletionTimestamp == null) return undefined;
  if (status.reason === "NodeLost") return "Unknown";
  return status.phase === "Succeeded" || status.phase === "Failed" ? undefined : "Terminating";
}

interface InitSummary {
  /** Set while an init container has not done its work. */
  readonly reason: string | undefined;
  readonly ready: number;
  readonly restarts: number;
  readonly restartedAt: string;
  readonly sidecarRestarts: number;
  readonly sidecarRestartedAt: string;
}

function initSummary({ spec = {}, status = {} }: Fields, sidecars: ReadonlySet<string>): InitSummary {
  const total = (spec.initContainers ?? []).length;
  const sum = { ready: 0, restarts: 0, restartedAt: "", sidecarRestarts: 0, sidecarRestartedAt: "" };
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const ended = container.lastState?.terminated?.finishedAt ?? "";
    sum.restarts += container.restartCount ?? 0;
    sum.restartedAt = later(sum.restartedAt, ended);
    const sidecar = sidecars.has(container.name);
    if (sidecar) {
      sum.sidecarRestarts += container.restartCount ?? 0;
      sum.sidecarRestartedAt = later(sum.sidecarRestartedAt, ended);
    }
    if (container.state?.terminated?.exitCode === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready === true) sum.ready++;
      continue;
    }
    return { ...sum, reason: initReason(container.state ?? {}, `${index}/${total}`) };
  }
  return { ...sum, reason: undefined };
}

function initReason({ terminated, waiting }: Fields, progress: string): string {
  if (terminated != null) return `Init:${endReason(terminated)}`;
  if (waiting?.reason && waiting.reason !== "PodInitializing") return `Init:${waiting.reason}`;
  return `Init:${progress}`;
}

function endReason({ reason, signal, exitCode }: Fields): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;
}

interface MainSummary {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  readonly restartedAt: string;
}

/** Looks at the containers from the last to the first: the first one's word counts. */
function mainSummary({ status = {} }: Fields, before: string): MainSummary {
  let reason = before;
  let failure = "";
  const sum = { ready: 0, restarts: 0, restartedAt: "" };
  for (const container of (status.containerStatuses ?? []).toReversed()) {
    sum.restarts += container.restartCount ?? 0;
    sum.restartedAt = later(sum.restartedAt, container.lastState?.terminated?.finishedAt ?? "");
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated != null) {
      reason = endReason(terminated);
      if (terminated.exitCode) failure = reason;
    } else if (container.ready === true && running != null) sum.ready++;
  }
  if (reason !== "Completed") return { ...sum, reason };
  const isReady = (status.conditions ?? []).some(({ type, status: is }: Fields) => type === "Ready" && is === "True");
  const stillRuns = sum.ready > 0;
  return { ...sum, reason: stillRuns && isReady ? "Running" : failure || (stillRuns ? "NotReady" : reason) };
}

function later(a: string, b: string): string {
  return a === "" || (b !== "" && Date.parse(b) > Date.parse(a)) ? b : a;
}

function readinessGates({ spec = {}, status = {} }: Fields): string {
  const gates: readonly Fields[] = spec.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const open = gates.filter(
    (gate) =>
      (status.conditions ?? []).find((condition: Fields) => condition.type === gate.conditionType)?.status === "True",
  );
  return `${open.length}/${gates.length}`;
}
