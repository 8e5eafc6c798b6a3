import type { Fields } from "#api/meta/object-meta.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
  tooLong,
} from "#base/field-error.ts";
import { idErrors } from "./security-rules.ts";

const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];
const containersOf: Readonly<Record<string, string>> = {
  containerStatuses: "containers",
  initContainerStatuses: "initContainers",
};

/**
 * A container that has ended stays so unless it may be started again. Those that the pod does not have are not judged: the status of a
 * template has the containers of many clusters, without names.
 */
export function containerStateErrors(status: Fields, before: Fields, spec: Fields): FieldError[] {
  return lists.flatMap((list) => transitionErrors(status[list] ?? [], before[list] ?? [], { list, spec }));
}

/** What is wrong with the users and the resources that a pod's status tells of its containers. */
export function containerStatusErrors(status: Fields, spec: Fields): FieldError[] {
  return [
    ...lists.flatMap((list) => userErrors(status[list] ?? [], `status.${list}`, spec.os?.name ?? "linux")),
    ...lists.flatMap((list) => allocationErrors(status[list] ?? [], list, spec)),
  ];
}

function transitionErrors(
  statuses: readonly Fields[],
  before: readonly Fields[],
  { list, spec }: { readonly list: string; readonly spec: Fields },
): FieldError[] {
  const containers: readonly Fields[] | undefined = spec[containersOf[list] ?? ""];
  if (containers !== undefined && restartsAll(spec)) return [];
  return before.flatMap(({ name, state }, index) => {
    if (state?.terminated == null) return [];
    const next = statuses.find((status) => status.name === name && status.state?.terminated == null);
    const container = containers?.find((item) => item.name === name);
    if (next === undefined || (containers !== undefined && container === undefined)) return [];
    if (container !== undefined && mayRestart(container, spec, state.terminated.exitCode ?? 0)) return [];
    return [forbidden(`status.${list}[${index}].state`, "may not be transitioned to non-terminated state")];
  });
}

function restartsAll({ initContainers, containers }: Fields): boolean {
  return [...(initContainers ?? []), ...(containers ?? [])].some(({ restartPolicyRules }: Fields) =>
    (restartPolicyRules ?? []).some(({ action }: Fields) => action === "RestartAllContainers"),
  );
}

function mayRestart({ restartPolicy, restartPolicyRules }: Fields, spec: Fields, exitCode: number): boolean {
  const ruled =
    restartPolicy != null &&
    (restartPolicyRules ?? []).some(({ exitCodes }: Fields) => {
      const listed = (exitCodes?.values ?? []).includes(exitCode);
      return exitCodes?.operator === "In" ? listed : exitCodes?.operator === "NotIn" && !listed;
    });
  const policy = restartPolicy ?? spec.restartPolicy;
  return ruled || policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

function userErrors(statuses: readonly Fields[], path: string, os: string): FieldError[] {
  return statuses.flatMap(({ user }, index) => {
    const linux: Fields | undefined | null = user?.linux;
    const at = `${path}[${index}].user.linux`;
    if (linux == null) return [];
    if (os === "windows") return [forbidden(at, "cannot be set for a windows pod")];
    return [
      ...idErrors(`${at}.uid`, linux.uid),
      ...idErrors(`${at}.gid`, linux.gid),
      ...(linux.supplementalGroups ?? []).flatMap((group: unknown, place: number) =>
        idErrors(`${at}.supplementalGroups[${place}]`, group),
      ),
    ];
  });
}

function allocationErrors(statuses: readonly Fields[], list: string, spec: Fields): FieldError[] {
  const containers: readonly Fields[] = spec[containersOf[list] ?? ""] ?? [];
  return statuses.flatMap(({ name, allocatedResourcesStatus }, index) => {
    const allocated: readonly Fields[] = allocatedResourcesStatus ?? [];
    const path = `status.${list}[${index}].allocatedResourcesStatus`;
    if (list === "ephemeralContainerStatuses") {
      return allocated.length === 0 ? [] : [forbidden(path, "must not be specified in container status")];
    }
    const container = containers.find((item) => item.name === name);
    return allocated.flatMap((resource, place) => [
      ...(container === undefined ? [] : referenceErrors(resource.name ?? "", `${path}[${place}].name`, container)),
      ...healthErrors(resource.resources ?? [], `${path}[${place}].resources`),
    ]);
  });
}

function referenceErrors(name: string, path: string, { resources }: Fields): FieldError[] {
  if (name.startsWith("claim:")) {
    const claimed = (resources?.claims ?? []).some(
      (claim: Fields) => name === `claim:${claim.name ?? ""}${claim.request ? `/${claim.request}` : ""}`,
    );
    const message =
      "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
    return claimed ? [] : [invalid(path, namedText(name), message)];
  }
  const asked = Object.hasOwn(resources?.requests ?? {}, name);
  return asked ? [] : [invalid(path, namedText(name), "must match one of the container's resource requests")];
}

const healths = ["Healthy", "Unhealthy", "Unknown"];
const maxMessage = 256;

function healthErrors(resources: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  return resources.flatMap(({ resourceID = "", health = "", message }, index) => {
    const at = `${path}[${index}]`;
    const errors = healths.includes(health) ? [] : [notSupported(`${at}.health`, namedText(health), healths)];
    if (message === "") errors.push(required(`${at}.message`, "must be non-empty if specified"));
    if ((message ?? "").length > maxMessage) errors.push(tooLong(`${at}.message`, maxMessage));
    if (seen.has(resourceID)) errors.push(duplicate(`${at}.resourceID`, namedText(resourceID)));
    seen.add(resourceID);
    return errors;
  });
}
