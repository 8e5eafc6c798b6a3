import type { JsonObject } from "#base/json.ts";

/** A Deployment as a fleet stores them: 2 KiB of JSON, of which little is the same in the next one. */
export function sampleDeployment(name: string, revision: number): JsonObject {
  const labels = { "app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "shop", team: "storefront" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name,
      namespace: "shop",
      uid: `6f1d3c1e-0b5a-4c58-9d7e-${String(revision).padStart(12, "0")}`,
      resourceVersion: String(revision),
      generation: 3,
      creationTimestamp: "2025-03-04T10:11:12Z",
      labels,
      annotations: { "deployment.kubernetes.io/revision": "3", "example.io/owner": `storefront-${name}@example.io` },
      managedFields: [
        {
          manager: "kubectl-client-side-apply",
          operation: "Update",
          apiVersion: "apps/v1",
          time: "2025-03-04T10:11:12Z",
        },
        { manager: "kube-controller-manager", operation: "Update", apiVersion: "apps/v1", subresource: "status" },
      ],
    },
    spec: {
      replicas: 4,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: { "app.kubernetes.io/name": name } },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
      template: { metadata: { labels }, spec: podSpec(name) },
    },
    status: {
      observedGeneration: 3,
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      conditions: [
        condition("Available", "MinimumReplicasAvailable", "Deployment has minimum availability."),
        condition(
          "Progressing",
          "NewReplicaSetAvailable",
          `ReplicaSet "${name}-5d9c7b6f4" has successfully progressed.`,
        ),
      ],
    },
  };
}

function podSpec(name: string): JsonObject {
  return {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    serviceAccountName: name,
    containers: [
      {
        name: "web",
        image: `registry.example.io/shop/${name}:v1.27.3`,
        imagePullPolicy: "IfNotPresent",
        ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
        env: [
          { name: "LOG_LEVEL", value: "info" },
          { name: "DATABASE_URL", value: `postgres://db.shop.svc:5432/${name}` },
        ],
        resources: { requests: { cpu: "250m", memory: "256Mi" }, limits: { cpu: "1", memory: "512Mi" } },
        readinessProbe: {
          httpGet: { path: "/ready", port: "http", scheme: "HTTP" },
          periodSeconds: 5,
          timeoutSeconds: 1,
        },
      },
    ],
  };
}

function condition(type: string, reason: string, message: string): JsonObject {
  const lastUpdateTime = "2025-03-04T10:12:13Z";
  return { type, status: "True", reason, message, lastUpdateTime, lastTransitionTime: lastUpdateTime };
}
