# Static policies (proposal 000): a policy takes effect on what runs only when its user edits it.
Gates: StaticPolicy=true

@both-scopes
Scenario: S1, S7 a waiting workload goes out as soon as a policy matches
  Given Deployment nginx
  Then nginx runs nowhere
  When policy p1 to m1 is created
  Then nginx is claimed by p1
  And nginx runs on m1

@both-scopes
Scenario: S2, S8, S32 an edited policy waits until the workload is edited
  Given policy p1 to m1
  And Deployment nginx
  Then nginx runs on m1
  And the binding of nginx has no condition PolicyPending
  When policy p1 changes to m2
  Then nothing moves
  And the binding of nginx says { spec: { placement: { clusterAffinity: { clusterNames: [m1] } }, clusters: [{ name: m1 }] } }
  And the condition PolicyPending of the binding of nginx is True, PolicyChanged
  And there is an event PolicyPending on nginx
  When the user edits nginx
  Then nginx runs on m2
  And the condition PolicyPending of the binding of nginx is False, Activated

@both-scopes
Scenario: S3, S9 a better policy waits until the workload is edited, and needs no preemption then
  Given policy p1 to m1 with { priority: 1 }
  And Deployment nginx
  When policy p2 to m2 with { priority: 2 } is created
  Then nothing moves
  And nginx is claimed by p1
  And the condition PolicyPending of the binding of nginx is True, PolicyTakesOver
  When the user edits nginx
  Then nginx is claimed by p2
  And nginx runs on m2

@both-scopes
Scenario: S4, S10 what was never activated is never seen
  Given policy p1 to m1 with { priority: 1 }
  And Deployment nginx
  When policy p1 changes to m3
  Then nothing moves
  When policy p2 to m2 with { priority: 2 } is created
  Then nothing moves
  When the user edits nginx
  Then nginx runs on m2

@both-scopes
Scenario: S5, S11, S22 a policy that stops matching lets go, and nobody takes over before an edit
  Given policy p1 to m1 with { priority: 1 }
  And policy p2 to m2 with { priority: 2 }
  And Deployment nginx
  Then nginx is claimed by p2
  And nginx runs on m2
  When policy p2 stops matching nginx
  Then nothing moves
  And nginx is claimed by nobody
  And the condition PolicyPending of the binding of nginx is True, PolicyTakesOver
  When the user edits nginx
  Then nginx is claimed by p1
  And nginx runs on m1

@both-scopes
Scenario: S6, S12, S24 after its policy is gone a workload keeps running, and its edits wait for a policy
  Given policy p1 to m1
  And Deployment nginx with 2 replicas
  When policy p1 is deleted
  Then policy p1 is gone
  And nothing moves
  And nginx is claimed by nobody
  When nginx is scaled to 5 replicas
  Then nothing moves
  And nginx has 2 replicas on m1
  And the condition PolicyPending of the binding of nginx is True, NoPolicyMatches
  When policy p2 to m2 is created
  Then nginx runs on m2
  And nginx has 5 replicas on m2

Scenario: S13 the same holds for what has no namespace
  Given cluster policy p1 for ClusterRoles to m1
  And ClusterRole reader
  Then reader runs on m1
  When policy p1 changes to m2
  Then nothing moves
  And the condition PolicyPending of the binding of reader is True, PolicyChanged
  When cluster policy p2 for reader to m3 with { priority: 5 } is created
  Then nothing moves
  When the user edits reader
  Then reader is claimed by p2
  And reader runs on m3
  When policy p2 stops matching reader
  Then nothing moves
  And reader is claimed by nobody
  When policy p1 is deleted
  And the user edits reader
  Then nothing moves
  When cluster policy p3 for ClusterRoles to m1 is created
  Then reader runs on m1

Scenario: S14 a policy of the namespace beats every cluster-scoped one, on the next edit
  Given cluster policy c1 to m1 with { priority: 100 }
  And Deployment nginx
  When namespaced policy p1 to m2 is created
  Then nothing moves
  When the user edits nginx
  Then nginx is claimed by p1
  And nginx runs on m2

Scenario: S15 a cluster-scoped policy never takes from one of the namespace
  Given namespaced policy p1 to m1
  And Deployment nginx
  When cluster policy c1 to m2 with { priority: 1000 } is created
  And the user edits nginx
  Then nginx is claimed by p1
  And nginx runs on m1

Scenario: S16 a new cluster in the default policy reaches only what is edited
  Given cluster policy default-cpp to m1, m2
  And Deployment a
  And Deployment b
  And Deployment c
  When policy default-cpp changes to m1, m2, m3
  Then nothing moves
  When the user edits b
  Then a runs on m1, m2
  And b runs on m1, m2, m3
  And c runs on m1, m2

Scenario: S17 a custom policy for one namespace takes what is edited there and nothing else
  Given cluster policy default-cpp to m1, m2
  And Deployment theirs in user-ucs
  And Deployment other in default
  When cluster policy custom-cpp for Deployments in user-ucs to m1, m3 with { priority: 100 } is created
  Then nothing moves
  When the user edits theirs
  And the user edits other
  Then theirs is claimed by custom-cpp
  And theirs runs on m1, m3
  And other is claimed by default-cpp
  And other runs on m1, m2

@both-scopes
Scenario: S18, S19 status and the system's own keys are no edits
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 changes to m2
  When the status of nginx changes { observedGeneration: 7 }
  Then nothing moves
  When nginx is labelled example.karmada.io/note=x
  Then nothing moves
  When nginx is annotated example.karmada.io/note=x
  Then nothing moves
  When nginx is annotated karmada.io/note=x
  Then nothing moves

@both-scopes
Scenario: S20 a label of the user's is an edit
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 changes to m2
  When nginx is labelled tier=front
  Then nginx runs on m2

@both-scopes
Scenario: S20 an annotation, a finalizer and a field of the user's are edits
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 changes to m2
  When nginx is annotated example.com/owner=ann
  Then nginx runs on m2
  When policy p1 changes to m3
  And nginx changes { metadata: { finalizers: [example.com/keep] } }
  Then nginx runs on m3
  When policy p1 changes to m1
  And nginx's image becomes nginx:2
  Then nginx runs on m1

@both-scopes
Scenario: S21 the claim that the system writes is no edit that activates a newer policy
  Given Deployment nginx
  And the controllers stop
  And policy p1 to m1
  And the controllers start
  Then nginx is claimed by p1
  When policy p1 changes to m2
  Then nothing moves

@both-scopes
Scenario: S23 an edited workload that nothing matches goes out when something does, without another edit
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 stops matching nginx
  When the user edits nginx
  Then nothing moves
  And nginx is claimed by nobody
  And the condition PolicyPending of the binding of nginx is True, NoPolicyMatches
  When policy p2 for nginx to m2 is created
  Then nginx is claimed by p2
  And nginx runs on m2

@both-scopes
Scenario: S25 a workload that is deleted goes everywhere, whether a policy matches or not
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 is deleted
  And nginx is scaled to 5 replicas
  Then nginx runs on m1
  When nginx is deleted
  Then nginx runs nowhere
  And nginx has no binding
  And nginx has no work in m1

@both-scopes
Scenario: S26 a start after a stop before the binding existed propagates it
  Given policy p1 to m1
  And the controllers stop
  And Deployment nginx
  When the controllers start
  Then nginx is claimed by p1
  And nginx runs on m1

@both-scopes
Scenario: S27 no restart activates what is pending
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 changes to m2
  When the controllers restart
  Then nothing moves
  When the controllers restart
  Then nothing moves
  And the condition PolicyPending of the binding of nginx is True, PolicyChanged

@both-scopes
Scenario: S27 no restart activates what was changed while nothing ran
  Given policy p1 to m1
  And Deployment nginx
  And the controllers stop
  And policy p1 changes to m2
  When the controllers start
  Then nothing moves
  And the condition PolicyPending of the binding of nginx is True, PolicyChanged

@both-scopes
Scenario: S28 an edit that was made while nothing ran is not lost
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 changes to m2
  And the controllers stop
  And the user edits nginx
  Then nginx runs on m1
  When the controllers start
  Then nginx runs on m2

@both-scopes
Scenario: S29 a policy that was deleted while nothing ran lets go at the start, and nothing moves
  Given policy p1 to m1
  And Deployment nginx
  And the controllers stop
  And policy p1 is deleted
  When the controllers start
  Then policy p1 is gone
  And nothing moves
  And nginx is claimed by nobody

@both-scopes
Scenario: S30 without the gate a policy acts at once, and a claim is not matched anew
  Gates: StaticPolicy=false
  Given policy p1 to m1 with { priority: 1 }
  And Deployment nginx
  When policy p1 changes to m2
  Then nginx runs on m2
  When policy p2 to m3 with { priority: 2 } is created
  And the user edits nginx
  Then nginx is claimed by p1
  And nginx runs on m2

@both-scopes
Scenario: S31 the operator asks, and what is pending takes effect
  Given policy p1 to m1
  And Deployment nginx
  And Deployment other
  And policy p1 changes to m2
  When the operator asks to reconcile nginx
  Then nginx runs on m2
  And other runs on m1

@both-scopes
Scenario: S33 a static policy does not preempt before an edit
  Gates: StaticPolicy=true, PropagationPolicyPreemption=true
  Given policy p1 to m1 with { priority: 1 }
  And Deployment nginx
  When policy p2 for nginx to m2 with { priority: 2, preemption: Always } is created
  Then nothing moves
  And nginx is claimed by p1
  When the user edits nginx
  Then nginx is claimed by p2
  And nginx runs on m2

@both-scopes
Scenario: a policy that is deleted and made again does not take over before an edit
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 is deleted
  When policy p1 to m2 is created
  Then nothing moves
  And nginx is claimed by nobody
  When the controllers restart
  Then nothing moves
  When the user edits nginx
  Then nginx runs on m2

@both-scopes
Scenario: a policy that is changed back leaves nothing pending
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 changes to m2
  Then the condition PolicyPending of the binding of nginx is True, PolicyChanged
  When policy p1 changes to m1
  Then nothing moves
  And the condition PolicyPending of the binding of nginx is False, Activated

@both-scopes
Scenario: works are frozen while something is pending, whatever overrides say
  Ruling: 5
  Given policy p1 to m1
  And Deployment nginx
  And policy p1 changes to m1, m2
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: OverridePolicy
      metadata: { name: image, namespace: default }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
        overrideRules: [{ overriders: { imageOverrider: [{ component: Tag, operator: replace, value: "9" }] } }]
  Then nothing moves
  When the controllers restart
  Then nothing moves
  And nginx has the image nginx:1 on m1
  When the user edits nginx
  Then nginx has the image nginx:9 on m1, m2

@both-scopes
Scenario: one policy can be static by itself
  Gates: StaticPolicy=false
  Ruling: 1
  Given policy p1 to m1 with { activationPreference: Lazy }
  And Deployment nginx
  Then nginx runs on m1
  When policy p1 changes to m2
  Then nothing moves
  And the condition PolicyPending of the binding of nginx is True, PolicyChanged
  When the controllers restart
  Then nothing moves
  When the user edits nginx
  Then nginx runs on m2
  When policy p1 changes { placement: { clusterAffinity: { clusterNames: [m3] } }, activationPreference: null }
  Then nginx runs on m3

@both-scopes
Scenario: a policy that becomes static defers that very edit
  Gates: StaticPolicy=false
  Given policy p1 to m1
  And Deployment nginx
  When policy p1 changes { placement: { clusterAffinity: { clusterNames: [m2] } }, activationPreference: Lazy }
  Then nothing moves
  And the condition PolicyPending of the binding of nginx is True, PolicyChanged
  When nginx is scaled to 3 replicas
  Then nginx runs on m2

@both-scopes
Scenario: a static policy waits behind one that acts at once, and takes over on an edit
  Gates: StaticPolicy=false
  Given policy p1 to m1 with { priority: 1 }
  And Deployment nginx
  When policy p2 for nginx to m2 with { priority: 2, activationPreference: Lazy } is created
  Then nothing moves
  And the condition PolicyPending of the binding of nginx is True, PolicyTakesOver
  When policy p1 changes to m3
  Then nginx runs on m3
  When the controllers stop
  And the user edits nginx
  And the controllers start
  Then nginx is claimed by p2
  And nginx runs on m2

@both-scopes
Scenario: a change is released cluster by cluster, and a restart changes nothing about it
  Ruling: 26
  Given policy p1 to m1, m2
  And Deployment nginx
  When policy p1 changes to m2, m3
  Then nothing moves
  When nginx is released on m3
  Then nothing moves
  When the operator asks to reconcile nginx
  Then nginx runs on m1, m2, m3
  And the condition PolicyPending of the binding of nginx is True, ReleasedInOrder
  When nginx's image becomes nginx:2
  Then nginx has the image nginx:2 on m3
  And nginx has the image nginx:1 on m1
  When the controllers restart
  Then nothing moves
  When nginx is released on m2, m3
  Then nginx has the image nginx:2 on m2
  And nginx runs on m1, m2, m3
  When nginx is released on all clusters
  Then nginx runs on m2, m3
  And the condition PolicyPending of the binding of nginx is False, Activated

@both-scopes
Scenario: what a workload needs stays with it where its change is not released yet
  Ruling: 26
  Given ConfigMap settings
  And policy p1 to m1 with { propagateDeps: true }
  And Deployment nginx
  When nginx mounts settings
  Then settings runs on m1
  When policy p1 changes to m2
  Then nothing moves
  When nginx is released on m2
  And the operator asks to reconcile nginx
  Then nginx runs on m1, m2
  And settings runs on m1, m2
  When the controllers restart
  Then nothing moves
  When nginx is released on all clusters
  Then nginx runs on m2
  And settings runs on m2
