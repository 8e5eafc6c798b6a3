import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, forbidden, notFound } from "#base/field-error.ts";
import { asSent } from "../sent-empty.ts";
import { isMissing } from "../value-rules.ts";
import { containerErrors, type Surroundings } from "./container-rules.ts";

const serviceMembers = [
  ...["ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules", "livenessProbe", "readinessProbe"],
  ...["startupProbe", "lifecycle"],
];
const notHere = "cannot be set for an Ephemeral Container";

/** What is wrong with the containers that somebody adds to a pod to look into it. */
export function ephemeralContainerErrors(spec: Fields, path: string, pod: Surroundings): FieldError[] {
  const others = new Set<string>(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }: Fields) => name ?? ""),
  );
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container: Fields, index: number) => {
    const at = `${path}[${index}]`;
    const name: string = container.name ?? "";
    const errors = containerErrors(container, at, pod);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    const target = container.targetContainerName;
    if (!isMissing(target) && !others.has(target)) errors.push(notFound(`${at}.targetContainerName`, target));
    return [
      ...errors,
      ...serviceMembers.filter((field) => isSet(field, container)).map((field) => forbidden(`${at}.${field}`, notHere)),
      ...(container.volumeMounts ?? []).flatMap((mount: Fields, place: number) =>
        ["subPath", "subPathExpr"]
          .filter((field) => !isMissing(mount[field]))
          .map((field) => forbidden(`${at}.volumeMounts[${place}].${field}`, notHere)),
      ),
    ];
  });
}

/** The resources alone are no pointer. */
function isSet(field: string, container: Fields): boolean {
  const value = asSent(container, field);
  if (field !== "resources") return value != null;
  return ["limits", "requests", "claims"].some((part) => asSent(container.resources, part) != null);
}
