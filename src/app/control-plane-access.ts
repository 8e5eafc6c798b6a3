import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { ServerAccess, WireLimits, WireSettings } from "#client/https-wire.ts";
import { openRotatingTransport } from "#client/rotating-transport.ts";

/** A control plane that was away is asked again before long: everything waits for it. What it stores may be as large as it allows. */
const controlPlaneLimits = { maxPauseMs: 2_000, toldBytesEach: Number.POSITIVE_INFINITY };
/** Over the wire a caller is who its credentials say. */
export const wireUser = { name: "", groups: [] };

interface ControlPlaneNeeds extends Pick<WireSettings, "observe" | "withoutOwnersBut" | "fence"> {
  /** Where the control plane's API server is and who we are there; asked again and again. */
  readonly readAccess: () => Promise<ServerAccess>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: Partial<WireLimits>;
}

/** The way to a control plane's API server, wherever it is: the operator chose it. */
export function openControlPlane({ limits = controlPlaneLimits, ...needs }: ControlPlaneNeeds) {
  return openRotatingTransport({ ...needs, limits, addresses: { allowLoopback: true } });
}
