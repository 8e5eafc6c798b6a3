import { labelErrors } from "#api/meta/label-selector.ts";
import { dnsLabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "#base/field-error.ts";
import { cidrErrors, ipErrors, reachableIpErrors } from "../address-rules.ts";
import {
  isMissing,
  oneOfGiven,
  portNumber,
  portNumberOrName,
  qualifiedName,
  requiredOneOf,
  textErrors,
} from "../value-rules.ts";
import { isHeadless } from "./service-addresses.ts";

/** What is wrong with a service. */
export function serviceErrors({ spec }: Fields): FieldError[] {
  const errors: FieldError[] = [];
  if ((spec.ports ?? []).length === 0 && !isHeadless(spec) && spec.type !== "ExternalName") {
    errors.push(required("spec.ports"));
  }
  return [
    ...errors,
    ...typeErrors(spec),
    ...portsErrors(spec),
    ...labelErrors(spec.selector, "spec.selector"),
    ...requiredOneOf("spec.sessionAffinity", spec.sessionAffinity, ["ClientIP", "None"]),
    ...affinityTimeoutErrors(spec),
    ...(spec.externalIPs ?? []).flatMap((ip: string, index: number) => {
      const errors = ipErrors(`spec.externalIPs[${index}]`, ip);
      return errors.length > 0 ? errors : reachableIpErrors(`spec.externalIPs[${index}]`, ip);
    }),
    ...requiredOneOf("spec.type", spec.type, ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]),
    ...duplicatePortErrors(spec),
    ...balancerErrors(spec),
    ...trafficErrors(spec),
  ];
}

function typeErrors(spec: Fields): FieldError[] {
  if (spec.type === "LoadBalancer" || spec.type === "NodePort") {
    if (!isHeadless(spec)) return [];
    return [invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${spec.type} services`)];
  }
  if (spec.type !== "ExternalName") return [];
  const errors = ["clusterIPs", "ipFamilies", "ipFamilyPolicy"]
    .filter((field) => spec[field] != null && (field === "ipFamilyPolicy" || spec[field].length > 0))
    .map((field) => forbidden(`spec.${field}`, "may not be set for ExternalName services"));
  const name = String(spec.externalName ?? "").replace(/\.$/, "");
  if (name === "") return [...errors, required("spec.externalName")];
  return [...errors, ...textErrors("spec.externalName", name, dnsSubdomainErrors)];
}

function portsErrors(spec: Fields): FieldError[] {
  const names = new Set<string>();
  const ports: readonly Fields[] = spec.ports ?? [];
  return ports.flatMap((port, index) => {
    const path = `spec.ports[${index}]`;
    const errors: FieldError[] = [];
    if (isMissing(port.name)) {
      if (ports.length > 1) errors.push(required(`${path}.name`));
    } else {
      errors.push(...textErrors(`${path}.name`, port.name, dnsLabelErrors));
      if (names.has(port.name)) errors.push(duplicate(`${path}.name`, port.name));
      names.add(port.name);
    }
    errors.push(...portNumber(`${path}.port`, port.port));
    errors.push(...requiredOneOf(`${path}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]));
    errors.push(...portNumberOrName(`${path}.targetPort`, port.targetPort));
    if (port.appProtocol != null) errors.push(...qualifiedName(`${path}.appProtocol`, port.appProtocol));
    return errors;
  });
}

function affinityTimeoutErrors(spec: Fields): FieldError[] {
  if (spec.sessionAffinity !== "ClientIP") return [];
  const timeout = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (timeout > 0 && timeout <= 86400) return [];
  const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  return [invalid(path, timeout ?? null, "must be greater than 0 and less than 86400")];
}

function duplicatePortErrors(spec: Fields): FieldError[] {
  const ports: readonly Fields[] = spec.ports ?? [];
  const errors: FieldError[] = [];
  if (spec.type === "ClusterIP") {
    ports.forEach((port, index) => {
      if (port.nodePort) {
        errors.push(forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
      }
    });
  }
  const nodePorts = new Set<string>();
  ports.forEach(({ protocol, nodePort }, index) => {
    if (!nodePort) return;
    if (nodePorts.has(`${protocol}/${nodePort}`)) errors.push(duplicate(`spec.ports[${index}].nodePort`, nodePort));
    nodePorts.add(`${protocol}/${nodePort}`);
  });
  const numbers = new Set<string>();
  ports.forEach(({ protocol, port }, index) => {
    if (numbers.has(`${protocol}/${port}`)) {
      // upstream shows the port as Go holds it
      const value = { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
      errors.push(duplicate(`spec.ports[${index}]`, value));
    }
    numbers.add(`${protocol}/${port}`);
  });
  return errors;
}

const balancerOnly = "may only be used when `type` is 'LoadBalancer'";

function balancerErrors(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const ranges: readonly string[] = spec.loadBalancerSourceRanges ?? [];
  const balancer = spec.type === "LoadBalancer";
  if (ranges.length > 0 && !balancer) errors.push(forbidden("spec.LoadBalancerSourceRanges", balancerOnly));
  errors.push(...ranges.flatMap((range, index) => cidrErrors(`spec.LoadBalancerSourceRanges[${index}]`, range.trim())));
  if (spec.allocateLoadBalancerNodePorts != null && !balancer) {
    errors.push(forbidden("spec.allocateLoadBalancerNodePorts", balancerOnly));
  }
  if (spec.loadBalancerClass == null) return errors;
  if (!balancer) return [...errors, forbidden("spec.loadBalancerClass", balancerOnly)];
  return [...errors, ...qualifiedName("spec.loadBalancerClass", spec.loadBalancerClass)];
}

function trafficErrors(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const outside =
    spec.type === "LoadBalancer" ||
    spec.type === "NodePort" ||
    (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
  const policy = spec.externalTrafficPolicy;
  if (!outside) {
    if (!isMissing(policy)) {
      errors.push(
        invalid("spec.externalTrafficPolicy", namedText(policy), "may only be set for externally-accessible services"),
      );
    }
  } else errors.push(...requiredOneOf("spec.externalTrafficPolicy", policy, ["Cluster", "Local"]));
  const health = spec.healthCheckNodePort;
  if (health) {
    if (spec.type === "LoadBalancer" && policy === "Local")
      errors.push(...portNumber("spec.healthCheckNodePort", health));
    else {
      const message = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
      errors.push(invalid("spec.healthCheckNodePort", health, message));
    }
  }
  return [
    ...errors,
    ...oneOfGiven("spec.internalTrafficPolicy", spec.internalTrafficPolicy, ["Cluster", "Local"]),
    ...distributionErrors(spec.trafficDistribution),
  ];
}

function distributionErrors(distribution: unknown): FieldError[] {
  const known = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  if (distribution == null || known.includes(String(distribution))) return [];
  return [notSupported("spec.trafficDistribution", distribution, known)];
}

/** What is wrong with the change of a service: its address stays. */
export function serviceUpdateErrors({ spec }: Fields, old: Fields): FieldError[] {
  return [
    ...addressUpdateErrors(spec, old),
    ...familyUpdateErrors(spec, old.spec),
    ...classUpdateErrors(spec, old.spec),
    ...(checksHealth(spec) && checksHealth(old.spec) && spec.healthCheckNodePort !== old.spec.healthCheckNodePort
      ? [forbidden("spec.healthCheckNodePort", "field is immutable")]
      : []),
  ];
}

function checksHealth({ type, externalTrafficPolicy }: Fields): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

function classUpdateErrors(spec: Fields, before: Fields): FieldError[] {
  const now = spec.loadBalancerClass ?? null;
  if (spec.type !== "LoadBalancer" || before.type !== "LoadBalancer" || now === (before.loadBalancerClass ?? null)) {
    return [];
  }
  return [invalid("spec.loadBalancerClass", namedText(now), "may not change once set")];
}

function familyUpdateErrors(spec: Fields, before: Fields): FieldError[] {
  if (spec.type === "ExternalName" || before.type === "ExternalName") return [];
  if (isHeadless(spec) || isHeadless(before)) return [];
  const [now = [], old = []]: readonly string[][] = [spec.ipFamilies ?? [], before.ipFamilies ?? []];
  const path = "spec.ipFamilies[0]";
  if (now.length === old.length) {
    const changed = old.filter((family, index) => family !== now[index]);
    return changed.map(() => invalid(path, now, "may not change once set"));
  }
  const [first, primary] = [now[0], old[0]];
  if (first === undefined || primary === undefined || first === primary) return [];
  return [invalid(path, spec.clusterIPs ?? null, "may not change once set")];
}

function addressUpdateErrors(spec: Fields, old: Fields): FieldError[] {
  if (spec.type === "ExternalName" || old.spec.type === "ExternalName") return [];
  if (isHeadless(spec) && isHeadless(old.spec)) return [];
  const [now, before]: readonly string[][] = [spec.clusterIPs ?? [], old.spec.clusterIPs ?? []];
  if (now === undefined || before === undefined || before.length === 0) return [];
  if (now.length === 0) return [invalid("spec.clusterIPs[0]", now, "primary clusterIP can not be unset")];
  return before.flatMap((ip, index) =>
    now[index] === undefined || now[index] === ip
      ? []
      : [invalid(`spec.clusterIPs[${index}]`, now, "may not change once set")],
  );
}
