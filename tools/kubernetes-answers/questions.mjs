// Questions for main.go, one JSON object a line: what does Kubernetes make of these objects?
const container = { name: "c", image: "nginx" };
const podSpec = (extra = {}) => ({ containers: [container], ...extra });
const template = (extra = {}, labels = { app: "a" }) => ({ metadata: { labels }, spec: podSpec(extra) });
const selector = { matchLabels: { app: "a" } };
const meta = (name = "a") => ({ name, namespace: "default" });
const object = (apiVersion, kind, rest = {}, metadata = meta()) => ({ apiVersion, kind, metadata, ...rest });
const cluster = (apiVersion, kind, rest = {}, name = "a") => object(apiVersion, kind, rest, { name });
const pod = (spec) => object("v1", "Pod", { spec });
const withContainer = (extra) => pod({ containers: [{ ...container, ...extra }] });
const deployment = (spec = {}) =>
  object("apps/v1", "Deployment", { spec: { selector, template: template(), ...spec } });
const statefulSet = (spec = {}) =>
  object("apps/v1", "StatefulSet", { spec: { selector, template: template(), serviceName: "a", ...spec } });
const daemonSet = (spec = {}) => object("apps/v1", "DaemonSet", { spec: { selector, template: template(), ...spec } });
const replicaSet = (spec = {}) =>
  object("apps/v1", "ReplicaSet", { spec: { selector, template: template(), ...spec } });
const job = (spec = {}) =>
  object("batch/v1", "Job", { spec: { template: template({ restartPolicy: "Never" }), ...spec } });
const cronJob = (spec = {}) =>
  object("batch/v1", "CronJob", {
    spec: {
      schedule: "*/5 * * * *",
      jobTemplate: { spec: { template: template({ restartPolicy: "OnFailure" }) } },
      ...spec,
    },
  });
const service = (spec = {}) =>
  object("v1", "Service", { spec: { selector: { app: "a" }, ports: [{ port: 80 }], ...spec } });
const ingress = (spec = {}) => object("networking.k8s.io/v1", "Ingress", { spec });
const backend = { service: { name: "web", port: { number: 80 } } };
const ingressPath = (path) => ingress({ rules: [{ host: "a.example.com", http: { paths: [path] } }] });
const networkPolicy = (spec = {}) =>
  object("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {}, ...spec } });
const budget = (spec = {}) => object("policy/v1", "PodDisruptionBudget", { spec: { selector, ...spec } });
const autoscaler = (spec = {}) =>
  object("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" }, maxReplicas: 3, ...spec },
  });
const role = (rules) => object("rbac.authorization.k8s.io/v1", "Role", { rules });
const binding = (rest = {}) =>
  object("rbac.authorization.k8s.io/v1", "RoleBinding", {
    roleRef: { kind: "Role", name: "r" },
    subjects: [{ kind: "User", name: "u" }],
    ...rest,
  });
const claim = (spec = {}) =>
  object("v1", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  });
const volume = (spec = {}) =>
  cluster("v1", "PersistentVolume", {
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/data" }, ...spec },
  });
const hook = (extra = {}) => ({
  name: "a.b.example.com",
  clientConfig: { url: "https://x.example.com/h" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
  ...extra,
});
const webhooks = (kind, extra = {}) => cluster("admissionregistration.k8s.io/v1", kind, { webhooks: [hook(extra)] });
const version = (extra = {}) => ({
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object" } },
  ...extra,
});
const definition = (spec = {}, name = "webs.example.com") =>
  cluster(
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    {
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "webs", kind: "Web" },
        versions: [version()],
        ...spec,
      },
    },
    name,
  );
const event = (rest = {}) =>
  object("v1", "Event", {
    involvedObject: { kind: "Pod", name: "p", namespace: "default" },
    reason: "R",
    message: "m",
    type: "Normal",
    ...rest,
  });
const newEvent = (rest = {}) =>
  object("events.k8s.io/v1", "Event", {
    regarding: { kind: "Pod", name: "p", namespace: "default" },
    eventTime: "2026-11-15T08:00:00.100000Z",
    reportingController: "example.com/c",
    reportingInstance: "i",
    action: "Act",
    reason: "R",
    note: "n",
    type: "Normal",
    ...rest,
  });
const slice = (rest = {}) =>
  object("discovery.k8s.io/v1", "EndpointSlice", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.1.2.3"] }],
    ports: [{ port: 80 }],
    ...rest,
  });
const secret = (rest = {}) => object("v1", "Secret", rest);
const probe = (extra) => ({ httpGet: { port: 80 }, ...extra });

/** Objects that pass: what defaults do to them. */
const creates = {
  "a bare pod": pod(podSpec()),
  "a pod with everything a container can have": withContainer({
    image: "example.com:5000/a/b:v1",
    ports: [{ containerPort: 80 }, { name: "dns", containerPort: 53, protocol: "UDP" }],
    env: [
      { name: "N", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "R", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
      { name: "S", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
    ],
    livenessProbe: probe({ periodSeconds: 3 }),
    readinessProbe: { tcpSocket: { port: "dns" } },
    startupProbe: { grpc: { port: 9 } },
    lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: { exec: { command: ["true"] } } },
    resources: { limits: { cpu: 0.5, memory: "1024Mi", "example.com/gpu": 1 }, requests: { cpu: "100m" } },
  }),
  "a pod pulled by digest": withContainer({ image: `nginx@sha256:${"a".repeat(64)}` }),
  "a pod with the latest tag": withContainer({ image: "nginx:latest" }),
  "a pod with a capital in its image": withContainer({ image: "Nginx" }),
  "a guaranteed pod": withContainer({ resources: { limits: { cpu: "1", memory: "1Gi" } } }),
  "a pod with pod-level resources": pod({
    containers: [{ ...container, resources: { requests: { cpu: "100m" } } }],
    resources: { limits: { cpu: "1", memory: "1Gi" } },
  }),
  "a pod on the host network": pod({
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 80 }] }],
  }),
  "a pod with init containers and a sidecar": pod(
    podSpec({
      initContainers: [
        { name: "i", image: "busybox" },
        { name: "s", image: "busybox:1", restartPolicy: "Always" },
      ],
    }),
  ),
  "a pod with volumes": pod(
    podSpec({
      serviceAccountName: "sa",
      volumes: [
        { name: "none" },
        { name: "host", hostPath: { path: "/x" } },
        { name: "secret", secret: { secretName: "s" } },
        { name: "config", configMap: { name: "c" } },
        { name: "down", downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
        {
          name: "proj",
          projected: {
            sources: [
              { serviceAccountToken: { path: "t" } },
              {
                downwardAPI: {
                  items: [{ path: "cpu", resourceFieldRef: { containerName: "c", resource: "limits.cpu" } }],
                },
              },
            ],
          },
        },
        { name: "mem", emptyDir: { medium: "Memory", sizeLimit: "1024Ki" } },
        {
          name: "eph",
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "0.5Gi" } } },
            },
          },
        },
        { name: "iscsi", iscsi: { targetPortal: "1.2.3.4:3260", iqn: "iqn.2001-04.com.example:a", lun: 0 } },
        { name: "pvc", persistentVolumeClaim: { claimName: "x" } },
        { name: "img", image: { reference: "example.com/data" } },
      ],
    }),
  ),
  "a pod with an old service account name": pod(podSpec({ serviceAccount: "sa" })),
  "a gated pod": pod(podSpec({ schedulingGates: [{ name: "example.com/g" }] })),
  "a deployment": deployment(),
  "a deployment of zero that recreates": deployment({ replicas: 0, strategy: { type: "Recreate" } }),
  "a deployment that surges": deployment({ strategy: { rollingUpdate: { maxSurge: 2 } } }),
  "a stateful set": statefulSet({
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
      },
    ],
    template: template({ containers: [{ ...container, volumeMounts: [{ name: "data", mountPath: "/d" }] }] }),
  }),
  "a stateful set updated by hand": statefulSet({
    updateStrategy: { type: "OnDelete" },
    podManagementPolicy: "Parallel",
  }),
  "a daemon set": daemonSet(),
  "a replica set": replicaSet(),
  "a replication controller": object("v1", "ReplicationController", { spec: { template: template() } }),
  "a pod template": object("v1", "PodTemplate", { template: template() }),
  "a controller revision": object("apps/v1", "ControllerRevision", { data: { a: 1 }, revision: 2 }),
  "a job": job(),
  "a parallel job": job({ parallelism: 3, backoffLimitPerIndex: 1, completionMode: "Indexed", completions: 5 }),
  "a job with a selector of its own": job({ manualSelector: true, selector }),
  "a job with a failure policy": job({
    podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
  }),
  "a cron job": cronJob(),
  "a service": service(),
  "a headless service": service({ clusterIP: "None", clusterIPs: ["None"] }),
  "a node port service": service({ type: "NodePort", ports: [{ port: 80, targetPort: "http" }] }),
  "a load balancer service": service({ type: "LoadBalancer", sessionAffinity: "ClientIP" }),
  "an external name": service({
    type: "ExternalName",
    externalName: "x.example.com",
    ports: undefined,
    selector: undefined,
  }),
  "a config map": object("v1", "ConfigMap", { data: { a: "b" }, binaryData: { c: "AAE=" } }),
  "a secret with string data": secret({ stringData: { a: "b" }, data: { a: "eA==", z: "eA==" } }),
  "a tls secret": secret({ type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } }),
  "a namespace": cluster("v1", "Namespace"),
  "a node": cluster("v1", "Node", { status: { capacity: { cpu: 4, memory: "8192Mi" } } }),
  "a service account": object("v1", "ServiceAccount"),
  "a claim": claim(),
  "a claim from a snapshot": claim({
    dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" },
  }),
  "a volume": volume(),
  endpoints: object("v1", "Endpoints", { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }] }),
  "a limit range": object("v1", "LimitRange", {
    spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1024Ki" } }] },
  }),
  "a quota": object("v1", "ResourceQuota", { spec: { hard: { pods: 10, "requests.cpu": "0.5" } } }),
  "an event": event(),
  "an event of the new group": newEvent(),
  "an ingress": ingressPath({ path: "/", pathType: "Prefix", backend }),
  "an ingress class": cluster("networking.k8s.io/v1", "IngressClass", {
    spec: { controller: "example.com/c", parameters: { kind: "K", name: "n" } },
  }),
  "a network policy": networkPolicy({ ingress: [{ ports: [{ port: 80 }] }], egress: [{}] }),
  "a disruption budget": budget({ minAvailable: "50%" }),
  "an autoscaler": autoscaler(),
  "an autoscaler with behaviour": autoscaler({
    behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    metrics: [
      { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1000m" } } },
    ],
  }),
  "a role": role([{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }]),
  "a cluster role without rules": cluster("rbac.authorization.k8s.io/v1", "ClusterRole"),
  "a role binding": binding({
    subjects: [
      { kind: "User", name: "u" },
      { kind: "Group", name: "g" },
      { kind: "ServiceAccount", name: "s", namespace: "default" },
    ],
  }),
  "a storage class": cluster("storage.k8s.io/v1", "StorageClass", { provisioner: "example.com/p" }),
  "a csi driver": cluster("storage.k8s.io/v1", "CSIDriver", { spec: {} }, "a.example.com"),
  "a csi storage capacity": object("storage.k8s.io/v1", "CSIStorageCapacity", {
    storageClassName: "a",
    capacity: "1024Mi",
  }),
  "a volume attachment": cluster("storage.k8s.io/v1", "VolumeAttachment", {
    spec: { attacher: "a.example.com", nodeName: "n", source: { persistentVolumeName: "p" } },
  }),
  "a priority class": cluster("scheduling.k8s.io/v1", "PriorityClass", { value: 5 }),
  "an endpoint slice": slice(),
  "a lease": object("coordination.k8s.io/v1", "Lease", {
    spec: { holderIdentity: "h", renewTime: "2026-11-15T08:00:00.000000Z" },
  }),
  "a mutating webhook": webhooks("MutatingWebhookConfiguration"),
  "a validating webhook": webhooks("ValidatingWebhookConfiguration", {
    clientConfig: { service: { name: "s", namespace: "n" } },
  }),
  "a definition": definition(),
  "a runtime class": cluster("node.k8s.io/v1", "RuntimeClass", {
    handler: "h",
    overhead: { podFixed: { cpu: "0.25" } },
  }),
};

/** Objects that are refused: in which words. */
const refused = {
  "a pod without containers": pod({ containers: [] }),
  "a container without name or image": pod({ containers: [{}] }),
  "two containers of one name": pod({ containers: [container, container] }),
  "a container name with capitals": withContainer({ name: "C" }),
  "bad ports": withContainer({
    ports: [
      { containerPort: 0 },
      { containerPort: 70000 },
      { name: "a_b", containerPort: 1 },
      { name: "x", containerPort: 2 },
      { name: "x", containerPort: 3, protocol: "ICMP" },
    ],
  }),
  "bad environment": withContainer({
    env: [
      { name: "" },
      { name: "a=b" },
      { name: "x", value: "y", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "z", valueFrom: {} },
      { name: "f", valueFrom: { fieldRef: { fieldPath: "spec.x" } } },
      { name: "r", valueFrom: { resourceFieldRef: { resource: "cpu" } } },
      { name: "k", valueFrom: { configMapKeyRef: { name: "c", key: "a/b" } } },
    ],
  }),
  "a mount of no volume": withContainer({
    volumeMounts: [
      { name: "v", mountPath: "/a" },
      { name: "v", mountPath: "/a" },
    ],
  }),
  "a request above its limit": withContainer({
    resources: { requests: { cpu: "2", "example.com/x": "1" }, limits: { cpu: "1", memory: "-1", bogus: "1" } },
  }),
  "bad probes": withContainer({
    livenessProbe: { successThreshold: 2, httpGet: { port: 0, scheme: "FTP" } },
    readinessProbe: {},
    startupProbe: { exec: {}, tcpSocket: { port: 1 }, periodSeconds: -1 },
  }),
  "bad policies": pod({
    ...podSpec(),
    restartPolicy: "Sometimes",
    dnsPolicy: "Mine",
    containers: [{ ...container, imagePullPolicy: "Maybe", terminationMessagePolicy: "No" }],
  }),
  "bad volumes": pod(
    podSpec({
      volumes: [
        { name: "A" },
        { name: "b", secret: {}, configMap: { name: "c" } },
        { name: "b", hostPath: { path: "../x" } },
        { name: "d", configMap: { items: [{ key: "k", path: "/abs" }] } },
      ],
    }),
  ),
  "a token of nobody": pod(
    podSpec({ volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] }),
  ),
  "bad names in a pod": pod(
    podSpec({
      hostname: "A",
      subdomain: "b.c",
      nodeName: "N",
      serviceAccountName: "S",
      priorityClassName: "P",
      activeDeadlineSeconds: 0,
    }),
  ),
  "bad tolerations": pod(
    podSpec({
      tolerations: [
        { operator: "Equal" },
        { key: "a", operator: "Exists", value: "x" },
        { key: "b", tolerationSeconds: 1 },
        { key: "c", operator: "Like" },
        { key: "d", effect: "Never" },
      ],
    }),
  ),
  "a probe on an init container": pod(
    podSpec({
      initContainers: [
        { name: "i", image: "x", livenessProbe: probe() },
        { name: "c", image: "y" },
      ],
    }),
  ),
  "bad affinity": pod(
    podSpec({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 0, preference: { matchExpressions: [{ key: "a", operator: "In" }] } },
          ],
        },
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {}, topologyKey: "" }] },
      },
    }),
  ),
  "bad spreading": pod(
    podSpec({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Maybe" }] }),
  ),
  "a bad security context": pod({
    ...podSpec(),
    securityContext: { runAsUser: -1 },
    containers: [
      {
        ...container,
        securityContext: { runAsUser: -5, allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN"] } },
      },
    ],
  }),
  "two host ports": pod({
    containers: [
      {
        ...container,
        ports: [
          { containerPort: 1, hostPort: 8 },
          { containerPort: 2, hostPort: 8 },
        ],
      },
    ],
  }),
  "a deployment without selector": object("apps/v1", "Deployment", { spec: { template: template() } }),
  "a deployment without anything": object("apps/v1", "Deployment", { spec: {} }),
  "a deployment that selects others": deployment({ selector: { matchLabels: { app: "b" } } }),
  "a deployment with an empty selector": deployment({ selector: {} }),
  "a deployment with bad numbers": deployment({
    replicas: -1,
    minReadySeconds: 700,
    revisionHistoryLimit: -1,
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: "0%" } },
  }),
  "a deployment with a bad strategy": deployment({ strategy: { type: "Blue" } }),
  "a deployment that recreates and rolls": deployment({ strategy: { type: "Recreate", rollingUpdate: {} } }),
  "a deployment of pods that end": deployment({
    template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }),
  }),
  "a deployment with a bad percentage": deployment({
    strategy: { rollingUpdate: { maxUnavailable: "150%", maxSurge: "x" } },
  }),
  "a stateful set with bad policies": statefulSet({
    podManagementPolicy: "X",
    updateStrategy: { type: "Y" },
    serviceName: "A",
  }),
  "a stateful set named like a host": object(
    "apps/v1",
    "StatefulSet",
    { spec: { selector, template: template(), serviceName: "a" } },
    meta("a.b"),
  ),
  "a daemon set that surges and drops": daemonSet({ updateStrategy: { rollingUpdate: { maxSurge: 1 } } }),
  "a daemon set that does neither": daemonSet({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
  "a replica set that selects others": replicaSet({ selector: { matchLabels: { app: "b" } } }),
  "a replication controller without template": object("v1", "ReplicationController", { spec: {} }),
  "a controller revision without data": object("apps/v1", "ControllerRevision", { revision: -1 }),
  "a job that restarts always": job({ template: template() }),
  "a job with a selector nobody asked for": job({ selector }),
  "a job with bad numbers": job({ parallelism: -1, completions: -2, backoffLimit: -3, ttlSecondsAfterFinished: -4 }),
  "an indexed job without completions": job({ completionMode: "Indexed", parallelism: 1 }),
  "a plain job with index limits": job({ backoffLimitPerIndex: 1 }),
  "a cron job with a bad schedule": cronJob({ schedule: "61 * * * *" }),
  "a cron job with four fields": cronJob({ schedule: "* * * *" }),
  "a cron job with words": cronJob({ schedule: "a b c d e" }),
  "a cron job with a zone in its schedule": cronJob({ schedule: "TZ=UTC 0 0 * * *" }),
  "a cron job in no zone": cronJob({ timeZone: "Mars/Base" }),
  "a cron job with a bad policy": cronJob({ concurrencyPolicy: "Some", startingDeadlineSeconds: -1 }),
  "a cron job with a long name": object(
    "batch/v1",
    "CronJob",
    cronJob().spec === undefined ? {} : { spec: cronJob().spec },
    meta("a".repeat(53)),
  ),
  "a service without ports": service({ ports: [] }),
  "a service with nameless ports": service({ ports: [{ port: 1 }, { port: 2 }] }),
  "a service with bad ports": service({
    ports: [
      { name: "A", port: 0, targetPort: "a_b" },
      { name: "b", port: 80, protocol: "X" },
    ],
  }),
  "a service with a port twice": service({
    ports: [
      { name: "a", port: 80 },
      { name: "b", port: 80 },
    ],
  }),
  "a cluster service with a node port": service({ ports: [{ port: 80, nodePort: 30000 }] }),
  "a service with a bad type": service({ type: "Magic", sessionAffinity: "Cookie" }),
  "a service with a bad address": service({ clusterIP: "10.0.0.300", clusterIPs: ["10.0.0.300"] }),
  "a headless node port service": service({ type: "NodePort", clusterIP: "None", clusterIPs: ["None"] }),
  "an external name without name": service({ type: "ExternalName" }),
  "source ranges without balancer": service({ loadBalancerSourceRanges: ["10.0.0.0/8", "x"] }),
  "a config map with bad keys": object("v1", "ConfigMap", {
    data: { "a/b": "", "..": "", c: "" },
    binaryData: { c: "" },
  }),
  "a config map with a bad label": object(
    "v1",
    "ConfigMap",
    {},
    { ...meta(), labels: { "a b": "c d" }, annotations: { "x y": "" } },
  ),
  "a secret with bad keys": secret({ data: { "a/b": "" } }),
  "a tls secret without key": secret({ type: "kubernetes.io/tls", data: { "tls.crt": "" } }),
  "a token secret of nobody": secret({ type: "kubernetes.io/service-account-token" }),
  "a basic auth secret without either": secret({ type: "kubernetes.io/basic-auth" }),
  "a docker secret without config": secret({ type: "kubernetes.io/dockerconfigjson" }),
  "a claim without anything": object("v1", "PersistentVolumeClaim", { spec: {} }),
  "a claim with bad modes": claim({
    accessModes: ["ReadWriteOncePod", "ReadWriteOnce", "X"],
    volumeMode: "Tape",
    resources: { requests: { storage: "0" } },
  }),
  "a volume without anything": cluster("v1", "PersistentVolume", { spec: {} }),
  "a volume in two places": volume({ nfs: { server: "s", path: "p" }, persistentVolumeReclaimPolicy: "Keep" }),
  "endpoints without addresses": object("v1", "Endpoints", { subsets: [{ ports: [{ port: 0 }] }] }),
  "endpoints on the loopback": object("v1", "Endpoints", {
    subsets: [{ addresses: [{ ip: "127.0.0.1" }, { ip: "x" }] }],
  }),
  "a limit range upside down": object("v1", "LimitRange", {
    spec: { limits: [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }] },
  }),
  "a quota with a fraction of a pod": object("v1", "ResourceQuota", {
    spec: { hard: { pods: "1.5", "requests.cpu": "-1" } },
  }),
  "an ingress without rules": ingress({}),
  "an ingress path without type": ingressPath({ path: "/", backend }),
  "bad ingress paths": ingress({
    rules: [
      {
        host: "1.2.3.4",
        http: {
          paths: [
            { path: "a", pathType: "Prefix", backend: {} },
            { path: "/a//b", pathType: "Exact", backend: { service: { name: "S", port: {} } } },
            { path: "/", pathType: "Glob", backend: { service: { port: { name: "x", number: 1 } } } },
          ],
        },
      },
      { host: "*.*.x" },
    ],
    tls: [{ hosts: ["A"], secretName: "B" }],
  }),
  "an ingress class without controller": cluster("networking.k8s.io/v1", "IngressClass", { spec: { controller: "x" } }),
  "a bad network policy": networkPolicy({
    policyTypes: ["Sideways"],
    ingress: [
      {
        from: [{}, { ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16", "x"] }, podSelector: {} }],
        ports: [{ port: 0 }, { endPort: 5 }, { port: 10, endPort: 5 }, { port: "A_" }],
      },
    ],
  }),
  "a budget with both bounds": budget({ minAvailable: 1, maxUnavailable: "101%" }),
  "a budget with words": budget({ minAvailable: "x" }),
  "an autoscaler upside down": autoscaler({ minReplicas: 5 }),
  "an autoscaler without bounds or target": object("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { scaleTargetRef: {}, minReplicas: 0 },
  }),
  "an autoscaler with bad metrics": autoscaler({
    metrics: [
      { type: "Resource" },
      { type: "Pods", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } } },
    ],
  }),
  "an autoscaler with bad behaviour": autoscaler({
    behavior: { scaleUp: { selectPolicy: "X", policies: [{ type: "Y", value: 0, periodSeconds: 9999 }] } },
  }),
  "a role without verbs": role([
    { apiGroups: [""], resources: ["pods"] },
    { nonResourceURLs: ["/x"], verbs: ["get"] },
    { verbs: ["get"] },
  ]),
  "a binding of strangers": binding({
    roleRef: { kind: "User", name: "" },
    subjects: [{ kind: "Robot", name: "r" }, { kind: "ServiceAccount", name: "A", apiGroup: "x" }, { kind: "User" }],
  }),
  "a cluster binding to a role": cluster("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", {
    roleRef: { kind: "Role", name: "r" },
    subjects: [{ kind: "ServiceAccount", name: "s" }],
  }),
  "a storage class without provisioner": cluster("storage.k8s.io/v1", "StorageClass", { reclaimPolicy: "Recycle" }),
  "a priority too high": cluster("scheduling.k8s.io/v1", "PriorityClass", { value: 1000000001, preemptionPolicy: "X" }),
  "a priority of the system": cluster("scheduling.k8s.io/v1", "PriorityClass", { value: 1 }, "system-x"),
  "a slice with bad addresses": slice({
    endpoints: [{ addresses: [] }, { addresses: ["::1", "x", "127.0.0.1"] }],
    ports: [{ name: "A" }, { name: "b", protocol: "X" }],
  }),
  "a slice without type": slice({ addressType: undefined }),
  "a bad lease": object("coordination.k8s.io/v1", "Lease", { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
  "a bad webhook": webhooks("MutatingWebhookConfiguration", {
    name: "x",
    sideEffects: "Some",
    timeoutSeconds: 60,
    failurePolicy: "X",
    clientConfig: { url: "http://u@h/p?q#f" },
    admissionReviewVersions: ["v9"],
    rules: [{ operations: ["*", "CREATE"], apiGroups: [], apiVersions: [""], resources: ["*", "pods"], scope: "X" }],
  }),
  "a webhook without client": webhooks("ValidatingWebhookConfiguration", {
    clientConfig: {},
    sideEffects: undefined,
    admissionReviewVersions: [],
  }),
  "a definition with another name": definition({}, "a.b"),
  "a definition without schema or storage": definition({
    versions: [version({ storage: false, schema: undefined }), version({ storage: false, name: "V2" })],
  }),
  "a definition with bad names": definition(
    { group: "x", scope: "World", names: { plural: "Webs", kind: "web_" } },
    "Webs.x",
  ),
  "an event in another namespace": event({ involvedObject: { kind: "Pod", name: "p", namespace: "other" } }),
  "an event of the new group without anything": object("events.k8s.io/v1", "Event", {
    regarding: { kind: "Pod", name: "p", namespace: "default" },
  }),
  "a runtime class without handler": cluster("node.k8s.io/v1", "RuntimeClass", {}),
  "a node with bad taints": cluster("v1", "Node", {
    spec: {
      taints: [
        { key: "a", effect: "X" },
        { key: "b", effect: "NoSchedule" },
        { key: "b", effect: "NoSchedule", value: "x" },
      ],
    },
  }),
};

/** Changes: the object that was, the object that is wanted. */
const stored = (value) => ({
  ...value,
  metadata: { ...value.metadata, resourceVersion: "1", uid: "u", creationTimestamp: "2026-11-15T08:00:00Z" },
});
const updates = {
  "another image for a pod": [pod(podSpec()), withContainer({ image: "nginx:2" })],
  "another command for a pod": [pod(podSpec()), withContainer({ command: ["x"] })],
  "one container more": [pod(podSpec()), pod({ containers: [container, { name: "d", image: "x" }] })],
  "a toleration more": [
    pod(podSpec({ tolerations: [{ key: "a", operator: "Exists" }] })),
    pod(
      podSpec({
        tolerations: [
          { key: "a", operator: "Exists" },
          { key: "b", operator: "Exists" },
        ],
      }),
    ),
  ],
  "a toleration less": [pod(podSpec({ tolerations: [{ key: "a", operator: "Exists" }] })), pod(podSpec())],
  "a longer deadline": [pod(podSpec({ activeDeadlineSeconds: 5 })), pod(podSpec({ activeDeadlineSeconds: 6 }))],
  "another selector for a deployment": [
    deployment(),
    deployment({ selector: { matchLabels: { app: "b" } }, template: template({}, { app: "b" }) }),
  ],
  "more replicas": [deployment(), deployment({ replicas: 5 })],
  "another service name for a stateful set": [statefulSet(), statefulSet({ serviceName: "b" })],
  "another template for a job": [
    job({ manualSelector: true, selector }),
    job({ manualSelector: true, selector, template: template({ restartPolicy: "OnFailure" }) }),
  ],
  "more parallel pods for a job": [
    job({ manualSelector: true, selector }),
    job({ manualSelector: true, selector, parallelism: 4 }),
  ],
  "more completions for a job": [
    job({ manualSelector: true, selector }),
    job({ manualSelector: true, selector, completions: 4 }),
  ],
  "another address for a service": [
    service({ clusterIP: "10.96.0.5", clusterIPs: ["10.96.0.5"] }),
    service({ clusterIP: "10.96.0.6", clusterIPs: ["10.96.0.6"] }),
  ],
  "a change of an immutable config map": [
    object("v1", "ConfigMap", { immutable: true, data: { a: "b" } }),
    object("v1", "ConfigMap", { data: { a: "c" } }),
  ],
  "another type for a secret": [secret({}), secret({ type: "example.com/x" })],
  "another class for a claim": [claim({ storageClassName: "a" }), claim({ storageClassName: "b" })],
  "a smaller claim": [claim(), claim({ resources: { requests: { storage: "1Mi" } } })],
  "another source for a volume": [volume(), volume({ hostPath: { path: "/other" } })],
  "another role for a binding": [binding(), binding({ roleRef: { kind: "Role", name: "s" } })],
  "another provisioner": [
    cluster("storage.k8s.io/v1", "StorageClass", { provisioner: "a.b/c" }),
    cluster("storage.k8s.io/v1", "StorageClass", { provisioner: "a.b/d" }),
  ],
  "another priority": [
    cluster("scheduling.k8s.io/v1", "PriorityClass", { value: 5 }),
    cluster("scheduling.k8s.io/v1", "PriorityClass", { value: 6 }),
  ],
  "another address type": [slice(), slice({ addressType: "IPv6", endpoints: [{ addresses: ["2001:db8::1"] }] })],
  "another controller for an ingress class": [
    cluster("networking.k8s.io/v1", "IngressClass", { spec: { controller: "a.b/c" } }),
    cluster("networking.k8s.io/v1", "IngressClass", { spec: { controller: "a.b/d" } }),
  ],
  "another handler": [
    cluster("node.k8s.io/v1", "RuntimeClass", { handler: "h" }),
    cluster("node.k8s.io/v1", "RuntimeClass", { handler: "i" }),
  ],
};

/** Rows: made of times that leave the ages free of the moment of asking. */
const old = "2000-01-01T00:00:00Z";
const row = (value) => ({ ...value, metadata: { ...value.metadata, uid: "u", creationTimestamp: old } });
const status = (value, state) => row({ ...value, status: state });
const deleted = (value) => ({ ...value, metadata: { ...value.metadata, deletionTimestamp: old } });
const ran = (extra) => ({
  name: "c",
  image: "nginx",
  imageID: "",
  ready: false,
  restartCount: 0,
  lastState: {},
  state: {},
  ...extra,
});
const running = { running: { startedAt: old } };
const ended = (extra) => ({ terminated: { exitCode: 0, finishedAt: old, startedAt: old, ...extra } });
const podStatus = (containers, extra = {}) =>
  status(pod(podSpec()), { phase: "Running", containerStatuses: containers, ...extra });
const twoContainers = pod({ containers: [container, { name: "d", image: "e" }] });
const initPod = pod(
  podSpec({
    initContainers: [
      { name: "i", image: "x" },
      { name: "s", image: "y", restartPolicy: "Always" },
    ],
  }),
);
const tables = {
  "a pending pod": status(pod(podSpec()), { phase: "Pending" }),
  "a running pod": podStatus([ran({ ready: true, state: running })], {
    podIPs: [{ ip: "10.1.2.3" }],
    podIP: "10.1.2.3",
  }),
  "a pod that crashes": podStatus([
    ran({ restartCount: 4, state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended({ exitCode: 1 }) }),
  ]),
  "a pod that was killed": podStatus([ran({ state: ended({ exitCode: 137, signal: 9 }) })]),
  "a pod that failed without a reason": podStatus([ran({ state: ended({ exitCode: 2 }) })]),
  "a pod that is done": status(pod(podSpec()), {
    phase: "Succeeded",
    containerStatuses: [ran({ state: ended({ reason: "Completed" }) })],
  }),
  "a pod half done": status(twoContainers, {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [
      ran({ state: ended({ reason: "Completed" }) }),
      ran({ name: "d", ready: true, state: running }),
    ],
  }),
  "a pod half done and not ready": status(twoContainers, {
    phase: "Running",
    containerStatuses: [
      ran({ state: ended({ reason: "Completed" }) }),
      ran({ name: "d", ready: true, state: running }),
    ],
  }),
  "a pod half done, half failed": status(twoContainers, {
    phase: "Running",
    containerStatuses: [
      ran({ state: ended({ reason: "Completed" }) }),
      ran({ name: "d", state: ended({ reason: "Error", exitCode: 1 }) }),
    ],
  }),
  "a pod that starts": status(initPod, {
    phase: "Pending",
    initContainerStatuses: [ran({ name: "i", state: running })],
  }),
  "a pod whose start failed": status(initPod, {
    phase: "Pending",
    initContainerStatuses: [
      ran({ name: "i", restartCount: 2, state: ended({ exitCode: 1 }), lastState: ended({ exitCode: 1 }) }),
    ],
  }),
  "a pod whose start crashes": status(initPod, {
    phase: "Pending",
    initContainerStatuses: [ran({ name: "i", state: { waiting: { reason: "CrashLoopBackOff" } } })],
  }),
  "a pod with a sidecar": status(initPod, {
    phase: "Running",
    conditions: [{ type: "Initialized", status: "True" }],
    initContainerStatuses: [
      ran({ name: "i", state: ended() }),
      ran({ name: "s", started: true, ready: true, restartCount: 3, state: running }),
    ],
    containerStatuses: [ran({ ready: true, restartCount: 1, state: running })],
  }),
  "a pod that goes": deleted(podStatus([ran({ ready: true, state: running })])),
  "a pod that goes and is done": deleted(status(pod(podSpec()), { phase: "Failed", reason: "Evicted" })),
  "a pod on a lost node": deleted(status(pod(podSpec()), { phase: "Running", reason: "NodeLost" })),
  "a gated pod": status(pod(podSpec()), {
    phase: "Pending",
    conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
  }),
  "a pod with gates and a node": status(
    pod(podSpec({ nodeName: "n", readinessGates: [{ conditionType: "a.b/c" }, { conditionType: "d.e/f" }] })),
    { phase: "Running", nominatedNodeName: "m", conditions: [{ type: "a.b/c", status: "True" }] },
  ),
  "a deployment": status(deployment({ replicas: 3 }), {
    readyReplicas: 2,
    updatedReplicas: 3,
    availableReplicas: 2,
    replicas: 3,
  }),
  "a stateful set": status(statefulSet({ replicas: 2 }), { readyReplicas: 1, replicas: 2 }),
  "a daemon set": status(daemonSet(), {
    desiredNumberScheduled: 3,
    currentNumberScheduled: 2,
    numberReady: 1,
    updatedNumberScheduled: 2,
    numberAvailable: 1,
  }),
  "a replica set": status(replicaSet({ replicas: 2 }), { replicas: 2, readyReplicas: 1 }),
  "a replication controller": status(object("v1", "ReplicationController", { spec: { template: template() } }), {
    replicas: 1,
  }),
  "a pod template": row(object("v1", "PodTemplate", { template: template() })),
  "a controller revision": {
    ...row(object("apps/v1", "ControllerRevision", { data: {}, revision: 2 })),
    metadata: {
      ...meta(),
      creationTimestamp: old,
      ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "d", uid: "u", controller: true }],
    },
  },
  "a running job": status(job({ completions: 3, manualSelector: true, selector }), { succeeded: 1, startTime: old }),
  "a complete job": status(job(), {
    succeeded: 1,
    startTime: old,
    completionTime: "2000-01-01T00:05:32Z",
    conditions: [{ type: "Complete", status: "True" }],
  }),
  "a work queue job": status(job({ parallelism: 4 }), { conditions: [{ type: "Suspended", status: "True" }] }),
  "a failed job": deleted(status(job(), { conditions: [{ type: "Failed", status: "True" }] })),
  "a job that goes": deleted(status(job(), {})),
  "a cron job": status(cronJob({ timeZone: "Etc/UTC", suspend: true }), {
    lastScheduleTime: old,
    active: [{ name: "x" }],
  }),
  "a cron job that never ran": row(cronJob()),
  "a service": row(service({ clusterIP: "10.96.0.1", clusterIPs: ["10.96.0.1"], externalIPs: ["1.2.3.4"] })),
  "a service without selector": row(
    service({ clusterIP: "None", clusterIPs: ["None"], ports: [], selector: undefined }),
  ),
  "a node port service": row(
    service({
      type: "NodePort",
      ports: [
        { name: "a", port: 80, nodePort: 30080 },
        { name: "b", port: 53, protocol: "UDP" },
      ],
    }),
  ),
  "a waiting balancer": row(service({ type: "LoadBalancer" })),
  "a balancer": status(service({ type: "LoadBalancer", externalIPs: ["9.9.9.9"] }), {
    loadBalancer: { ingress: [{ ip: "5.6.7.8" }, { hostname: "h.example.com" }, { ip: "1.1.1.1" }] },
  }),
  "an external name": row(service({ type: "ExternalName", externalName: "x.example.com", ports: undefined })),
  "an ingress": status(
    ingress({
      ingressClassName: "nginx",
      rules: ["a", "b", "c", "d", "e"].map((host) => ({ host: `${host}.example.com` })),
      tls: [{}],
    }),
    { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
  ),
  "an ingress for all hosts": row(ingress({ defaultBackend: backend })),
  "the default ingress class": {
    ...row(
      cluster("networking.k8s.io/v1", "IngressClass", {
        spec: { controller: "a.b/c", parameters: { apiGroup: "x.y", kind: "K", name: "n" } },
      }),
    ),
    metadata: {
      name: "a",
      creationTimestamp: old,
      annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
    },
  },
  "a network policy": row(
    networkPolicy({
      podSelector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "In", values: ["e", "d"] }] },
    }),
  ),
  "a network policy for all": row(networkPolicy()),
  endpoints: row(
    object("v1", "Endpoints", {
      subsets: [
        { addresses: [{ ip: "10.1.1.1" }, { ip: "10.1.1.2" }], ports: [{ port: 80 }, { name: "b", port: 81 }] },
      ],
    }),
  ),
  "endpoints of nobody": row(object("v1", "Endpoints")),
  "an endpoint slice": row(
    slice({
      endpoints: [
        { addresses: ["10.1.1.1"] },
        { addresses: ["10.1.1.2"] },
        { addresses: ["10.1.1.3"] },
        { addresses: ["10.1.1.4"] },
      ],
    }),
  ),
  "an empty endpoint slice": row(slice({ endpoints: [], ports: [] })),
  "a node": {
    ...cluster("v1", "Node", {
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
        nodeInfo: {
          kubeletVersion: "v1.36.0",
          osImage: "Linux",
          kernelVersion: "6.1",
          containerRuntimeVersion: "containerd://2",
          architecture: "amd64",
        },
      },
    }),
    metadata: {
      name: "n",
      creationTimestamp: old,
      labels: {
        "node-role.kubernetes.io/worker": "",
        "node-role.kubernetes.io/control-plane": "",
        "kubernetes.io/role": "x",
      },
    },
  },
  "an unknown node": row(cluster("v1", "Node", {})),
  "a node that is not ready": status(cluster("v1", "Node", {}), { conditions: [{ type: "Ready", status: "Unknown" }] }),
  "a namespace": status(cluster("v1", "Namespace"), { phase: "Terminating" }),
  "a config map": row(object("v1", "ConfigMap", { data: { a: "", b: "" }, binaryData: { c: "" } })),
  "a secret": row(secret({ data: { a: "" } })),
  "a service account": row(object("v1", "ServiceAccount")),
  "a bound claim": status(claim({ volumeName: "pv", storageClassName: "fast" }), {
    phase: "Bound",
    accessModes: ["ReadWriteMany", "ReadWriteOnce"],
    capacity: { storage: "2Gi" },
  }),
  "a pending claim": row(claim()),
  "a volume": status(volume({ claimRef: { namespace: "ns", name: "c" }, storageClassName: "fast" }), {
    phase: "Bound",
    reason: "r",
  }),
  "a volume that goes": deleted(row(volume())),
  "a quota": status(object("v1", "ResourceQuota"), {
    hard: { "limits.cpu": "2", pods: "10", "requests.cpu": "1" },
    used: { "limits.cpu": "1", pods: "3" },
  }),
  "an old event": row(
    event({
      count: 3,
      firstTimestamp: old,
      lastTimestamp: old,
      source: { component: "kubelet", host: "n" },
      involvedObject: { kind: "Pod", name: "p", namespace: "default", fieldPath: "spec.containers{c}" },
      message: " m \n",
    }),
  ),
  "an event of a series": row(
    event({
      eventTime: "2000-01-01T00:00:00.000000Z",
      series: { count: 5, lastObservedTime: "2000-01-01T00:00:00.000000Z" },
      reportingComponent: "c",
      reportingInstance: "i",
      involvedObject: { kind: "Node" },
    }),
  ),
  "an event of the new group": row(newEvent({ eventTime: "2000-01-01T00:00:00.000000Z" })),
  "a disruption budget": status(budget({ minAvailable: "50%" }), {
    disruptionsAllowed: 2,
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
  }),
  "an autoscaler": status(autoscaler(), {
    currentReplicas: 2,
    desiredReplicas: 2,
    currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 40 } } }],
  }),
  "an autoscaler of many things": row(
    autoscaler({
      metrics: [
        { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "5" } } },
        {
          type: "Object",
          object: {
            metric: { name: "m" },
            describedObject: { kind: "K", name: "n" },
            target: { type: "Value", value: "7" },
          },
        },
        { type: "External", external: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "9" } } },
      ],
    }),
  ),
  "a role binding": row(
    binding({
      subjects: [
        { kind: "User", name: "u" },
        { kind: "User", name: "v" },
        { kind: "Group", name: "g" },
        { kind: "ServiceAccount", name: "s", namespace: "n" },
      ],
    }),
  ),
  "the default storage class": {
    ...row(cluster("storage.k8s.io/v1", "StorageClass", { provisioner: "a.b/c", allowVolumeExpansion: true })),
    metadata: {
      name: "a",
      creationTimestamp: old,
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
  },
  "a csi driver": row(
    cluster("storage.k8s.io/v1", "CSIDriver", {
      spec: {
        tokenRequests: [{ audience: "a" }, { audience: "b" }],
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    }),
  ),
  "a csi node": row(cluster("storage.k8s.io/v1", "CSINode", { spec: { drivers: [{ name: "d", nodeID: "n" }] } })),
  "a volume attachment": status(
    cluster("storage.k8s.io/v1", "VolumeAttachment", {
      spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } },
    }),
    { attached: true },
  ),
  "a volume attributes class": row(cluster("storage.k8s.io/v1", "VolumeAttributesClass", { driverName: "d" })),
  "a priority class": row(cluster("scheduling.k8s.io/v1", "PriorityClass", { value: 5, globalDefault: true })),
  "a lease": row(object("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "h" } })),
  "a webhook configuration": row(webhooks("MutatingWebhookConfiguration")),
  "a runtime class": row(cluster("node.k8s.io/v1", "RuntimeClass", { handler: "h" })),
  "an admission policy": row(
    cluster("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", {
      spec: { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "true" }] },
    }),
  ),
  "an admission policy binding": row(
    cluster("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", {
      spec: { policyName: "p", paramRef: { name: "c" } },
    }),
  ),
  "a service network": row(
    cluster("networking.k8s.io/v1", "ServiceCIDR", { spec: { cidrs: ["10.96.0.0/12", "fd00::/108"] } }),
  ),
};

const ask = (question) => process.stdout.write(`${JSON.stringify(question)}\n`);
for (const [name, value] of Object.entries({ ...creates, ...refused })) ask({ op: "create", name, object: value });
for (const [name, [before, after]] of Object.entries(updates))
  ask({ op: "update", name, old: stored(before), object: stored(after) });
for (const [name, value] of Object.entries(tables)) ask({ op: "table", name, object: value });
