import type { Fields } from "#api/meta/object-meta.ts";
import { defaultPullPolicy } from "./image-name.ts";
import { defaultFieldReferences } from "./volume-defaults.ts";

/** Defaults of a container of any sort. */
export function defaultContainer(container: Fields): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? "");
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  container.resources ??= {};
  for (const port of container.ports ?? []) port.protocol ||= "TCP";
  for (const variable of container.env ?? []) defaultFieldReferences(variable.valueFrom);
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) defaultProbe(container[probe]);
  dropStopSignal(container);
  for (const hook of ["postStart", "preStop"]) defaultHttpGet(container.lifecycle?.[hook]?.httpGet);
}

/** Of a feature that is off in Kubernetes. */
function dropStopSignal(container: Fields): void {
  if (container.lifecycle?.stopSignal == null) return;
  delete container.lifecycle.stopSignal;
  if (container.lifecycle.postStart == null && container.lifecycle.preStop == null) delete container.lifecycle;
}

function defaultProbe(probe: Fields | undefined): void {
  if (probe == null) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHttpGet(probe.httpGet);
  if (probe.grpc != null) probe.grpc.service ??= "";
}

function defaultHttpGet(action: Fields | undefined): void {
  if (action == null) return;
  action.path ||= "/";
  action.scheme ||= "HTTP";
}
