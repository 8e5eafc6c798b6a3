import type { Fields } from "#api/meta/object-meta.ts";
import { printGoJson } from "#base/go-json.ts";
import { isJsonObject, type Json } from "#base/json.ts";
import { withSortedMembers } from "#base/sorted-json.ts";
import { asSent, rememberingAs } from "./sent-empty.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** One field of a Go struct: its name in print, its name on the wire, its type, and what is said of it. */
type GoField = readonly [print: string, wire: string, type: string, ...flags: readonly string[]];

/** The part of data/kubernetes/go-structs.json that printing needs. */
export interface GoStructs {
  readonly structs: Readonly<Record<string, readonly GoField[]>>;
}

/** Prints parts of objects as Kubernetes does in messages: in the form of its internal Go structs, every field in the order of the struct. */
export class GoForm {
  readonly #structs: GoStructs["structs"];

  constructor({ structs }: GoStructs) {
    this.#structs = structs;
  }

  /** The value in the form of an internal type such as `core.PodSpec`. */
  of(type: string, value: unknown): unknown {
    if (type.startsWith("*")) return value === undefined || value === null ? null : this.of(type.slice(1), value);
    if (type.startsWith("[]")) return Array.isArray(value) ? value.map((item) => this.of(type.slice(2), item)) : null;
    if (type.startsWith("map ")) return this.#map(type.slice("map ".length), value);
    if (Object.hasOwn(this.#structs, type)) return this.#struct(type, isJsonObject(value) ? value : {});
    return value === undefined || value === null ? zeroOf(type) : withSortedMembers(value);
  }

  /** What is different between two values of a type, line by line. */
  difference(type: string, old: unknown, next: unknown): string {
    const [before, after] = [old, next].map((value) => indented(this.of(type, value)));
    return unifiedDiff(before!, after!);
  }

  #map(type: string, value: unknown): unknown {
    if (!isJsonObject(value)) return null;
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([key, member]) => [key, this.of(type, member)]));
  }

  #struct(type: string, wire: Fields): Fields {
    const source = type === "core.PodSpec" ? withHostFields(wire) : wire;
    const printed: Fields = {};
    for (const [print, name, fieldType, ...flags] of this.#structs[type] ?? []) {
      if (flags.includes("inline")) {
        Object.assign(printed, this.of(fieldType, name === "" ? source : asSent(source, name)));
        continue;
      }
      const value = this.of(fieldType, asSent(source, name === "" ? print : name));
      if (!flags.some((flag) => flag.startsWith("omit")) || !isEmpty(value)) printed[print] = value;
    }
    return printed;
  }
}

/** What a pod's spec has on the wire stands in its security context inside. */
function withHostFields(spec: Fields): Fields {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  const moved = {
    HostNetwork: hostNetwork,
    HostPID: hostPID,
    HostIPC: hostIPC,
    ShareProcessNamespace: shareProcessNamespace,
    HostUsers: hostUsers,
  };
  const isThere = securityContext != null || Object.values(moved).some((value) => value != null);
  if (!isThere) return spec;
  const context = rememberingAs(securityContext ?? {}, { ...securityContext, ...moved });
  return rememberingAs(spec, { ...spec, securityContext: context });
}

function zeroOf(type: string): Json {
  if (type === "string") return "";
  if (type === "bool") return false;
  if (type === "quantity") return "0";
  return /^(u?int|float)/.test(type) || type === "raw:intstr.IntOrString" ? 0 : null;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === null || value === "" || value === 0 || value === false;
}

/** As Go's MarshalIndent with one space. */
function indented(value: unknown): string {
  const text = JSON.stringify(JSON.parse(printGoJson(value)), null, 1);
  return text.replaceAll(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
