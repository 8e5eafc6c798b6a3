import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { duplicate, type FieldError, invalid, required } from "#base/field-error.ts";
import { isMissing } from "../value-rules.ts";

const maxLength = 253;
const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const form = `^(${segment}[\\./])*${segment}$`;
const pattern = new RegExp(form);

const ofProcesses: ReadonlySet<string> = new Set([
  ...["kernel.sem", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced", "kernel.shm"],
  ...["kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", "kernel.msg"],
]);

/** What is wrong with the parameters of the kernel that a pod wants. */
export function sysctlErrors(spec: Fields, path: string): FieldError[] {
  const names = new Set<string>();
  return (spec.securityContext?.sysctls ?? []).flatMap(({ name = "" }: Fields, index: number) => {
    const at = `${path}[${index}].name`;
    const errors = nameErrors(name, at);
    if (errors.length === 0 && names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    return [...errors, ...hostErrors(name, spec, at)];
  });
}

function nameErrors(name: string, path: string): FieldError[] {
  if (isMissing(name)) return [required(path)];
  if (byteLength(name) <= maxLength && pattern.test(name)) return [];
  return [invalid(path, name, `must have at most ${maxLength} characters and match regex ${form}`)];
}

/** What is the host's own where the pod shares it. */
function hostErrors(name: string, { hostNetwork, hostIPC }: Fields, path: string): FieldError[] {
  const [plain = ""] = withDots(name).split("*");
  if (hostNetwork === true && plain.startsWith("net.")) {
    return [invalid(path, name, "may not be specified when 'hostNetwork' is true")];
  }
  return hostIPC === true && (ofProcesses.has(plain) || plain.startsWith("fs.mqueue."))
    ? [invalid(path, name, "may not be specified when 'hostIPC' is true")]
    : [];
}

/** Where a slash comes first, slashes and dots have changed places. */
function withDots(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== "/") return name;
  return name.replaceAll(/[./]/g, (separator) => (separator === "/" ? "." : "/"));
}
