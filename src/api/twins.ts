import type { Schema } from "#schema/schema.ts";
import { type Column, defineKind, type InputOf, type Kind, type ObjectOf, type ReadKind } from "./kind.ts";

/** One twin of a family: its names, and the values in which it differs from the other. */
export interface Twin<Name extends string, Traits> {
  readonly kind: Name;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly doc: string;
  readonly traits: Traits;
}

interface TwinsDeclaration<N extends string, C extends string, SR, SW, TR, TW, Traits> {
  readonly group: string;
  readonly version: string;
  readonly categories: readonly string[];
  readonly spec: Schema<SR, SW>;
  readonly status?: Schema<TR, TW>;
  readonly columns?: readonly Column[];
  readonly namespaced: Twin<N, Traits>;
  readonly cluster: Twin<C, Traits>;
}

/** A namespaced kind and its cluster-scoped twin: one spec, one status, one code path; differences are traits. */
export interface Twins<N extends string, C extends string, Read, Write, Traits> {
  readonly namespaced: Kind<N, Read & { readonly kind: N }, Write & { readonly kind: N }>;
  readonly cluster: Kind<C, Read & { readonly kind: C }, Write & { readonly kind: C }>;
  readonly traits: Readonly<Record<N | C, Traits>>;
  /** The kind that holds objects of a namespace, or of none. */
  readonly kindFor: (namespace: string | undefined) => Kind<N | C>;
}

/** What is read of either twin. */
export type TwinOf<T> = T extends { readonly namespaced: infer N; readonly cluster: infer C }
  ? ReadKind<N> | ReadKind<C>
  : never;

/** Declares both kinds of a family. */
export function defineTwins<const N extends string, const C extends string, SR, SW, Traits, TR = never, TW = never>(
  declaration: TwinsDeclaration<N, C, SR, SW, TR, TW, Traits>,
): Twins<N, C, ObjectOf<N | C, SR, TR>, InputOf<N | C, SW, TW>, Traits> {
  const { namespaced, cluster, ...common } = declaration;
  const namespacedKind = defineKind<N, SR, SW, TR, TW>({ ...common, ...namesOf(namespaced), namespaced: true });
  const clusterKind = defineKind<C, SR, SW, TR, TW>({ ...common, ...namesOf(cluster), namespaced: false });
  return {
    namespaced: namespacedKind,
    cluster: clusterKind,
    traits: { [namespaced.kind]: namespaced.traits, [cluster.kind]: cluster.traits } as Record<N | C, Traits>, // both keys are set
    kindFor: (namespace) => (namespace === undefined ? clusterKind : namespacedKind),
  };
}

function namesOf<Name extends string>({ kind, plural, shortNames, doc }: Twin<Name, unknown>) {
  return { kind, plural, shortNames, doc };
}
