# Priority and preemption (proposal 001). Only explicit priorities count; a namespace's own policies come first; nothing goes the other way.
Gates: PropagationPolicyPreemption=true

@both-scopes
Scenario: S34 of several policies the highest priority claims first
  Given policy low to m1 with { priority: 1 }
  And policy high to m2 with { priority: 2 }
  When Deployment nginx is created
  Then nginx is claimed by high
  And nginx runs on m2

@both-scopes
Scenario: S34 with equal priorities the most exact match claims, then the first name
  Given policy a-kind to m1
  And policy b-label for Deployments labelled app=nginx to m2
  When Deployment nginx is created
  Then nginx is claimed by b-label
  When Deployment other is created
  Then other is claimed by a-kind

@both-scopes
Scenario: S34 equal in all but the name
  Given policy b to m2
  And policy a to m1
  When Deployment nginx is created
  Then nginx is claimed by a

@both-scopes
Scenario: S35 a higher priority that preempts takes over at once
  Given policy low to m1 with { priority: 2 }
  And Deployment nginx
  When policy high for nginx to m3 with { priority: 3, preemption: Always } is created
  Then nginx is claimed by high
  And nginx runs on m3
  And the binding of nginx says { spec: { placement: { clusterAffinity: { clusterNames: [m3] } } } }
  And there is an event PreemptPolicySucceed on nginx

@both-scopes
Scenario: S36 how exactly a policy matches never preempts
  Given policy kind to m1 with { priority: 2 }
  And Deployment nginx
  When policy name for nginx to m3 with { priority: 2, preemption: Always } is created
  Then nothing moves
  And nginx is claimed by kind

@both-scopes
Scenario: S37, S53 a policy that does not say so never preempts
  Given policy low to m1 with { priority: 2 }
  And Deployment nginx
  When policy high for nginx to m3 with { priority: 3 } is created
  Then nothing moves
  When policy never for nginx to m3 with { priority: 4, preemption: Never } is created
  Then nothing moves

@both-scopes
Scenario: S38 a lower priority never preempts
  Given policy high to m1 with { priority: 5 }
  And Deployment nginx
  When policy low for nginx to m3 with { priority: 3, preemption: Always } is created
  Then nothing moves

Scenario: S39 a policy of the namespace takes from a cluster-scoped one, whatever the priorities
  Given cluster policy everywhere to m1 with { priority: 100 }
  And Deployment nginx
  When namespaced policy own for nginx to m2 with { priority: 0, preemption: Always } is created
  Then nginx is claimed by own
  And nginx runs on m2

Scenario: S40 unless it does not preempt
  Given cluster policy everywhere to m1 with { priority: 100 }
  And Deployment nginx
  When namespaced policy own for nginx to m2 is created
  Then nothing moves
  And nginx is claimed by everywhere

Scenario: S41 a cluster-scoped policy takes from another by priority, also what has no namespace
  Given cluster policy low for Deployments and ClusterRoles to m1 with { priority: 1 }
  And Deployment nginx
  And ClusterRole reader
  When cluster policy high for nginx and reader to m2 with { priority: 2, preemption: Always } is created
  Then nginx is claimed by high
  And reader is claimed by high
  And nginx runs on m2
  And reader runs on m2

Scenario: S42 a cluster-scoped policy never takes from one of the namespace
  Given namespaced policy own to m1
  And Deployment nginx
  When cluster policy high for nginx to m2 with { priority: 1000, preemption: Always } is created
  Then nothing moves
  And nginx is claimed by own

Scenario: S43 a policy of a namespace never takes what has no namespace
  Given cluster policy roles for ClusterRoles to m1
  And ClusterRole reader
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: PropagationPolicy
      metadata: { name: own, namespace: default }
      spec:
        preemption: Always
        priority: 9
        resourceSelectors: [{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: reader }]
        placement: { clusterAffinity: { clusterNames: [m2] } }
  Then nothing moves
  And reader is claimed by roles

Scenario: S44 in the end the strongest holds it: own before cluster-scoped, high before low
  Given cluster policy low-cluster for Deployments to m1 with { priority: 1 }
  And Deployment nginx
  Then nginx is claimed by low-cluster
  When cluster policy high-cluster for nginx to m2 with { priority: 2, preemption: Always } is created
  Then nginx is claimed by high-cluster
  When namespaced policy low-own for nginx to m3 with { priority: 1, preemption: Always } is created
  Then nginx is claimed by low-own
  When namespaced policy high-own for nginx to m1 with { priority: 2, preemption: Always } is created
  Then nginx is claimed by high-own
  And nginx runs on m1

@both-scopes
Scenario: S45 with the gate off a policy that preempts is accepted and does not
  Gates: PropagationPolicyPreemption=false
  Given policy low to m1 with { priority: 2 }
  And Deployment nginx
  When policy high for nginx to m3 with { priority: 3, preemption: Always } is created
  Then nothing moves

Scenario: S46, S76 a policy that preempts must be confined: by a name, or to namespaces
  Ruling: 9
  Given I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: all }
      spec:
        preemption: Always
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: resourceSelectors
  When I try to apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: ClusterPropagationPolicy
      metadata: { name: roles }
      spec:
        preemption: Always
        resourceSelectors: [{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, namespace: a }]
        placement: { clusterAffinity: { clusterNames: [m1] } }
  Then it is refused: resourceSelectors
  When namespaced policy own to m1 with { preemption: Always } is created
  And cluster policy some for Deployments in user1-* to m1 with { preemption: Always } is created
  Then nothing moves

@both-scopes
Scenario: S47 when the preemptor goes, its loot is matched anew
  Given policy low to m1 with { priority: 2 }
  And Deployment nginx
  And policy high for nginx to m3 with { priority: 3, preemption: Always }
  When policy high is deleted
  Then policy high is gone
  And nginx is claimed by low
  And nginx runs on m1

@both-scopes
Scenario: S48 a holder that drops its priority lets in who waits above
  Given policy a to m1 with { priority: 5 }
  And Deployment nginx
  And policy b for nginx to m2 with { priority: 4, preemption: Always }
  Then nginx is claimed by a
  When policy a changes { priority: 3 }
  Then nginx is claimed by b
  And nginx runs on m2

@both-scopes
Scenario: S49 also who waits at the very priority that it had
  Ruling: 8
  Given policy a to m1 with { priority: 5 }
  And Deployment nginx
  And policy c for nginx to m2 with { priority: 5, preemption: Always }
  Then nginx is claimed by a
  When policy a changes { priority: 3 }
  Then nginx is claimed by c

@both-scopes
Scenario: S50 of several that may, the highest comes first, and there is one preemption
  Given policy a to m1 with { priority: 9 }
  And Deployment nginx
  And policy b for nginx to m2 with { priority: 4, preemption: Always }
  And policy c for nginx to m3 with { priority: 6, preemption: Always }
  And policy d for nginx to m2 with { priority: 4, preemption: Always }
  When policy a changes { priority: 1 }
  Then nginx is claimed by c
  And nginx runs on m3
  And there is 1 PreemptPolicySucceed event on nginx

@both-scopes
Scenario: S51 a policy that raises its priority preempts
  Given policy a to m1 with { priority: 2 }
  And Deployment nginx
  And policy b for nginx to m2 with { priority: 1, preemption: Always }
  Then nginx is claimed by a
  When policy b changes { priority: 3 }
  Then nginx is claimed by b

@both-scopes
Scenario: S52 what is not there, or on its way out, is not preempted, and that is no error
  Given policy a to m1 with { priority: 1 }
  And Deployment nginx
  And nginx changes { metadata: { finalizers: [example.com/keep] } }
  And nginx is deleted
  When policy b for nginx to m2 with { priority: 3, preemption: Always } is created
  Then nginx is claimed by a
  When policy c for Deployments to m2 with { priority: 4 } is created
  Then nginx is claimed by a

@both-scopes
Scenario: S54 a static policy that preempts waits for an edit, claim and all
  Ruling: 1
  Given policy a to m1 with { priority: 1 }
  And Deployment nginx
  When policy b for nginx to m2 with { priority: 2, preemption: Always, activationPreference: Lazy } is created
  Then nothing moves
  And nginx is claimed by a
  And the condition PolicyPending of the binding of nginx is True, PolicyTakesOver
  When the user edits nginx
  Then nginx is claimed by b
  And nginx runs on m2
