{{/* What the containers of a pod have in common: image, rights, environment, folders. Takes { root, role }. */}}
{{- define "weft.container" -}}
{{- $root := .root -}}
{{- $own := index $root.Values .role -}}
{{- with $root.Values.image -}}
image: {{ printf "%s:%s" .repository (default $root.Chart.AppVersion .tag) | quote }}
imagePullPolicy: {{ .pullPolicy }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - configMapRef: { name: {{ include "weft.fullname" $root }} }
  - secretRef: { name: {{ include "weft.secret" $root }} }
  {{- with $root.Values.extraEnvFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
env:
  - { name: ROLE, value: {{ .role }} }
  - { name: HOST, value: 0.0.0.0 }
  - { name: PORT, value: '8080' }
  - { name: PROBE_PORT, value: '9090' }
  - { name: DATA_DIR, value: /data }
  {{- /* Named, so that a pod without them does not start. The service would make keys, and a database, of its own. */}}
  {{- $needed := list "JWT_SECRET" "ENCRYPTION_KEY" "MFA_SECRET_KEY" }}
  {{- if not $root.Values.settings.DATABASE_URL }}{{ $needed = append $needed "DATABASE_URL" }}{{ end }}
  {{- range $needed }}
  - name: {{ . }}
    valueFrom: { secretKeyRef: { name: {{ include "weft.secret" $root }}, key: {{ . }} } }
  {{- end }}
  {{- range $name, $value := $own.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- with $root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  - { name: data, mountPath: /data }
  {{- if $root.Values.files.persistence.enabled }}
  - { name: files, mountPath: /data/files }
  {{- end }}
  - { name: tmp, mountPath: /tmp }
  {{- with $root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources:
  {{- toYaml $own.resources | nindent 2 }}
{{- end }}

{{/* The template of the pods of a role. Takes { root, role }. */}}
{{- define "weft.pod" -}}
{{- $root := .root -}}
{{- $own := index $root.Values .role -}}
metadata:
  annotations:
    checksum/settings: {{ include "weft.settings" $root | sha256sum }}
    checksum/secrets: {{ toJson $root.Values.secrets | sha256sum }}
    {{- with $own.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  labels:
    {{- include "weft.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    {{- with $own.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "weft.serviceAccount" $root }}
  automountServiceAccountToken: false
  # Variables that Kubernetes derives from the names of Services are no settings of this one.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  initContainers:
    # The service migrates when it starts, too. Here a migration may take as long as it needs: no probe ends it. Pods that start together wait
    # for each other.
    - name: migrate
      command: [node, dist/migrate.mjs]
      {{- include "weft.container" . | nindent 6 }}
  containers:
    - name: weft
      {{- include "weft.container" . | nindent 6 }}
      ports:
        {{- if eq .role "web" }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: probes, containerPort: 9090 }
      startupProbe:
        httpGet: { path: /healthz, port: probes }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 75
      livenessProbe:
        httpGet: { path: /healthz, port: probes }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: probes }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 2
  volumes:
    - name: data
      emptyDir: { sizeLimit: {{ $root.Values.files.temporarySize }} }
    {{- if $root.Values.files.persistence.enabled }}
    - name: files
      persistentVolumeClaim: { claimName: {{ include "weft.claim" $root }} }
    {{- end }}
    - name: tmp
      emptyDir: {}
    {{- with $root.Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $own.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
{{- end }}
