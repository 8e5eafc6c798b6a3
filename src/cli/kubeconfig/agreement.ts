import { HintedError } from "#base/hinted-error.ts";
import { plainText } from "../print/plain-text.ts";
import type { ConfigSection } from "./config-section.ts";
import type { ChosenContext } from "./kubeconfig.ts";

/** Asks for a yes; false where there is nobody who could say it. */
export type Ask = (question: string) => Promise<boolean>;

/**
 * A kubeconfig that somebody else has written runs a program here, or has a file of this machine sent to the server that it names, once a
 * person has agreed (SEC-40). Throws when nobody has.
 */
export async function expectAgreed({ cluster, user }: ChosenContext, ask: Ask): Promise<void> {
  const wish = user && wishOf(user, cluster);
  if (wish === undefined) return;
  const said = `kubeconfig ${cluster.file} ${plainText(wish)}`;
  if (await ask(`${said}; is that all right?`)) return;
  throw new HintedError(
    `cannot use it: ${said}, which nobody has agreed to`,
    "if you trust it, repeat with --trust-cluster-kubeconfig",
  );
}

function wishOf(user: ConfigSection, cluster: ConfigSection): string | undefined {
  const exec = user.section("exec");
  const file = user.text("tokenFile");
  if (exec !== undefined) return `runs ${[exec.text("command") ?? "", ...exec.texts("args")].join(" ")}`;
  return file === undefined ? undefined : `sends what is in ${file} to ${cluster.text("server") ?? ""}`;
}
