# Failover and eviction: what a taint drives out, or what stays unhealthy, moves; the old copy goes when the new one serves.
Gates: Failover=true

@both-scopes @virtual-clock
Scenario: S67 nothing moves out of a tainted cluster while dispatching is suspended, and it does when it is resumed
  Ruling: 14
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] } }
  And Deployment nginx
  Then nginx runs on m1
  When policy p1 changes { suspension: { suspendDispatching: true } }
  And cluster m1 gets the taint broken:NoExecute
  Then nothing moves
  When 60 minutes pass
  Then nothing moves
  When the controllers restart
  Then nothing moves
  And nginx runs on m1
  When policy p1 changes { suspension: null }
  Then nginx runs on m2
  And the binding of nginx says { spec: { clusters: [{ name: m2, replicas: 2 }] } }

@both-scopes
Scenario: S67 suspension of one cluster keeps what is there, and only that
  Ruling: 14
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] }, suspension: { dispatchingOnClusters: { clusterNames: [m1] } } }
  And Deployment nginx
  Then nginx runs nowhere
  When policy p1 changes { suspension: null }
  Then nginx runs on m1
  When policy p1 changes { suspension: { dispatchingOnClusters: { clusterNames: [m1] } } }
  And cluster m1 gets the taint broken:NoExecute
  Then nothing moves
  When policy p1 changes { suspension: { dispatchingOnClusters: { clusterNames: [m3] } } }
  Then nginx runs on m2

@both-scopes @virtual-clock @faults
Scenario: S67 an eviction that is under way waits while dispatching is suspended: the old copy is all that there is
  Ruling: 14
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] } }
  And Deployment nginx
  And m2 cannot be reached
  When cluster m1 gets the taint broken:NoExecute
  And policy p1 changes { suspension: { dispatching: true } }
  And m2 can be reached again
  And 60 minutes pass
  Then nginx runs on m1
  And the binding of nginx says { spec: { clusters: [{ name: m2 }], gracefulEvictionTasks: [{ fromCluster: m1 }] } }
  And the work of nginx in m1 says { spec: { suspendDispatching: true } }
  When policy p1 changes { suspension: null }
  Then nginx runs on m2

@both-scopes
Scenario: what nothing tolerates leaves at once, and comes back to nobody
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] } }
  And Deployment nginx
  Then nginx runs on m1
  When cluster m1 gets the taint broken:NoExecute
  Then nginx runs on m2
  And there is an event EvictWorkloadFromClusterSucceed on nginx
  When cluster m1 loses its taints
  Then nothing moves

@both-scopes @virtual-clock
Scenario: a taint is tolerated for as long as the policy says
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }], clusterTolerations: [{ key: broken, operator: Exists, tolerationSeconds: 300 }] } }
  And Deployment nginx
  When cluster m1 gets the taint broken:NoExecute
  Then nothing moves
  When 4 minutes pass
  And the controllers restart
  Then nginx runs on m1
  When 2 minutes pass
  Then nginx runs on m2

@virtual-clock
Scenario: without the gate nothing moves
  Gates: Failover=false
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] } }
  And Deployment nginx
  When cluster m1 gets the taint broken:NoExecute
  And 60 minutes pass
  Then nginx runs on m1

Scenario: what has no replicas, in the scope of the cluster, leaves too
  Given cluster policy p1 for ClusterRoles to m1, m2
  And ClusterRole reader
  Then reader runs on m1, m2
  When cluster m1 gets the taint broken:NoExecute
  Then reader runs on m2

@both-scopes @virtual-clock
Scenario: what fits nowhere else stays (ruling 19)
  Ruling: 19
  Given policy p1 to m1
  And Deployment nginx
  When cluster m1 gets the taint broken:NoExecute
  And 60 minutes pass
  Then nginx runs on m1
  And the condition Scheduled of the binding of nginx is True, Success
  When policy p1 changes { placement: { clusterAffinity: { clusterNames: [m1, m2] } } }
  Then nginx runs on m2

@faults @virtual-clock
Scenario: a member that is down keeps its copy, taint or not, until it is back
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] } }
  And Deployment nginx
  When m1 cannot be reached
  And 60 minutes pass
  Then nginx runs on m1
  And the binding of nginx says { spec: { clusters: [{ name: m1 }] } }
  When cluster m1 gets the taint broken:NoExecute
  Then nginx runs on m1, m2
  When m1 can be reached again
  And 2 minutes pass
  Then nginx runs on m2

@virtual-clock
Scenario: the old copy goes after ten minutes, even if the new one is not healthy by then
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] } }
  And Deployment nginx
  And I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterOverridePolicy
      metadata: { name: broken-in-m2 }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: nginx }]
        overrideRules:
          - targetCluster: { clusterNames: [m2] }
            overriders: { imageOverrider: [{ component: Repository, operator: replace, value: does-not-exist }] }
  When cluster m1 gets the taint broken:NoExecute
  And 9 minutes pass
  And the controllers restart
  Then nginx runs on m1, m2
  When 2 minutes pass
  Then nginx runs on m2

@both-scopes @virtual-clock
Scenario: an application that stays unhealthy moves, and the copy that failed stays where the policy says Never
  Given policy p1 with { propagateDeps: true, placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] }, failover: { application: { decisionConditions: { tolerationSeconds: 120 }, purgeMode: Never } } }
  And Deployment nginx
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterOverridePolicy
      metadata: { name: broken-in-m1 }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: nginx }]
        overrideRules:
          - targetCluster: { clusterNames: [m1] }
            overriders: { imageOverrider: [{ component: Repository, operator: replace, value: does-not-exist }] }
  And 1 minute pass
  Then nginx runs on m1
  When 2 minutes pass
  Then nginx runs on m1, m2
  And the binding of nginx says { spec: { clusters: [{ name: m2 }], gracefulEvictionTasks: [{ fromCluster: m1, reason: ApplicationFailure, suppressDeletion: true }] } }
  When the binding of nginx changes { gracefulEvictionTasks: [{ fromCluster: m1, reason: ApplicationFailure, producer: me, suppressDeletion: false }] }
  Then nginx runs on m2

Scenario: replicas move to those who stay, and none is lost
  Given policy p1 with { placement: { replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted } } }
  And Deployment nginx with 6 replicas
  Then nginx has 2 replicas on m1
  When cluster m1 gets the taint broken:NoExecute
  Then nginx has 3 replicas on m2
  And nginx has 3 replicas on m3
  And nginx runs on m2, m3

@both-scopes @virtual-clock @faults
Scenario: a member that fails is tainted by a ClusterTaintPolicy, what runs there moves when its toleration is over, and not before
  Given I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterTaintPolicy
      metadata: { name: failed-clusters }
      spec:
        addOnConditions: [{ conditionType: Ready, operator: NotIn, statusValues: ["True"] }]
        removeOnConditions: [{ conditionType: Ready, operator: In, statusValues: ["True"] }]
        taints: [{ key: failed, effect: NoExecute }]
  And policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }], clusterTolerations: [{ key: failed, operator: Exists, tolerationSeconds: 300 }] } }
  And Deployment nginx
  When m1 cannot be reached
  And 4 minutes pass
  And m1 can be reached again
  And 60 minutes pass
  Then nginx runs on m1
  And the binding of nginx says { spec: { clusters: [{ name: m1 }] } }
  When m1 cannot be reached
  And 3 minutes pass
  And the controllers restart
  And 2 minutes pass
  Then the binding of nginx says { spec: { clusters: [{ name: m1 }] } }
  When 2 minutes pass
  Then nginx runs on m1, m2
  And the binding of nginx says { spec: { clusters: [{ name: m2 }] } }
  When m1 can be reached again
  And 2 minutes pass
  Then nginx runs on m2
