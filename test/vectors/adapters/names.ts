import {
  clusterOfExecutionNamespace,
  executionNamespaceOf,
  isReservedNamespace,
  notAnExecutionNamespace,
} from "#api/cluster/namespaces.ts";
import {
  bindingNameOf,
  bindingReferenceKey,
  dependedByLabelOf,
  derivedServiceName,
  importedEndpointSliceName,
  type NamedObject,
  workNameOf,
} from "#api/work/derived-names.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

export const adapter: VectorAdapter = {
  bindingName: { answer: (input: NamedObject) => ({ out: { name: bindingNameOf(input) } }) },
  workName: { answer: (input: NamedObject) => ({ out: { name: workNameOf(input) } }) },
  bindingReferenceKey: { answer: (input: NamedObject) => ({ out: { key: bindingReferenceKey(input) } }) },
  dependedByLabelKey: {
    answer: ({ bindingNamespace, bindingName }: { bindingNamespace: string; bindingName: string }) => ({
      out: { key: dependedByLabelOf({ namespace: bindingNamespace, name: bindingName }) },
    }),
  },
  executionSpaceName: {
    answer: ({ cluster }: { cluster: string }) => ({ out: { namespace: executionNamespaceOf(cluster) } }),
  },
  clusterNameFromExecutionSpace: {
    answer: ({ namespace }: { namespace: string }) => {
      const cluster = clusterOfExecutionNamespace(namespace);
      return cluster === undefined ? { err: notAnExecutionNamespace } : { out: { cluster } };
    },
    rules: { failureText: true },
  },
  isReservedNamespace: {
    answer: ({ namespace }: { namespace: string }) => ({ out: { reserved: isReservedNamespace(namespace) } }),
  },
  importedEndpointSliceName: {
    answer: ({ cluster, endpointSlice }: { cluster: string; endpointSlice: string }) => ({
      out: { name: importedEndpointSliceName(cluster, endpointSlice) },
    }),
  },
  derivedServiceName: {
    answer: ({ service }: { service: string }) => ({ out: { name: derivedServiceName(service) } }),
  },
};
