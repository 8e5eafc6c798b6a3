import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { StatusError, type StatusReason } from "#api/meta/status-error.ts";
import type { Client } from "#client/client.ts";
import { memberResources } from "./member-resources.ts";
import type { Step } from "./step.ts";

export interface StepObserver {
  /** Gets what was made, with the name that it was given. */
  readonly onCreate?: (object: ApiObject) => void;
}

/** Takes one step; what is done already, or no longer possible because the object or its namespace is going, is no error. */
export async function applyStep(client: Client, step: Step, { onCreate }: StepObserver = {}): Promise<void> {
  switch (step.do) {
    case "create":
      return tolerate(["AlreadyExists", "NotFound"], client.create(step.resource, step.object).then(onCreate));
    case "update":
      return tolerate(["NotFound"], client.update(step.resource, step.object));
    case "writeStatus": {
      // managed fields would only be compared and put back
      const { managedFields: _, ...metadata } = step.object.metadata;
      const object: ApiObject = { ...step.object, metadata, status: step.status };
      return tolerate(["NotFound"], client.updateStatus(step.resource, object));
    }
    case "patch": {
      const { uid } = step.object.metadata;
      const metadata = { ...step.patch["metadata"], uid };
      const patch = { ...step.patch, metadata };
      return tolerate(["NotFound"], client.patch(step.resource, keyOf(step.object), { type: "merge", patch }));
    }
    case "delete":
      await client.delete(step.resource, keyOf(step.object), {
        propagationPolicy: "Background",
        preconditions: { uid: step.object.metadata.uid },
        ...(step.graceSeconds === undefined ? {} : { gracePeriodSeconds: step.graceSeconds }),
      });
      return;
    case "bind": {
      const { name } = step.pod.metadata;
      const body = { apiVersion: "v1", kind: "Binding", metadata: { name }, target: { kind: "Node", name: step.node } };
      const request = { verb: "create", subresource: "binding", body } as const;
      return tolerate(["NotFound"], client.post(memberResources.pods, keyOf(step.pod), request));
    }
    case "together":
      await Promise.all(step.steps.map((each) => applyStep(client, each, onCreate === undefined ? {} : { onCreate })));
  }
}

async function tolerate(reasons: readonly StatusReason[], write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error: unknown) {
    if (!(error instanceof StatusError)) throw error;
    if (!reasons.includes(error.reason) && !isOfDyingNamespace(error)) throw error;
  }
}

function isOfDyingNamespace({ details }: StatusError): boolean {
  return details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true;
}
