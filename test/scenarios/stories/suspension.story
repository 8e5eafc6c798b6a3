# Suspension (proposal 002): dispatching pauses for all clusters or for some; what is deleted is deleted; resuming catches up.

@both-scopes
Scenario: S55, S68 a suspended workload says so on its binding and on every work
  Given policy p1 to m1, m2, m3
  And Deployment nginx
  When policy p1 changes { suspension: { dispatching: true } }
  Then the binding of nginx says { spec: { suspension: { dispatching: true } } }
  And the work of nginx in m1 says { spec: { suspendDispatching: true } }
  And the work of nginx in m3 says { spec: { suspendDispatching: true } }
  And the condition Dispatching of the work of nginx in m2 is False, SuspendDispatching
  And there is 1 WorkDispatching event on the work of nginx in m2
  And nginx runs on m1, m2, m3

@both-scopes
Scenario: S55 the proposal's spelling means the same
  Ruling: 12
  Given policy p1 to m1, m2
  And Deployment nginx
  When policy p1 changes { suspension: { suspendDispatching: true } }
  Then the binding of nginx says { spec: { suspension: { suspendDispatching: true } } }
  And the work of nginx in m1 says { spec: { suspendDispatching: true } }
  And the condition Dispatching of the work of nginx in m1 is False, SuspendDispatching

@both-scopes
Scenario: S56, S57 while suspended works change and members do not; resuming catches up
  Given policy p1 to m1, m2
  And Deployment nginx
  And policy p1 changes { suspension: { dispatching: true } }
  When nginx's image becomes nginx:2
  Then the work of nginx in m1 says { spec: { workload: { manifests: [{ spec: { template: { spec: { containers: [{ image: "nginx:2" }] } } } }] } } }
  And nginx has the image nginx:1 on m1, m2
  When policy p1 changes { suspension: null }
  Then nginx has the image nginx:2 on m1, m2
  And the condition Dispatching of the work of nginx in m1 is True, Dispatching
  And there are 2 WorkDispatching events on the work of nginx in m1

@both-scopes
Scenario: S57 an empty suspension suspends nothing
  Given policy p1 to m1 with { suspension: { dispatching: true } }
  And Deployment nginx
  Then nginx runs nowhere
  When policy p1 changes { suspension: { dispatching: null } }
  Then nginx runs on m1

@both-scopes
Scenario: S58, S59 clusters are released one by one
  Given policy p1 to m1, m2, m3
  And Deployment nginx
  And policy p1 changes { suspension: { dispatchingOnClusters: { clusterNames: [m2, m3] } } }
  When nginx's image becomes nginx:2
  Then nginx has the image nginx:2 on m1
  And nginx has the image nginx:1 on m2, m3
  And the work of nginx in m1 says { spec: { suspendDispatching: false } }
  And the work of nginx in m2 says { spec: { suspendDispatching: true } }
  When policy p1 changes { suspension: { dispatchingOnClusters: { clusterNames: [m3] } } }
  Then nginx has the image nginx:2 on m1, m2
  And nginx has the image nginx:1 on m3

@both-scopes
Scenario: S58, S59 released one by one, in the proposal's spelling
  Ruling: 12
  Given policy p1 to m1, m2, m3
  And Deployment nginx
  And policy p1 changes { suspension: { suspendDispatchingOnClusters: { clusterNames: [m2, m3] } } }
  When nginx's image becomes nginx:2
  Then nginx has the image nginx:2 on m1
  And nginx has the image nginx:1 on m2, m3
  When policy p1 changes { suspension: { suspendDispatchingOnClusters: { clusterNames: [m3] } } }
  Then nginx has the image nginx:2 on m1, m2
  And nginx has the image nginx:1 on m3

@both-scopes @made-pods
Scenario: S60 rolled back before it is released everywhere
  Given policy p1 to m1, m2, m3
  And Deployment nginx
  And policy p1 changes { suspension: { dispatchingOnClusters: { clusterNames: [m2, m3] } } }
  And nginx's image becomes nginx:2
  When nginx's image becomes nginx:1
  And policy p1 changes { suspension: null }
  Then nginx has the image nginx:1 on m1, m2, m3
  And nginx in m2 says { metadata: { annotations: { deployment.kubernetes.io/revision: "1" } } }
  And nginx in m3 says { metadata: { annotations: { deployment.kubernetes.io/revision: "1" } } }

@both-scopes
Scenario: S61 all clusters and a list of clusters together are refused, in any mix of names
  Ruling: 12
  Given I try policy p1 to m1 with { suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: [m2] } } }
  Then it is refused: suspension
  When I try policy p1 to m1 with { suspension: { suspendDispatching: true, dispatchingOnClusters: { clusterNames: [m2] } } }
  Then it is refused: suspension
  When I try policy p1 to m1 with { suspension: { dispatching: true, suspendDispatchingOnClusters: { clusterNames: [m2] } } }
  Then it is refused: suspension
  When policy p2 to m1 with { suspension: { dispatching: false, dispatchingOnClusters: { clusterNames: [m2] } } } is created
  Then nothing moves

@both-scopes
Scenario: S62 a suspended workload that is deleted goes everywhere
  Given policy p1 to m1, m2
  And Deployment nginx
  And policy p1 changes { suspension: { dispatching: true } }
  When nginx is deleted
  Then nginx runs nowhere
  And nginx has no work in m1

@both-scopes
Scenario: S63 a cluster that leaves the placement is left, suspended or not
  Given policy p1 to m1, m3
  And Deployment nginx
  And policy p1 changes { suspension: { dispatching: true } }
  When policy p1 changes to m1
  Then nginx runs on m1
  And nginx has no work in m3

@both-scopes
Scenario: S64 suspended from the start: works are there, members have nothing
  Given policy p1 to m1 with { suspension: { dispatching: true } }
  When Deployment nginx is created
  Then nginx runs nowhere
  And the work of nginx in m1 says { spec: { suspendDispatching: true } }
  And the condition Applied of the work of nginx in m1 is absent
  And the condition FullyApplied of the binding of nginx is False

@both-scopes
Scenario: S65 while suspended nothing is repaired; resuming repairs it
  Given policy p1 to m1, m2
  And Deployment nginx
  And policy p1 changes { suspension: { dispatching: true } }
  When nginx's image is set to hacked:1 in m1
  And nginx is deleted in m2
  Then nginx has the image hacked:1 on m1
  And nginx runs on m1
  When policy p1 changes { suspension: null }
  Then nginx has the image nginx:1 on m1, m2

@both-scopes
Scenario: S66 while suspended status still comes back
  Given policy p1 to m1
  And Deployment nginx with 2 replicas
  And policy p1 changes { suspension: { dispatching: true } }
  When nginx changes in m1 { spec: { replicas: 4 } }
  Then nginx says { status: { readyReplicas: 4 } }

Scenario: S68 what has no namespace is suspended likewise
  Given cluster policy p1 for ClusterRoles to m1, m2
  And ClusterRole reader
  And policy p1 changes { suspension: { dispatchingOnClusters: { clusterNames: [m2] } } }
  When reader changes { rules: [{ apiGroups: [""], resources: [pods], verbs: [list] }] }
  Then reader in m1 says { rules: [{ verbs: [list] }] }
  And reader in m2 says { rules: [{ verbs: [get] }] }
  And the condition Dispatching of the work of reader in m2 is False, SuspendDispatching
  When reader is deleted in m2
  Then reader runs on m1
  When policy p1 changes { suspension: null }
  Then reader in m2 says { rules: [{ verbs: [list] }] }
  When policy p1 changes { suspension: { dispatching: true } }
  And reader is deleted
  Then reader runs nowhere

@both-scopes
Scenario: S69 scheduling that a third party suspended stays suspended, whatever policies do
  Given policy p1 to m1
  And Deployment nginx
  And the binding of nginx changes { suspension: { scheduling: true } }
  When policy p1 changes to m2
  Then nginx runs on m1
  And the binding of nginx says { spec: { suspension: { scheduling: true }, placement: { clusterAffinity: { clusterNames: [m2] } } } }
  When the binding of nginx changes { suspension: { scheduling: null } }
  Then nginx runs on m2

@both-scopes
Scenario: S70 under a static policy a suspension waits for an edit, too
  Given policy p1 to m1 with { activationPreference: Lazy }
  And Deployment nginx
  When policy p1 changes { suspension: { dispatching: true } }
  Then nothing moves
  And the work of nginx in m1 says { spec: { suspendDispatching: false } }
  When nginx's image becomes nginx:2
  Then the work of nginx in m1 says { spec: { suspendDispatching: true } }
  And nginx has the image nginx:1 on m1

@both-scopes
Scenario: S72 a restart dispatches nothing and says nothing twice
  Given policy p1 to m1, m2
  And Deployment nginx
  And policy p1 changes { suspension: { dispatching: true } }
  And nginx's image becomes nginx:2
  When the controllers restart
  Then nothing moves
  And nginx has the image nginx:1 on m1, m2
  And the condition Dispatching of the work of nginx in m1 is False, SuspendDispatching
  And there is 1 WorkDispatching event on the work of nginx in m1
