# Batch change (proposal 003): namespace lists and prefixes, excludes, preemption without a name.
Gates: PropagationPolicyPreemption=true

Scenario: S73, S90 a prefix means the namespaces that begin with it
  Given Deployment a in user1-a
  And Deployment b in user10
  And Deployment c in user1
  And ClusterRole reader
  When cluster policy some for Deployments in user1-* to m1 is created
  Then a is claimed by some
  And b is claimed by nobody
  And c is claimed by nobody
  And a runs on m1
  And reader is claimed by nobody

Scenario: S74 a list means exactly these; prefixes may stand in it, blanks do not matter
  Ruling: 10
  Given Deployment a in ns1
  And Deployment b in ns2
  And Deployment c in ns3
  And Deployment d in team-x
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: some }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "ns1, ns3 ,team-*" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then a is claimed by some
  And b is claimed by nobody
  And c is claimed by some
  And d is claimed by some

Scenario: S75 other patterns are refused, with the legal forms
  Ruling: 10
  Given I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "*a" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: namespace
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "a*b" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: namespace
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "a**" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: namespace
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "[a-z]*" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: namespace
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "?" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: namespace
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "*" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: namespace
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "a,,b" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: namespace

Scenario: S77, S78 a preempting policy takes what its prefix means, and what comes later
  Given cluster policy default-cpp to m2
  And Deployment a in user1-a
  And Deployment b in user1-b
  And Deployment other in other
  When cluster policy custom-cpp for Deployments in user1-* to m1 with { priority: 3, preemption: Always } is created
  Then a is claimed by custom-cpp
  And b is claimed by custom-cpp
  And a runs on m1
  And b runs on m1
  And other is claimed by default-cpp
  And other runs on m2
  When Deployment c in user1-c is created
  Then c is claimed by custom-cpp

Scenario: S79 lower or equal priority takes nothing
  Given cluster policy default-cpp to m2 with { priority: 3 }
  And Deployment a in user1-a
  When cluster policy custom-cpp for Deployments in user1-* to m1 with { priority: 3, preemption: Always } is created
  Then nothing moves
  When cluster policy lower-cpp for Deployments in user1-* to m1 with { priority: 2, preemption: Always } is created
  Then nothing moves

Scenario: S80 a preempting policy of a namespace takes all it means from cluster-scoped and lower ones
  Given cluster policy default-cpp for Deployments in shop to m2 with { priority: 50 }
  And Deployment a in shop
  And namespaced policy shop/high for a to m3 with { priority: 9, preemption: Always }
  And Deployment b in shop
  And Deployment c in shop
  And namespaced policy shop/low for c to m2 with { priority: 1, preemption: Always }
  Then a is claimed by high
  And b is claimed by default-cpp
  And c is claimed by low
  When namespaced policy shop/all to m1 with { priority: 5, preemption: Always } is created
  Then a is claimed by high
  And b is claimed by all
  And c is claimed by all

Scenario: S81 the longer prefix with the higher priority wins inside the shorter
  Given Deployment a in group1-1-x
  And Deployment b in group1-2-x
  And cluster policy outer for Deployments in group1-* to m1 with { priority: 1, preemption: Always }
  When cluster policy inner for Deployments in group1-1-* to m2 with { priority: 2, preemption: Always } is created
  Then a is claimed by inner
  And b is claimed by outer

Scenario: S82, S86 an exclude in a selector vetoes for that selector, even a name that it includes
  Given Deployment a in user1-a
  And Deployment b in user2-a
  And Deployment c in user2-a
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: some }
      spec:
        resourceSelectors:
          - { apiVersion: apps/v1, kind: Deployment, exclude: { namespace: "user1-*" } }
          - { apiVersion: apps/v1, kind: Deployment, name: c, namespace: user2-a, exclude: { name: c } }
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then a is claimed by nobody
  And b is claimed by some
  And c is claimed by some
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: some }
      spec:
        resourceSelectors:
          - { apiVersion: apps/v1, kind: Deployment, name: c, namespace: user2-a, exclude: { name: c } }
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then c is claimed by nobody

Scenario: S82 an exclude that names neither is refused
  Ruling: 11
  Given I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, exclude: {} }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: exclude
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: bad }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, exclude: { namespace: "*-x" } }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: exclude

Scenario: S83, S86 excludeResourceSelectors veto the whole policy
  Given Deployment a in user1-a
  And Deployment b in user2-a
  And ConfigMap a in user1-a
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: some }
      spec:
        resourceSelectors:
          - { apiVersion: apps/v1, kind: Deployment, name: a, namespace: user1-a }
          - { apiVersion: apps/v1, kind: Deployment }
          - { apiVersion: v1, kind: ConfigMap, namespace: user1-a }
        excludeResourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "user1-*" }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then Deployment a is claimed by nobody
  And b is claimed by some
  And ConfigMap a is claimed by some

Scenario: S84, S85 an exclude edit releases what it means at once; taking it back takes nothing back
  Ruling: 11
  Given cluster policy default-cpp to m1
  And Deployment a in user1-a
  And Deployment b in user1-b
  And Deployment c in other
  And namespaced policy user1-a/own for a to m2
  Then a is claimed by default-cpp
  When policy default-cpp changes { excludeResourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "user1-*" }] }
  Then a is claimed by own
  And a runs on m2
  And b is claimed by nobody
  And b runs on m1
  And c is claimed by default-cpp
  When policy default-cpp changes { excludeResourceSelectors: null }
  Then a is claimed by own
  And a runs on m2
  And b is claimed by default-cpp

Scenario: S87 override policies select as before, and by the same namespace forms
  Ruling: 10
  Given cluster policy default-cpp to m1
  And Deployment a in user1-a
  And Deployment b in user2-a
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterOverridePolicy
      metadata: { name: image }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: "user1-*" }]
        overrideRules: [{ overriders: { imageOverrider: [{ component: Tag, operator: replace, value: "9" }] } }]
  Then a has the image nginx:9 on m1
  And b has the image nginx:1 on m1

Scenario: S88 under static policies claims change with each edit and not before
  Gates: PropagationPolicyPreemption=true, StaticPolicy=true
  Given cluster policy default-cpp to m2
  And Deployment a in user1-a
  And Deployment b in user1-b
  When cluster policy custom-cpp for Deployments in user1-* to m1 with { priority: 3, preemption: Always } is created
  Then nothing moves
  When the user edits a
  Then a is claimed by custom-cpp
  And b is claimed by default-cpp
  When policy custom-cpp changes { excludeResourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, namespace: user1-a }] }
  Then nothing moves
  And a is claimed by nobody
  When the user edits a
  Then a is claimed by default-cpp

Scenario: S89 without preemption only what is unclaimed is taken
  Gates: PropagationPolicyPreemption=false
  Given cluster policy default-cpp for Deployments in user1-a to m2
  And Deployment a in user1-a
  And Deployment b in user1-b
  When cluster policy custom-cpp for Deployments in user1-* to m1 with { priority: 3, preemption: Always } is created
  Then a is claimed by default-cpp
  And b is claimed by custom-cpp
