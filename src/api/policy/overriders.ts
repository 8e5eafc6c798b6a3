import * as s from "#schema/schema.ts";

const changeOperator = s.oneOf(["add", "remove", "replace"], { doc: "What is done." });
const listOperator = s.oneOf(["add", "remove"], { doc: "Whether the values are appended or taken out." });

const ImageOverrider = s.object(
  {
    predicate: s.optional(
      s.object(
        { path: s.string({ doc: "The image's place as a JSON pointer." }) },
        { doc: "Which image is changed. Unset means every container's image of a known workload kind." },
      ),
    ),
    component: s.oneOf(["Registry", "Repository", "Tag"], { doc: "The part of the image reference that is changed." }),
    operator: changeOperator,
    value: s.optional(s.string({ doc: "The new part. Needed by add and replace, refused by remove." })),
  },
  { doc: "Changes image references." },
);

const ContainerListOverrider = s.object(
  {
    containerName: s.string({ doc: "The container whose list is changed." }),
    operator: listOperator,
    value: s.optional(s.strings({ doc: "The values that are appended or taken out." })),
  },
  { doc: "Changes a list of one container." },
);

const MapOverrider = s.object(
  {
    operator: changeOperator,
    value: s.stringMap({ doc: "The keys and their values." }),
  },
  { doc: "Changes labels or annotations." },
);

const FieldPatch = s.object(
  {
    subPath: s.string({ doc: "The place inside the embedded document as a JSON pointer." }),
    operator: changeOperator,
    value: s.optional(s.json({ doc: "The new value. Needed by add and replace, refused by remove." })),
  },
  { doc: "One change inside an embedded document." },
);

const FieldOverrider = s.object(
  {
    fieldPath: s.string({ doc: "The string field that holds the document, as a JSON pointer." }),
    json: s.optional(
      s.list(FieldPatch, { doc: "Changes to a JSON document. Exactly one of json and yaml is needed." }),
    ),
    yaml: s.optional(
      s.list(FieldPatch, { doc: "Changes to a YAML document. Exactly one of json and yaml is needed." }),
    ),
  },
  { doc: "Changes a document that is embedded in a string field." },
);

const PlaintextOverrider = s.object(
  {
    path: s.string({ doc: "The place as a JSON pointer." }),
    operator: changeOperator,
    value: s.optional(s.json({ doc: "The new value, any JSON. Needed by add and replace, refused by remove." })),
  },
  { doc: "Changes any place of the manifest." },
);

/** How a manifest is changed on its way to a cluster. */
export const Overriders = s.object(
  {
    plaintext: s.optional(s.list(PlaintextOverrider, { doc: "Changes any place of the manifest, after all others." })),
    imageOverrider: s.optional(s.list(ImageOverrider, { doc: "Changes image references." })),
    commandOverrider: s.optional(s.list(ContainerListOverrider, { doc: "Changes the command of containers." })),
    argsOverrider: s.optional(s.list(ContainerListOverrider, { doc: "Changes the arguments of containers." })),
    labelsOverrider: s.optional(s.list(MapOverrider, { doc: "Changes labels." })),
    annotationsOverrider: s.optional(s.list(MapOverrider, { doc: "Changes annotations." })),
    fieldOverrider: s.optional(
      s.list(FieldOverrider, { doc: "Changes documents that are embedded in string fields." }),
    ),
  },
  {
    doc: "The changes. apiVersion, kind, name, namespace and the system's own labels and annotations cannot be changed.",
  },
);
export type Overriders = s.Read<typeof Overriders>;
