import { imageOf } from "./images.ts";
import { addresses } from "./places.ts";

const restricted = `
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            runAsNonRoot: true
            capabilities: {drop: [ALL]}
            seccompProfile: {type: RuntimeDefault}`;

/** Answers the cluster's DNS: CoreDNS with the plugins that the names of Services need. */
export function dnsManifest(): string {
  return `
apiVersion: v1
kind: ServiceAccount
metadata: {name: coredns, namespace: kube-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: coredns}
rules:
  - {apiGroups: [""], resources: [endpoints, services, pods, namespaces], verbs: [list, watch]}
  - {apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [list, watch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: coredns}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: coredns}
subjects: [{kind: ServiceAccount, name: coredns, namespace: kube-system}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: coredns, namespace: kube-system}
data:
  Corefile: |
    .:5353 {
      errors
      ready :8181
      kubernetes cluster.local in-addr.arpa
      cache 5
    }
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: coredns, namespace: kube-system}
spec:
  selector: {matchLabels: {app: coredns}}
  template:
    metadata: {labels: {app: coredns}}
    spec:
      serviceAccountName: coredns
      containers:
        - name: coredns
          image: ${imageOf("coredns")}
          args: [-conf, /etc/coredns/Corefile]
          readinessProbe: {httpGet: {port: 8181, path: /ready}, periodSeconds: 1}
          volumeMounts: [{name: config, mountPath: /etc/coredns}]${restricted}
      volumes: [{name: config, configMap: {name: coredns}}]
---
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system}
spec:
  clusterIP: ${addresses.dns}
  selector: {app: coredns}
  ports:
    - {name: dns, port: 53, protocol: UDP, targetPort: 5353}
    - {name: dns-tcp, port: 53, protocol: TCP, targetPort: 5353}
`;
}

/** Answers the ingress of Knative: Traefik, whose two Services stand for a load balancer and for what cluster-local hosts go through. */
export function ingressManifest(): string {
  return `
apiVersion: v1
kind: Namespace
metadata: {name: traefik}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: traefik, namespace: traefik}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: traefik}
rules:
  - {apiGroups: [""], resources: [services, secrets, nodes, pods, endpoints, namespaces], verbs: [get, list, watch]}
  - {apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [list, watch]}
  - {apiGroups: [networking.internal.knative.dev], resources: [ingresses, serverlessservices], verbs: [get, list, watch]}
  - {apiGroups: [networking.internal.knative.dev], resources: [ingresses/status], verbs: [update, patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: traefik}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: traefik}
subjects: [{kind: ServiceAccount, name: traefik, namespace: traefik}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: traefik, namespace: traefik}
spec:
  selector: {matchLabels: {app: traefik}}
  template:
    metadata: {labels: {app: traefik}}
    spec:
      serviceAccountName: traefik
      containers:
        - name: traefik
          image: ${imageOf("traefik")}
          args:
            - --global.checknewversion=false
            - --global.sendanonymoususage=false
            - --log.level=INFO
            - --ping=true
            - --entrypoints.traefik.address=:9000
            - --entrypoints.web.address=:8000
            - --entrypoints.internal.address=:8081
            - --experimental.knative=true
            - --providers.knative=true
            - --providers.knative.publicentrypoints=web
            - --providers.knative.privateentrypoints=internal
            - --providers.knative.publicservice.name=traefik
            - --providers.knative.publicservice.namespace=traefik
            - --providers.knative.privateservice.name=traefik-internal
            - --providers.knative.privateservice.namespace=traefik
          readinessProbe: {httpGet: {port: 9000, path: /ping}, periodSeconds: 1}${restricted}
---
apiVersion: v1
kind: Service
metadata: {name: traefik, namespace: traefik}
spec:
  type: LoadBalancer
  allocateLoadBalancerNodePorts: false
  clusterIP: ${addresses.ingress}
  selector: {app: traefik}
  ports: [{name: http, port: 80, targetPort: 8000}]
---
apiVersion: v1
kind: Service
metadata: {name: traefik-internal, namespace: traefik}
spec:
  clusterIP: ${addresses.localIngress}
  selector: {app: traefik}
  ports: [{name: http, port: 80, targetPort: 8081}]
`;
}
