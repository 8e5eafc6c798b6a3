package main

// Objects as people write them; the random ones rarely look like these.
var handWritten = []string{
	`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","labels":{"app":"web"}},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":1}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"nginx","ports":[{"containerPort":80}],"env":[{"name":"A","value":""}],"resources":{"limits":{"cpu":"500m","memory":"1Gi"}},"livenessProbe":{"httpGet":{"path":"/","port":"http"}},"volumeMounts":[{"name":"c","mountPath":"/c"}]}],"volumes":[{"name":"c","configMap":{"name":"c","items":[{"key":"a","path":"b"}]}},{"name":"e","emptyDir":{}}]}}}}`,
	`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"type":"Opaque","data":{"a":"AAECAw==","empty":""},"stringData":{"b":"c"}}`,
	`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"__proto__":"x","a":""},"binaryData":{"b":"/w=="}}`,
	`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"none"},"rules":null}`,
	`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"},"spec":{"holderIdentity":"a","leaseDurationSeconds":15,"renewTime":"2026-11-15T09:00:00.000123Z","acquireTime":"2026-11-15T09:00:00.000000Z"}}`,
	`{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"u","extra":{"scopes":["a","b"],"none":[]},"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
	`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"n"},"involvedObject":{"kind":"Pod","name":"p"},"eventTime":null,"firstTimestamp":"2026-11-15T09:00:00Z","count":3,"source":{}}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","creationTimestamp":"2026-11-15T09:00:00Z"},"spec":{"containers":[],"terminationGracePeriodSeconds":0,"securityContext":{}},"status":{"conditions":[{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-15T09:00:00Z"}]}}`,
	`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.ex.io"},"spec":{"group":"ex.io","names":{"plural":"foos","kind":"Foo"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"integer","default":1,"maximum":10.5,"enum":[1,2]}},"additionalProperties":false}}}},"subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}}}]}}`,
	`{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"c","labels":{},"annotations":null,"finalizers":[]},"spec":{"schedule":"* * * * *","suspend":null,"startingDeadlineSeconds":0,"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":0.5,"memory":"1024Mi"}},"env":[]}],"restartPolicy":"","nodeSelector":{}}}}}},"status":{"lastScheduleTime":"2026-11-15T10:00:00+01:00"}}`,
	`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":0,"nodePort":0}],"selector":null,"clusterIP":""}}`,
	`{"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"n"},"spec":{"podSelector":{},"ingress":[{}],"policyTypes":[]}}`,
	`{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"s"},"secrets":[],"automountServiceAccountToken":false}`,
}
