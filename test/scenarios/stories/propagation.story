# From a template to the member clusters and back.

@both-scopes
Scenario: a Deployment is created, runs everywhere, and its status comes back
  Given policy p1 to m1, m2, m3
  When Deployment nginx with 2 replicas is created
  Then nginx runs on m1, m2, m3
  And nginx says { status: { replicas: 6, readyReplicas: 6, availableReplicas: 6 } }
  And the condition Scheduled of the binding of nginx is True, Success
  And the condition FullyApplied of the binding of nginx is True, FullyAppliedSuccess
  And there is an event ApplyPolicySucceed on nginx

@both-scopes
Scenario: an update reaches every copy
  Given policy p1 to m1, m2
  And Deployment nginx
  When nginx's image becomes nginx:2
  Then nginx has the image nginx:2 on m1, m2
  When nginx is scaled to 5 replicas
  Then nginx has 5 replicas on m1
  And nginx says { status: { readyReplicas: 10 } }

@both-scopes
Scenario: replicas are divided by weight, and none is lost
  Given policy p1 with { placement: { clusterAffinity: { clusterNames: [m1, m2] }, replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { staticWeightList: [{ targetCluster: { clusterNames: [m1] }, weight: 2 }, { targetCluster: { clusterNames: [m2] }, weight: 1 }] } } } }
  And Deployment nginx with 6 replicas
  Then nginx has 4 replicas on m1
  And nginx has 2 replicas on m2
  When nginx is scaled to 9 replicas
  Then nginx has 6 replicas on m1
  And nginx has 3 replicas on m2
  And nginx says { status: { readyReplicas: 9 } }

@both-scopes
Scenario: an override changes one cluster's copy, and goes again
  Given policy p1 to m1, m2
  And Deployment nginx
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: OverridePolicy
      metadata: { name: registry, namespace: default }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: nginx }]
        overrideRules:
          - targetCluster: { clusterNames: [m2] }
            overriders: { imageOverrider: [{ component: Registry, operator: add, value: eu.example.com }] }
  Then nginx has the image nginx:1 on m1
  And nginx has the image eu.example.com/nginx:1 on m2
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: OverridePolicy
      metadata: { name: registry, namespace: default }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: something-else }]
        overrideRules: []
  Then nginx has the image nginx:1 on m1, m2

@both-scopes
Scenario: what is deleted goes everywhere
  Given policy p1 to m1, m2
  And Deployment nginx
  When nginx is deleted
  Then nginx runs nowhere
  And nginx has no binding
  And nginx has no work in m1

@both-scopes
Scenario: what somebody changes or deletes in a member is put right
  Given policy p1 to m1, m2
  And Deployment nginx
  When nginx's image is set to hacked:1 in m1
  Then nginx has the image nginx:1 on m1
  When nginx is deleted in m2
  Then nginx runs on m1, m2

@both-scopes
Scenario: a cluster that leaves the placement is left, one that comes gets a copy
  Given policy p1 to m1, m2
  And Deployment nginx
  When policy p1 changes to m2, m3
  Then nginx runs on m2, m3

@both-scopes
Scenario: a cordoned cluster keeps what it has and gets nothing new
  Given policy p1 to m1, m2
  And Deployment nginx
  When cluster m2 is cordoned
  Then nothing moves
  When Deployment later is created
  Then later runs on m1
  When cluster m2 is uncordoned
  Then later runs on m1, m2

@both-scopes
Scenario: a cluster that is unjoined is left without leftovers
  Given policy p1 to m1, m2
  And Deployment nginx
  When cluster m2 is unjoined
  Then nginx runs on m1
  And nginx has no work in m2

@both-scopes @faults
Scenario: a member that cannot be reached keeps its copy, and catches up when it is back
  Given policy p1 to m1, m2
  And Deployment nginx
  When m2 cannot be reached
  And 2 minutes pass
  And nginx's image becomes nginx:2
  Then nginx has the image nginx:2 on m1
  And nginx has the image nginx:1 on m2
  When m2 can be reached again
  And 2 minutes pass
  Then nginx has the image nginx:2 on m1, m2

@both-scopes
Scenario: a restart moves nothing
  Given policy p1 to m1, m2, m3
  And Deployment nginx
  When the controllers restart
  Then nothing moves
  When the controllers stop
  And nginx's image becomes nginx:2
  And the controllers start
  Then nginx has the image nginx:2 on m1, m2, m3

Scenario: a namespace follows to the members
  Given policy p1 to m1
  And Deployment nginx in shop
  And namespaced policy shop/p2 to m2
  Then nginx runs on m2
