import type { Fields } from "#api/meta/object-meta.ts";
import { age, ageOf, firstFew, labelText, name, selectorText, type TableSketch } from "./table-sketch.ts";

/** Services: their addresses and ports. */
export const serviceTable: TableSketch = {
  columns: [
    name,
    { name: "Type", field: "spec.type" },
    { name: "Cluster-IP", field: "spec.clusterIP" },
    { name: "External-IP", field: "spec.externalIPs" },
    { name: "Port(s)", field: "spec.ports" },
    age,
    { name: "Selector", wide: true, field: "spec.selector" },
  ],
  cells: (object, nowMs) => {
    const { spec = {} } = object;
    return [
      object.metadata.name,
      spec.type ?? "",
      spec.clusterIPs?.[0] ?? spec.clusterIP ?? "<none>",
      externalAddress(object),
      (spec.ports ?? []).map(portText).join(",") || "<none>",
      ageOf(object, nowMs),
      labelText(spec.selector),
    ];
  },
};

function externalAddress({ spec = {}, status = {} }: Fields): string {
  const own: readonly string[] = spec.externalIPs ?? [];
  switch (spec.type) {
    case "ClusterIP":
    case "NodePort":
      return own.join(",") || "<none>";
    case "LoadBalancer":
      return [...balancerAddresses(status), ...own].join(",") || "<pending>";
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

function balancerAddresses(status: Fields): string[] {
  const ingress: readonly Fields[] = status.loadBalancer?.ingress ?? [];
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || "").filter((address) => address !== "");
  return [...new Set<string>(addresses)].toSorted();
}

function portText({ port, nodePort, protocol }: Fields): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

/** Ingresses: their hosts and where they are reached. */
export const ingressTable: TableSketch = {
  columns: [
    name,
    {
      name: "Class",
      about: "The name of the IngressClass resource that should be used for additional configuration",
    },
    { name: "Hosts", about: "Hosts that incoming requests are matched against before the ingress rule" },
    { name: "Address", about: "Address is a list containing ingress points for the load-balancer" },
    { name: "Ports", about: "Ports of TLS configurations that open" },
    age,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    object.spec?.ingressClassName ?? "<none>",
    hosts(object.spec?.rules ?? []),
    balancerAddresses(object.status ?? {}).join(","),
    (object.spec?.tls ?? []).length > 0 ? "80, 443" : "80",
    ageOf(object, nowMs),
  ],
};

/** Upstream counts rules, not hosts, that are left out; and only rules after the third host. */
function hosts(rules: readonly Fields[]): string {
  const most = 3;
  const shown: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (shown.length === most) more = true;
    else if (host) shown.push(host);
  }
  if (shown.length === 0) return "*";
  return more ? `${shown.join(",")} + ${rules.length - most} more...` : shown.join(",");
}

/** IngressClasses: who carries them out; the default one is marked. */
export const ingressClassTable: TableSketch = {
  columns: [
    name,
    { name: "Controller", about: "Controller that is responsible for handling this class" },
    { name: "Parameters", about: "A reference to a resource with additional parameters" },
    age,
  ],
  cells: (object, nowMs) => {
    const { parameters } = object.spec ?? {};
    const group = parameters?.apiGroup == null ? "" : `.${parameters.apiGroup}`;
    return [
      withDefault(object, "ingressclass.kubernetes.io/is-default-class"),
      object.spec?.controller ?? "",
      parameters == null ? "<none>" : `${parameters.kind}${group}/${parameters.name}`,
      ageOf(object, nowMs),
    ];
  },
};

/** The name of a class, with a mark on the one that is taken when nobody names one. */
export function withDefault({ metadata }: Fields, annotation: string): string {
  return metadata.annotations?.[annotation] === "true" ? `${metadata.name} (default)` : metadata.name;
}

/** NetworkPolicies: the pods they are for. */
export const networkPolicyTable: TableSketch = {
  columns: [name, { name: "Pod-Selector", field: "spec.podSelector" }, age],
  cells: (object, nowMs) => [object.metadata.name, selectorText(object.spec?.podSelector), ageOf(object, nowMs)],
};

/** Endpoints: the first few addresses. */
export const endpointsTable: TableSketch = {
  columns: [name, { name: "Endpoints", field: "subsets" }, age],
  cells: (object, nowMs) => {
    const addresses = (object.subsets ?? []).flatMap((subset: Fields) => {
      const ips: readonly string[] = (subset.addresses ?? []).map(({ ip }: Fields) => ip ?? "");
      if ((subset.ports ?? []).length === 0) return ips;
      return subset.ports.flatMap(({ port }: Fields) =>
        ips.map((ip) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`),
      );
    });
    const none = (object.subsets ?? []).length === 0 ? "<none>" : "";
    return [object.metadata.name, firstFew(addresses, { most: 3, none }), ageOf(object, nowMs)];
  },
};

/** EndpointSlices: the first few ports and addresses. */
export const endpointSliceTable: TableSketch = {
  columns: [
    name,
    { name: "AddressType", field: "addressType" },
    { name: "Ports", field: "ports" },
    { name: "Endpoints", field: "endpoints" },
    age,
  ],
  cells: (object, nowMs) => {
    const ports = (object.ports ?? []).map((port: Fields) => String(port.port ?? port.name ?? "*"));
    const addresses = (object.endpoints ?? []).flatMap((endpoint: Fields) => endpoint.addresses ?? []);
    return [
      object.metadata.name,
      object.addressType ?? "",
      firstFew(ports, { most: 3, none: "<unset>" }),
      firstFew(addresses, { most: 3, none: "<unset>" }),
      ageOf(object, nowMs),
    ];
  },
};

/** ServiceCIDRs: their networks. */
export const serviceCidrTable: TableSketch = {
  columns: [name, { name: "CIDRs", field: "spec.cidrs" }, age],
  cells: (object, nowMs) => [object.metadata.name, (object.spec?.cidrs ?? []).join(","), ageOf(object, nowMs)],
};

/** IPAddresses: who has them. */
export const ipAddressTable: TableSketch = {
  columns: [name, { name: "ParentRef", field: "spec.parentRef" }],
  cells: (object) => [object.metadata.name, parentText(object.spec?.parentRef)],
};

function parentText(parent: Fields | undefined): string {
  if (parent == null) return "<none>";
  const resource = parent.group ? `${parent.resource}.${parent.group}` : parent.resource;
  return [String(resource).toLowerCase(), ...(parent.namespace ? [parent.namespace] : []), parent.name].join("/");
}
