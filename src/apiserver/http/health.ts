import type { Clock } from "#base/clock.ts";
import type { Exchange } from "./exchange.ts";

/** One thing that must be in order; `livez` and `healthz` ask the live ones, `readyz` asks all. */
export interface HealthCheck {
  readonly name: string;
  /** `live`: a failure means that the process is of no more use. `ready`: that it is not of use now. */
  readonly of: "live" | "ready";
  /** Why it fails now; undefined when all is well. */
  readonly failure: () => string | undefined | Promise<string | undefined>;
}

export interface HealthNeeds {
  readonly checks: readonly HealthCheck[];
  readonly clock: Clock;
}

const healthPath = /^\/(healthz|livez|readyz)(?:\/([^/]+))?$/;
const plainText = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
/** A check that does not answer has failed. */
const patienceMs = 2_000;

/** What a path asks about: everything (for anybody), or one check, whose reason is for those who are allowed to read it. */
export function healthRoute(pathname: string): { readonly endpoint: string; readonly check?: string } | undefined {
  const found = healthPath.exec(pathname);
  if (found === null) return undefined;
  const [, endpoint, check] = found;
  return check === undefined ? { endpoint: endpoint! } : { endpoint: endpoint!, check };
}

/** Answers `/livez`, `/readyz` and `/healthz` in the words of kube-apiserver; why a check failed is not told to strangers. */
export async function sendHealth(needs: HealthNeeds, exchange: Exchange, endpoint: string): Promise<void> {
  const query = exchange.url.searchParams;
  const excluded = new Set(query.getAll("exclude"));
  const checks = checksOf(needs, endpoint);
  const lines = await Promise.all(
    checks.map(async (check) => {
      if (excluded.delete(check.name)) return `[+]${check.name} excluded: ok\n`;
      const failure = await judge(check, needs.clock);
      return failure === undefined ? `[+]${check.name} ok\n` : `[-]${check.name} failed: reason withheld\n`;
    }),
  );
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((name) => JSON.stringify(name));
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(", ")}\n`);
  }
  const text = lines.join("");
  if (lines.some((line) => line.startsWith("[-]")))
    return exchange.sendText(500, `${text}${endpoint} check failed\n`, plainText);
  exchange.sendText(200, query.has("verbose") ? `${text}${endpoint} check passed\n` : "ok", plainText);
}

/** Answers for one check, with its reason. Returns false when there is no such check. */
export async function sendCheck(
  needs: HealthNeeds,
  exchange: Exchange,
  { endpoint, name }: { readonly endpoint: string; readonly name: string },
): Promise<boolean> {
  const check = checksOf(needs, endpoint).find((each) => each.name === name);
  if (check === undefined) return false;
  const failure = await judge(check, needs.clock);
  if (failure === undefined) exchange.sendText(200, "ok", plainText);
  else exchange.sendText(500, `internal server error: ${failure}\n`, plainText);
  return true;
}

const ping: HealthCheck = { name: "ping", of: "live", failure: () => undefined };

function checksOf({ checks }: HealthNeeds, endpoint: string): readonly HealthCheck[] {
  return [ping, ...checks.filter(({ of }) => of === "live" || endpoint === "readyz")];
}

async function judge(check: HealthCheck, clock: Clock): Promise<string | undefined> {
  let cancel = () => {};
  const patience = new Promise<string>((resolve) => {
    cancel = clock.after(patienceMs, () => resolve(`no answer within ${patienceMs} ms`));
  });
  try {
    return await Promise.race([check.failure(), patience]);
  } catch (error: unknown) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    cancel();
  }
}
