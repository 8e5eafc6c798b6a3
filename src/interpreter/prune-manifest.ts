import type { Manifest } from "#api/meta/manifest.ts";
import { isJsonObject, membersBut, setMember } from "#base/json.ts";
import { integerAt, textMapAt, valueAt, withoutValueAt, withValueAt } from "./fields.ts";
import { type Interpretation, interpret, Malformed } from "./interpretation.ts";

/** What a control plane writes into the metadata of every object and no member needs. */
const everywhere: ReadonlySet<string> = new Set([
  ...["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "managedFields"],
  ...["resourceVersion", "selfLink", "uid", "ownerReferences", "finalizers"],
]);
const status: ReadonlySet<string> = new Set(["status"]);

/** An object without what only the control plane's own copy has. Chosen by kind alone, whatever the group, as Karmada does. */
export function pruneManifest(
  object: Manifest,
  { keepJobTtl = false }: { readonly keepJobTtl?: boolean } = {},
): Interpretation<Manifest> {
  return interpret(object, () => {
    const { metadata } = object;
    const bare = membersBut(object, status);
    if (isJsonObject(metadata)) setMember(bare, "metadata", membersBut(metadata, everywhere));
    const pruned = pruners.get(object.kind)?.(bare) ?? bare;
    const dropsTtl = object.kind === "Job" && !keepJobTtl;
    return dropsTtl ? withoutValueAt(pruned, ["spec", "ttlSecondsAfterFinished"]) : pruned;
  });
}

type Prune = (object: Manifest) => Manifest;

const pruners: ReadonlyMap<string, Prune> = new Map<string, Prune>([
  [
    "Deployment",
    (object) =>
      withoutAnnotations(object, ["deployment.kubernetes.io/revision", "deployment.kubernetes.io/revision-history"]),
  ],
  ["Job", pruneJob],
  ["Secret", pruneSecret],
  ["ServiceAccount", pruneServiceAccount],
  ["Service", pruneService],
  ["PersistentVolumeClaim", pruneClaim],
]);

/** What must be a number for a job to be one at all. */
const jobNumbers = ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"];
const controllerUid = ["controller-uid", "batch.kubernetes.io/controller-uid"];

/** What the server made up to find the job's pods; a selector of the user's own stays. */
function pruneJob(object: Manifest): Manifest {
  const manual = valueAt(object, "spec.manualSelector");
  if (manual !== undefined && typeof manual !== "boolean") throw new Malformed("spec.manualSelector is not a boolean");
  for (const field of jobNumbers) integerAt(object, `spec.${field}`);
  if (manual === true) return object;
  const jobName = ["job-name", "batch.kubernetes.io/job-name"];
  const withoutSelector = withoutKeys(object, "spec.selector.matchLabels", controllerUid);
  return withoutKeys(withoutSelector, "spec.template.metadata.labels", [...controllerUid, ...jobName]);
}

function withoutKeys(object: Manifest, path: string, keys: readonly string[]): Manifest {
  const map = textMapAt(object, path);
  if (map === undefined) return object;
  return withValueAt(object, {
    path,
    value: Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key))),
  });
}

/** A token belongs to the cluster that made it. */
function pruneSecret(object: Manifest): Manifest {
  if (object["type"] !== "kubernetes.io/service-account-token") return object;
  return { ...withoutAnnotations(object, ["kubernetes.io/service-account.uid"]), data: null };
}

function pruneServiceAccount(object: Manifest): Manifest {
  const secrets = object["secrets"];
  if (!Array.isArray(secrets) || secrets.length === 0) return object;
  const made = `${object.metadata.name}-token-`;
  const isMade = (secret: unknown) => isJsonObject(secret) && String(secret["name"]).startsWith(made);
  // Karmada looks past the one that follows a secret it took out, so that the second of two in a row survives
  let skipped = false;
  const kept = secrets.filter((secret) => {
    const drop: boolean = !skipped && isMade(secret);
    skipped = drop;
    return !drop;
  });
  return { ...object, secrets: kept };
}

/** An address is given by each cluster; none at all is the user's wish. */
function pruneService(object: Manifest): Manifest {
  const address = isJsonObject(object["spec"]) ? object["spec"]["clusterIP"] : undefined;
  if (typeof address !== "string" || address === "None") return object;
  return withoutValueAt(withoutValueAt(object, ["spec", "clusterIP"]), ["spec", "clusterIPs"]);
}

function pruneClaim(object: Manifest): Manifest {
  const key = "volume.kubernetes.io/selected-node";
  const node = isJsonObject(object.metadata.annotations) ? object.metadata.annotations[key] : undefined;
  return typeof node === "string" && node !== "" ? withoutAnnotations(object, [key]) : object;
}

function withoutAnnotations(object: Manifest, keys: readonly string[]): Manifest {
  const { annotations } = object.metadata;
  if (!isJsonObject(annotations) || keys.every((key) => annotations[key] === undefined)) return object;
  return keys.reduce((result, key) => withoutValueAt(result, ["metadata", "annotations", key]), object);
}
