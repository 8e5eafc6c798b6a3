import type { FeatureGates } from "#api/feature-gates.ts";
import type { AdmissionPlugin } from "#apiserver/admission.ts";
import type { Clock } from "#base/clock.ts";
import type { Random } from "#base/random.ts";
import type { LuaHost } from "#lua/lua-host.ts";
import { storedFacts } from "./admission-facts.ts";
import { admissionDefaults } from "./admission-families.ts";
import { karmadaAdmission } from "./karmada-admission.ts";
import { luaAdmission } from "./lua-admission.ts";
import type { AdmissionParts } from "./write-path.ts";

interface ControlPlaneAdmissionNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly lua: LuaHost;
  readonly gates: FeatureGates;
}

/** What a control plane's own kinds are completed and judged by, beyond their schemas, where that happens in process. */
export function controlPlaneAdmission({ clock, random, lua, gates }: ControlPlaneAdmissionNeeds) {
  return (parts: AdmissionParts): readonly AdmissionPlugin[] => [
    karmadaAdmission({ ...storedFacts(parts), clock, random, gates: () => gates, ...admissionDefaults }),
    luaAdmission(lua),
  ];
}
