import { patternMessage } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { nonNegativeMembers, oneOf, portNumber, portNumberOrName, requiredText } from "../value-rules.ts";

const headerPattern = /^[-A-Za-z0-9]+$/;
const counters = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

/** What is wrong with the probes and hooks of a container that runs alongside the others. */
export function probeErrors(container: Fields, path: string, gracePeriodSeconds: number): FieldError[] {
  const lifecycle: Fields = container.lifecycle ?? {};
  return [
    ...["postStart", "preStop"].flatMap((hook) =>
      lifecycle[hook] == null ? [] : handlerErrors(lifecycle[hook], `${path}.lifecycle.${hook}`, gracePeriodSeconds),
    ),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((name) =>
      container[name] == null ? [] : singleProbe(container[name], `${path}.${name}`, name),
    ),
  ];
}

function singleProbe(probe: Fields, path: string, name: string): FieldError[] {
  const errors = [...handlerErrors(probe, path, 0), ...nonNegativeMembers(path, probe, counters)];
  const grace = probe.terminationGracePeriodSeconds;
  if (grace != null && grace <= 0) {
    errors.push(invalid(`${path}.terminationGracePeriodSeconds`, grace, "must be greater than 0"));
  }
  if (name === "readinessProbe") {
    if (grace != null) {
      errors.push(invalid(`${path}.terminationGracePeriodSeconds`, grace, "must not be set for readinessProbes"));
    }
    return errors;
  }
  if (probe.successThreshold !== 1) {
    errors.push(invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, "must be 1"));
  }
  return errors;
}

const actions: Readonly<Record<string, (action: Fields, path: string, gracePeriodSeconds: number) => FieldError[]>> = {
  exec: (action, path) => ((action.command ?? []).length === 0 ? [required(`${path}.command`)] : []),
  httpGet: httpErrors,
  tcpSocket: (action, path) => portNumberOrName(`${path}.port`, action.port),
  grpc: (action, path) => portNumber(`${path}.port`, action.port),
  sleep: (action, path, grace) =>
    action.seconds >= 0 && action.seconds <= grace
      ? []
      : [
          invalid(
            path,
            action.seconds ?? 0,
            `must be non-negative and less than terminationGracePeriodSeconds (${grace})`,
          ),
        ],
};

function handlerErrors(handler: Fields, path: string, gracePeriodSeconds: number): FieldError[] {
  const named = Object.keys(actions).filter((action) => handler[action] != null);
  const [first = "", ...more] = named;
  if (first === "") return [required(path, "must specify a handler type")];
  return [
    ...(actions[first]?.(handler[first], `${path}.${first}`, gracePeriodSeconds) ?? []),
    ...more.map((action) => forbidden(`${path}.${action}`, "may not specify more than 1 handler type")),
  ];
}

function httpErrors(action: Fields, path: string): FieldError[] {
  const errors = [
    ...requiredText(`${path}.path`, action.path),
    ...portNumberOrName(`${path}.port`, action.port),
    ...oneOf(`${path}.scheme`, action.scheme, ["HTTP", "HTTPS"]),
  ];
  for (const header of action.httpHeaders ?? []) {
    if (headerPattern.test(header.name ?? "")) continue;
    const rule = "a valid HTTP header must consist of alphanumeric characters or '-'";
    errors.push(
      invalid(`${path}.httpHeaders`, header.name ?? "", patternMessage(rule, "[-A-Za-z0-9]+", "X-Header-Name")),
    );
  }
  return errors;
}
