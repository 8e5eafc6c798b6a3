import * as s from "#schema/schema.ts";

/** core/v1 ResourceList: amounts by resource name. */
export function resourceList(doc: string): s.Schema<Readonly<Record<string, string | number>>> {
  return s.map(s.quantity({ doc: "How much of the resource." }), { doc });
}
