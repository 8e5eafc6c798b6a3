import { type FieldError, invalid, required } from "#base/field-error.ts";

const annotation = "api-approved.kubernetes.io";
const place = `metadata.annotations[${annotation}]`;
const rules = "see https://github.com/kubernetes/enhancements/pull/1111";

type Annotations = Readonly<Record<string, string>>;

/** Groups of the community of Kubernetes need its word; one that was missing or wrong before may stay so. */
export function approvalErrors(group: string, annotations: Annotations = {}, old?: Annotations): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const state = stateOf(annotations);
  if (old !== undefined && stateOf(old) === state) return [];
  const must = `protected groups must have approval annotation "${annotation}"`;
  if (state === "missing") return [required(place, `${must}, ${rules}`)];
  if (state !== "wrong") return [];
  const detail = `${must} with either a URL or a reason starting with "unapproved", ${rules}`;
  return [invalid(place, annotations[annotation], detail)];
}

function stateOf(annotations: Annotations): "missing" | "bypassed" | "approved" | "wrong" {
  const text = annotations[annotation] ?? "";
  if (text === "") return "missing";
  if (text.startsWith("unapproved")) return "bypassed";
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s]+/.test(text) ? "approved" : "wrong";
}
