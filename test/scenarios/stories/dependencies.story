# Dependencies (proposal 004): what a workload refers to follows it; so do Services that select its pods, and Ingresses to these (ruling 17).

@both-scopes
Scenario: S91 what a workload refers to goes where it goes
  Given ConfigMap settings
  And Secret token
  And Deployment web
  And web mounts settings and token
  When policy p1 for web to m1, m2 with { propagateDeps: true }
  Then settings runs on m1, m2
  And token runs on m1, m2
  And the binding of settings says { spec: { requiredBy: [{ namespace: default, name: web-deployment, clusters: [{ name: m1, replicas: 2 }, { name: m2, replicas: 2 }] }] } }
  And the binding of token says { spec: { requiredBy: [{ namespace: default, name: web-deployment }] } }
  And the binding of web has the finalizer karmada.io/binding-dependencies-distributor
  And there is an event GetDependenciesSucceed on web
  And settings is claimed by nobody

@both-scopes
Scenario: S92 a ConfigMap that is created later is propagated then
  Given Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When ConfigMap settings is created
  Then settings runs on m1

@both-scopes
Scenario: S93 dependencies move with their workload
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When policy p1 changes to m2
  Then web runs on m2
  And settings runs on m2

@both-scopes @virtual-clock
Scenario: S93 dependencies leave a failed cluster after their workload
  Gates: Failover=true
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web with { propagateDeps: true, placement: { clusterAffinity: { clusterNames: [m1, m2] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] } }
  Then web runs on m1
  And settings runs on m1
  When cluster m1 changes { spec: { taints: [{ key: broken, effect: NoExecute }] } }
  And 15 minutes pass
  Then web runs on m2
  And settings runs on m2

@both-scopes
Scenario: S94 a shared ConfigMap is where any of its referrers is
  Given ConfigMap settings
  And Deployment web
  And Deployment api
  And web mounts settings
  And api mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  And policy p2 for api to m2 with { propagateDeps: true }
  Then settings runs on m1, m2
  And settings follows api, web
  When web is deleted
  Then settings runs on m2
  And settings follows api

@both-scopes
Scenario: S95 what is no longer referred to leaves the members and stays in the control plane
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When web mounts nothing
  Then settings runs nowhere
  And settings follows nobody
  And settings says { data: { key: value } }

@both-scopes
Scenario: S96 without propagateDeps nothing follows any more
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When policy p1 changes { propagateDeps: false }
  Then settings runs nowhere
  And settings follows nobody
  And web runs on m1
  And the binding of web has no finalizer karmada.io/binding-dependencies-distributor

@both-scopes
Scenario: S97 a deleted workload's binding goes after those that followed it
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When web is deleted
  Then web has no binding
  And settings follows nobody
  And settings runs nowhere

@both-scopes
Scenario: S98 a ConfigMap with a policy of its own is where either wants it
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When policy own for settings to m3
  Then settings runs on m1, m3
  And settings is claimed by own
  When policy own is deleted
  Then settings runs on m1, m3
  And settings is claimed by nobody
  When web is deleted
  Then settings runs on m3

Scenario: S99 what only an override refers to does not follow
  Given ConfigMap settings
  And Deployment web
  And policy p1 for web to m1 with { propagateDeps: true }
  When I apply:
      apiVersion: policy.karmada.io/v1alpha1
      kind: OverridePolicy
      metadata: { name: env, namespace: default }
      spec:
        resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
        overrideRules:
          - overriders:
              plaintext:
                - { path: /spec/template/spec/containers/0/envFrom, operator: add, value: [{ configMapRef: { name: settings } }] }
  Then web in m1 says { spec: { template: { spec: { containers: [{ envFrom: [{ configMapRef: { name: settings } }] }] } } } }
  And settings has no binding

@both-scopes
Scenario: S100 with the gate off the field is ignored
  Gates: PropagateDeps=false
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  When policy p1 for web to m1 with { propagateDeps: true }
  Then web runs on m1
  And settings has no binding
  And the binding of web has no finalizer karmada.io/binding-dependencies-distributor

@both-scopes
Scenario: S101 a change of the ConfigMap reaches the members
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When settings changes { data: { key: another } }
  Then settings in m1 says { data: { key: another } }

@both-scopes
Scenario: S102 the default ServiceAccount never follows, another does, and what is missing is no error
  Given ServiceAccount robot
  And ServiceAccount default
  And Deployment web
  And Deployment api
  And web mounts missing
  And web changes { spec: { template: { spec: { serviceAccountName: default } } } }
  And api changes { spec: { template: { spec: { serviceAccountName: robot } } } }
  When policy p1 for Deployments to m1 with { propagateDeps: true }
  Then robot runs on m1
  And default has no binding
  And web runs on m1
  And there are 0 GetDependenciesFailed events on web

@both-scopes
Scenario: S103 the claims that a StatefulSet makes itself are not looked for
  Given PersistentVolumeClaim data
  And PersistentVolumeClaim extra
  And I apply:
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, namespace: default }
      spec:
        replicas: 1
        serviceName: db
        selector: { matchLabels: { app: db } }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
        template:
          metadata: { labels: { app: db } }
          spec:
            containers: [{ name: db, image: "postgres:1" }]
            volumes:
              - { name: data, persistentVolumeClaim: { claimName: data } }
              - { name: extra, persistentVolumeClaim: { claimName: extra } }
  When policy p1 for db to m1 with { propagateDeps: true }
  Then db runs on m1
  And extra runs on m1
  And data has no binding

@both-scopes
Scenario: S104 of referrers that disagree, Overwrite and true win, with a warning
  Given ConfigMap settings
  And Deployment web
  And Deployment api
  And web mounts settings
  And api mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When policy p2 for api to m2 with { propagateDeps: true, conflictResolution: Overwrite, preserveResourcesOnDeletion: true }
  Then the binding of settings says { spec: { conflictResolution: Overwrite, preserveResourcesOnDeletion: true } }
  And there is an event DependencyPolicyConflict on the binding of settings
  When policy p2 changes { conflictResolution: Abort }
  Then the binding of settings says { spec: { conflictResolution: Abort, preserveResourcesOnDeletion: true } }
  When api is deleted
  Then the work of settings in m1 says { spec: { preserveResourcesOnDeletion: false } }

@both-scopes
Scenario: S105 a ConfigMap that is deleted and made anew follows again
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  When settings is deleted
  Then settings runs nowhere
  When ConfigMap settings is created
  Then settings runs on m1
  And settings follows web

@both-scopes
Scenario: S106 with a lazy policy, propagateDeps takes effect at the next edit of the workload
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { activationPreference: Lazy }
  When policy p1 changes { propagateDeps: true }
  Then nothing moves
  When the user edits web
  Then settings runs on m1

Scenario: S106 while an edit waits, what runs keeps what it needs
  Ruling: 5
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true, activationPreference: Lazy }
  And policy p1 stops matching web
  When web mounts nothing
  Then settings runs on m1
  And settings follows web

@both-scopes @virtual-clock
Scenario: S107 what was missed while nobody looked is made up for
  Given Deployment web
  And web mounts settings
  And policy p1 for web to m1 with { propagateDeps: true }
  And the controllers stop
  And ConfigMap settings
  When the controllers start
  Then settings runs on m1
  When the controllers restart
  Then nothing moves

@both-scopes
Scenario: S71 dependencies of a suspended workload are not suspended
  Given ConfigMap settings
  And Deployment web
  And web mounts settings
  When policy p1 for web to m1 with { propagateDeps: true, suspension: { dispatching: true } }
  Then web runs nowhere
  And settings runs on m1

@both-scopes
Scenario: S91 Services that select the pods follow them, and Ingresses to these
  Ruling: 17
  Given Ingress front
  And Deployment web
  And policy p1 for web to m1, m2 with { propagateDeps: true }
  When I apply:
      apiVersion: v1
      kind: Service
      metadata: { name: front, namespace: default }
      spec: { selector: { app: web }, ports: [{ port: 80 }] }
  Then Service front runs on m1, m2
  And Ingress front runs on m1, m2
  When Service front changes { spec: { selector: { app: another } } }
  Then Service front runs nowhere
  And Ingress front runs nowhere

Scenario: S91 Services stay where they are with their gate off
  Ruling: 17
  Gates: PropagateDependents=false
  Given Service web
  And Deployment web
  When policy p1 for Deployments to m1 with { propagateDeps: true }
  Then Deployment web runs on m1
  And Service web has no binding

Scenario: S91 no credential follows
  Given ServiceAccount robot
  And I apply:
      apiVersion: v1
      kind: Secret
      metadata: { name: robot-token, namespace: default, annotations: { kubernetes.io/service-account.name: robot } }
      type: kubernetes.io/service-account-token
  And Deployment web
  And web mounts robot-token
  When policy p1 for web to m1 with { propagateDeps: true }
  Then web runs on m1
  And robot-token has no binding
