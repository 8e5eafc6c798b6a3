/** Label on a ResourceBinding, its works and their manifests: the binding's permanent id. */
export const bindingIdLabel = "resourcebinding.karmada.io/permanent-id";
/** The same for a ClusterResourceBinding. */
export const clusterBindingIdLabel = "clusterresourcebinding.karmada.io/permanent-id";

/** Annotations on a work: the binding that it belongs to. */
export const bindingNamespaceAnnotation = "resourcebinding.karmada.io/namespace";
export const bindingNameAnnotation = "resourcebinding.karmada.io/name";
export const clusterBindingNameAnnotation = "clusterresourcebinding.karmada.io/name";

/** Label on a binding: who manages it; makes the scheduler take a binding that no policy made. */
export const bindingManagedByLabel = "binding.karmada.io/managed-by";
/** Label prefix on an attached binding; the rest is a hash of the binding it follows, the value that binding's permanent id. */
export const dependedByLabelPrefix = "resourcebinding.karmada.io/depended-by-";
/** Annotation on a binding: what its template refers to, as a JSON list. */
export const dependenciesAnnotation = "resourcebinding.karmada.io/dependencies";
