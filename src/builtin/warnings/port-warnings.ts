import type { Fields } from "#api/meta/object-meta.ts";
import { goQuote } from "#base/go-text.ts";
import { containersOf } from "../core/containers-of-pod.ts";

interface Block {
  readonly at: string;
  readonly port: Fields;
}

/** Of a pod with more ports nothing is said: each is compared with all before it, and may be told of with each. */
const maxPorts = 256;

/** What is to be said of ports that containers of one pod declare. */
export function portWarnings(spec: Fields, path: string): string[] {
  const blocks: readonly Block[] = containersOf(spec, path).flatMap(({ container, at }) =>
    (container.ports ?? []).map((port: Fields, index: number) => ({ port, at: `${at}.ports[${index}]` })),
  );
  if (blocks.length > maxPorts) return [];
  return [...blocks.flatMap((block, index) => blockWarnings(block, blocks.slice(0, index))), ...nameWarnings(blocks)];
}

function blockWarnings({ at, port }: Block, before: readonly Block[]): string[] {
  const alone = port.hostIP && !port.hostPort ? [`${at}: hostIP set without hostPort: ${inGo(port)}`] : [];
  return [
    ...alone,
    ...before
      .filter((other) => other.port.containerPort === port.containerPort && other.port.protocol === port.protocol)
      .flatMap((other) => {
        const sort = conflictOf(port, other.port);
        return sort === undefined ? [] : [`${at}: ${sort} port definition with ${other.at}`];
      }),
  ];
}

function conflictOf(a: Fields, b: Fields): string | undefined {
  const [hostA, hostB] = [a.hostPort ?? 0, b.hostPort ?? 0];
  const [ipA, ipB] = [a.hostIP ?? "", b.hostIP ?? ""];
  if (ipA === ipB && hostA === hostB) return "duplicate";
  if (hostA === 0 || hostB === 0) return "overlapping";
  return hostA === hostB && (ipA === "") !== (ipB === "") ? "dangerously ambiguous" : undefined;
}

/** As Go prints a struct. */
function inGo({ name = "", hostPort = 0, containerPort = 0, protocol = "", hostIP = "" }: Fields): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

function nameWarnings(blocks: readonly Block[]): string[] {
  const first = new Map<string, string>();
  return blocks.flatMap(({ at, port: { name } }) => {
    if (!name) return [];
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, at);
      return [];
    }
    const use = `services and probes that select ports by name will use ${other}`;
    return [`${at}: duplicate port name ${goQuote(name)} with ${other}, ${use}`];
  });
}
