# Behaviour that clients of Karmada rely on, and rulings about it.

Scenario: S108 a workload that is relabelled away from its policy is matched anew
  Ruling: 6
  Given Deployment nginx
  And I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: PropagationPolicy
      metadata: { name: front, namespace: default }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, labelSelector: { matchLabels: { tier: front } } }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  And policy rest to m2
  And nginx is labelled tier=front
  Then nginx is claimed by rest
  When policy rest is deleted
  Then nginx is claimed by front
  And nginx runs on m1
  When policy rest to m2 is created
  And nginx is labelled tier=back
  Then nginx is claimed by rest
  And nginx runs on m2

@both-scopes
Scenario: S109 no cluster fits any more: what runs stays, and the binding says so
  Ruling: 19
  Given policy p1 to m1
  And Deployment nginx
  When policy p1 changes { placement: { clusterAffinity: { clusterNames: [nowhere] } } }
  Then the condition Scheduled of the binding of nginx is False, NoClusterFit
  And nginx runs on m1

@both-scopes
Scenario: S109 with the gate of Karmada's way, targets are cleared
  Gates: ClearTargetsWhenNoFit=true
  Ruling: 19
  Given policy p1 to m1
  And Deployment nginx
  When policy p1 changes { placement: { clusterAffinity: { clusterNames: [nowhere] } } }
  Then the condition Scheduled of the binding of nginx is False, NoClusterFit
  And nginx runs nowhere

@both-scopes
Scenario: S110 an object that a member already has is left alone, or taken over where the policy says so
  Given ConfigMap settings
  And m1 already has:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings, namespace: default }
      data: { key: theirs }
  When policy p1 for settings to m1 is created
  Then settings in m1 says { data: { key: theirs } }
  And the condition Applied of the work of settings in m1 is False
  When policy p1 changes { conflictResolution: Overwrite }
  Then settings in m1 says { data: { key: value } }
  And the condition Applied of the work of settings in m1 is True
  When settings is deleted
  Then settings runs nowhere

@both-scopes
Scenario: S110 an object that is not ours is not deleted with the template
  Given ConfigMap settings
  And m1 already has:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings, namespace: default }
      data: { key: theirs }
  And policy p1 for settings to m1
  When settings is deleted
  Then settings runs on m1

@both-scopes
Scenario: S111 copies that are to be preserved outlive their template, without our marks
  Given policy p1 to m1 with { preserveResourcesOnDeletion: true }
  And Deployment nginx
  When nginx is deleted
  Then nginx runs on m1
  And nginx has no binding
  And nginx has no work in m1

Scenario: S111 copies that are to be preserved outlive the cluster's leave, with the namespace that we made for them
  Given cluster policy p1 for Deployments in shop to m1 with { preserveResourcesOnDeletion: true }
  And Deployment nginx in shop
  When cluster m1 is unjoined
  Then nginx in m1 says { metadata: { namespace: shop } }
  And nginx runs on m1

@both-scopes
Scenario: S111 deleting a policy deletes no copy
  Given policy p1 to m1
  And Deployment nginx
  When policy p1 is deleted
  Then policy p1 is gone
  And nginx runs on m1

Scenario: S112 names and marks of what the system writes
  Given policy p1 to m1
  And Deployment nginx
  Then the binding of nginx says { metadata: { name: nginx-deployment, finalizers: [karmada.io/binding-controller] } }
  And the work of nginx in m1 says { metadata: { namespace: karmada-es-m1, finalizers: [karmada.io/execution-controller] } }
  And nginx in m1 says { metadata: { labels: { karmada.io/managed: "true" } } }

Scenario: S113 scaling does not move what still fits; a rebalance divides afresh
  Given policy p1 to m1, m2 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { dynamicWeight: AvailableReplicas } } } }
  And Deployment nginx with 6 replicas
  Then nginx has 3 replicas on m1
  And nginx has 3 replicas on m2
  When nginx is scaled to 4 replicas
  Then nginx has 2 replicas on m1
  And nginx has 2 replicas on m2
  When nginx is scaled to 6 replicas
  Then nginx has 3 replicas on m1
  And nginx has 3 replicas on m2
  When policy p1 changes { placement: { clusterAffinity: { clusterNames: [m1, m2, m3] } } }
  Then nginx has 3 replicas on m1
  And nginx has 3 replicas on m2
  When I apply:
      apiVersion: apps.karmada.io/v1alpha1
      kind: WorkloadRebalancer
      metadata: { name: again }
      spec: { workloads: [{ apiVersion: apps/v1, kind: Deployment, namespace: default, name: nginx }] }
  Then nginx has 2 replicas on m1
  And nginx has 2 replicas on m2
  And nginx has 2 replicas on m3
