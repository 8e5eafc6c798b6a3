/** What may come of a workload in a WorkloadRebalancer's status. */
export const rebalanceOutcomes = {
  successful: "Successful",
  failed: "Failed",
  bindingNotFound: "ReferencedBindingNotFound",
} as const;
