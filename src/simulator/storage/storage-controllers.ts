import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Plan } from "#base/plan.ts";
import type { Controller } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { applyStep } from "../apply-step.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOwn } from "../watch-owned.ts";
import { type ClaimFacts, decideClaim, decideVolume } from "./decide-claim.ts";

/** Binds every claim. */
export function claimController({ caches, client }: SimulatorParts): Controller<ClaimFacts, Step> {
  const { persistentVolumeClaims: claims, persistentVolumes: volumes } = caches;
  return {
    name: "persistentvolumeclaims",
    watches: [
      watchOwn(claims),
      watchInformer(volumes, ({ after }) => {
        if (after === undefined) return [];
        const claimed = claimKey(after);
        return claimed === undefined ? unboundClaims(claims.all()) : [claimed];
      }),
    ],
    gather(key) {
      const claim = claims.get(parseKey(key));
      if (claim === undefined) return undefined;
      const named = claim.spec["volumeName"];
      const volume = named
        ? volumes.get({ name: named })
        : volumes.byIndex("claim", key).find((each) => isFor(each, claim));
      const wantsExisting = claim.spec["storageClassName"] === "" || claim.spec["selector"] != null;
      const free = wantsExisting ? [...volumes.all()].filter(({ spec }) => spec["claimRef"] === undefined) : [];
      return { claim, volume, free };
    },
    decide: decideClaim,
    apply: (step) => applyStep(client, step),
  };
}

interface VolumeFacts {
  readonly volume: SimulatedObject;
  readonly claim: SimulatedObject | undefined;
}

/** Says of every volume whose it is, and removes those whose claims are gone. */
export function volumeController({ caches, client }: SimulatorParts): Controller<VolumeFacts, Step> {
  const { persistentVolumeClaims: claims, persistentVolumes: volumes } = caches;
  return {
    name: "persistentvolumes",
    watches: [
      watchOwn(volumes),
      watchInformer(claims, ({ before, after }) =>
        after === undefined && before !== undefined
          ? volumes.byIndex("claim", printKey(keyOf(before))).map(({ metadata }) => metadata.name)
          : [],
      ),
    ],
    gather(name) {
      const volume = volumes.get({ name });
      if (volume === undefined) return undefined;
      const key = claimKey(volume);
      return { volume, claim: key === undefined ? undefined : claims.get(parseKey(key)) };
    },
    decide: ({ volume, claim }): Plan<Step> => decideVolume(volume, claim),
    apply: (step) => applyStep(client, step),
  };
}

/** A volume may be kept for a claim before it knows the claim's uid; one of an earlier claim of the same name is not meant. */
function isFor({ spec }: SimulatedObject, { metadata }: SimulatedObject): boolean {
  return spec["claimRef"].uid === undefined || spec["claimRef"].uid === metadata.uid;
}

function claimKey({ spec }: SimulatedObject): string | undefined {
  const reference = spec["claimRef"];
  return reference === undefined ? undefined : `${reference.namespace}/${reference.name}`;
}

function unboundClaims(claims: Iterable<SimulatedObject>): readonly string[] {
  return [...claims].filter(({ spec }) => !spec["volumeName"]).map((claim) => printKey(keyOf(claim)));
}
