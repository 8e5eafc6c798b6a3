import type { JsonObject } from "#base/json.ts";
import { objectsAt, textAt } from "./fields.ts";

/** The names that a pod spec mentions, by the kind of what they name. */
export interface PodReferences {
  readonly ConfigMap: ReadonlySet<string>;
  readonly Secret: ReadonlySet<string>;
  readonly ServiceAccount: ReadonlySet<string>;
  readonly PersistentVolumeClaim: ReadonlySet<string>;
}

/** Where in a volume the name of a secret stands. */
const volumeSecrets = [
  "azureFile.secretName",
  "cephfs.secretRef.name",
  "cinder.secretRef.name",
  "flexVolume.secretRef.name",
  "rbd.secretRef.name",
  "secret.secretName",
  "scaleIO.secretRef.name",
  "iscsi.secretRef.name",
  "storageos.secretRef.name",
  "csi.nodePublishSecretRef.name",
];

/** All names in a pod spec of what must be there for its pods to start. */
export function namesInPodSpec(podSpec: JsonObject): PodReferences {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objectsAt(podSpec, list),
  );
  const env = containers.flatMap((container) => objectsAt(container, "env"));
  const envFrom = containers.flatMap((container) => objectsAt(container, "envFrom"));
  const volumes = objectsAt(podSpec, "volumes");
  const projected = volumes.flatMap((volume) => objectsAt(volume, "projected.sources"));
  const account = textAt(podSpec, "serviceAccountName");
  return {
    ConfigMap: named([
      ...texts(env, "valueFrom.configMapKeyRef.name"),
      ...texts(envFrom, "configMapRef.name"),
      ...texts(volumes, "configMap.name"),
      ...texts(projected, "configMap.name"),
    ]),
    Secret: named([
      ...texts(objectsAt(podSpec, "imagePullSecrets"), "name"),
      ...texts(env, "valueFrom.secretKeyRef.name"),
      ...texts(envFrom, "secretRef.name"),
      ...volumeSecrets.flatMap((path) => texts(volumes, path)),
      ...texts(projected, "secret.name"),
    ]),
    ServiceAccount: named(account === "default" ? [] : [account]),
    PersistentVolumeClaim: named(texts(volumes, "persistentVolumeClaim.claimName")),
  };
}

function texts(objects: readonly JsonObject[], path: string): readonly string[] {
  return objects.map((object) => textAt(object, path));
}

function named(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name !== ""));
}
