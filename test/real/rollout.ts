import type { Fields } from "#api/meta/object-meta.ts";
import { eventually } from "#test/members/remote-member.ts";
import type { ControllersProcess } from "./controllers-process.ts";
import type { KubeTheatre } from "./kube-theatre.ts";

/** How long anything that must come may take, on a machine that has other things to do. */
export const patienceMs = 120_000;
const count = 40;
const names = Array.from({ length: count }, (_, index) => `web-${index}`);

/** Some dozens of Deployments that are changed again and again, and have to arrive in every member whatever happens. */
export class Rollout {
  readonly count = count;
  readonly #theatre: KubeTheatre;

  constructor(theatre: KubeTheatre) {
    this.#theatre = theatre;
  }

  get members(): readonly string[] {
    return [...this.#theatre.members.keys()];
  }

  /** Sends all of them to all members. */
  async prepare(): Promise<void> {
    await this.#theatre.controlPlane.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: all, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: { clusterAffinity: { clusterNames: [${this.members.join(", ")}] } }
`);
  }

  /** As a user who tries again until it is accepted. */
  async start(image: string): Promise<void> {
    for (const name of names) {
      const isAccepted = () =>
        this.#theatre.controlPlane.apply(deployment(name, image)).then(
          () => true,
          () => false,
        );
      await eventually(isAccepted, (is) => is, patienceMs);
    }
  }

  /** Resolves when some copies have arrived. */
  async isUnderWay(image: string): Promise<void> {
    await eventually(
      () => this.copies(image),
      (seen) => seen[0]! > 5,
      patienceMs,
    );
  }

  /** How many copies run an image, by member. */
  copies(image: string): Promise<readonly number[]> {
    return Promise.all(
      this.members.map(async (member) => {
        const found = (await this.#theatre.members.get(member)!.list("deployments")) as readonly Fields[];
        return found.filter((each) => each["spec"].template.spec.containers[0].image === image).length;
      }),
    );
  }

  /** Resolves when every copy runs the image, and every template shows the sum of their statuses. */
  async arrived(image: string): Promise<void> {
    await eventually(
      () => this.copies(image),
      (seen) => seen.every((each) => each === count),
      patienceMs,
    );
    const sums = async () => (await this.#theatre.controlPlane.list("deployments")).map((each) => sumOf(each));
    await eventually(sums, (seen) => seen.every((each) => each === 2 * this.members.length), patienceMs);
  }

  /** What was created twice, although nobody deleted it. */
  doubled(): readonly string[] {
    const created = this.#theatre.fleet.controlPlane
      .writes()
      .filter(({ verb, responseStatus }) => verb === "create" && responseStatus?.code === 201)
      .filter(({ objectRef }) => objectRef?.resource === "works" || objectRef?.resource === "resourcebindings")
      .map(({ objectRef }) => `${objectRef?.resource}/${objectRef?.namespace}/${objectRef?.name}`);
    return created.filter((each, index) => created.indexOf(each) !== index);
  }

  /** How many works and bindings there are of it. */
  async size(): Promise<{ readonly works: number; readonly bindings: number }> {
    const { controlPlane } = this.#theatre;
    const works = (await controlPlane.list("works")).filter(({ metadata }) => metadata.name.startsWith("web-"));
    return { works: works.length, bindings: (await controlPlane.list("resourcebindings")).length };
  }
}

/** The one that leads, once exactly one does. */
export async function leaderOf(among: readonly ControllersProcess[]): Promise<ControllersProcess> {
  const look = async () => {
    const leading = await Promise.all(among.map((each) => each.isLeading()));
    return among.filter((_, index) => leading[index]);
  };
  return (await eventually(look, (found) => found.length === 1, patienceMs))[0]!;
}

function deployment(name: string, image: string): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;
}

function sumOf({ status, metadata }: Fields): number {
  return status?.observedGeneration === metadata.generation ? (status?.updatedReplicas ?? 0) : 0;
}
