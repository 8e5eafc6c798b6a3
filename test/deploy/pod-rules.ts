import type { Fields } from "#api/meta/object-meta.ts";

/** What must hold of everything that runs in somebody's cluster. */
export interface PodRule {
  readonly name: string;
  /** Whether a pod's spec breaks it. */
  readonly isBroken: (pod: Fields) => boolean;
  /** A change that breaks it: without one, nobody knows that the rule can fail. */
  readonly break: (pod: Fields) => void;
}

const every = (pod: Fields, holds: (container: Fields) => boolean): boolean =>
  [...(pod["containers"] ?? []), ...(pod["initContainers"] ?? [])].every(holds);
const first = (pod: Fields): Fields => pod["containers"][0];

export const podRules: readonly PodRule[] = [
  {
    name: "runs as a user that is not root, by number",
    isBroken: ({ securityContext }) => securityContext?.runAsNonRoot !== true || !(securityContext.runAsUser > 0),
    break: (pod) => delete pod["securityContext"].runAsUser,
  },
  {
    name: "has the runtime's seccomp profile",
    isBroken: ({ securityContext }) => securityContext?.seccompProfile?.type !== "RuntimeDefault",
    break: (pod) => {
      pod["securityContext"].seccompProfile.type = "Unconfined";
    },
  },
  {
    name: "cannot write to its root file system",
    isBroken: (pod) => !every(pod, ({ securityContext }) => securityContext?.readOnlyRootFilesystem === true),
    break: (pod) => delete first(pod)["securityContext"].readOnlyRootFilesystem,
  },
  {
    name: "gains no privileges",
    isBroken: (pod) =>
      !every(
        pod,
        ({ securityContext }) =>
          securityContext?.allowPrivilegeEscalation === false && securityContext.privileged !== true,
      ),
    break: (pod) => delete first(pod)["securityContext"].allowPrivilegeEscalation,
  },
  {
    name: "has no capabilities",
    isBroken: (pod) =>
      !every(pod, ({ securityContext }) => {
        const { drop = [], add = [] } = securityContext?.capabilities ?? {};
        return drop.includes("ALL") && add.length === 0;
      }),
    break: (pod) => {
      first(pod)["securityContext"].capabilities.add = ["NET_ADMIN"];
    },
  },
  {
    name: "shares nothing with its node",
    isBroken: ({ hostNetwork, hostPID, hostIPC, volumes = [] }) =>
      hostNetwork === true || hostPID === true || hostIPC === true || volumes.some((each: Fields) => each["hostPath"]),
    break: (pod) => {
      pod["hostNetwork"] = true;
    },
  },
  {
    name: "says how much it needs, and how much it may take",
    isBroken: (pod) =>
      !every(pod, ({ resources }) =>
        ["cpu", "memory"].every((each) => resources?.requests?.[each] !== undefined && resources.limits?.[each]),
      ),
    break: (pod) => delete first(pod)["resources"].limits.memory,
  },
  {
    name: "can be asked whether it lives and is ready",
    isBroken: (pod) => !every(pod, ({ livenessProbe, readinessProbe }) => livenessProbe && readinessProbe),
    break: (pod) => delete first(pod)["readinessProbe"],
  },
  {
    name: "has an image of a fixed version",
    isBroken: (pod) =>
      !every(pod, ({ image }) => /:[^:/]*[0-9][^:/]*$|@sha256:/.test(image) && !/:latest$/.test(image)),
    break: (pod) => {
      first(pod)["image"] = "flotilla:latest";
    },
  },
  {
    name: "is kept apart from its like",
    isBroken: ({ affinity }) => affinity?.podAntiAffinity === undefined,
    break: (pod) => delete pod["affinity"],
  },
  {
    name: "has an account of its own",
    isBroken: ({ serviceAccountName }) => !serviceAccountName || serviceAccountName === "default",
    break: (pod) => delete pod["serviceAccountName"],
  },
];
