{{- define "weft.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "weft.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "weft.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "weft.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "weft.selector" -}}
app.kubernetes.io/name: {{ include "weft.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "weft.labels" -}}
{{ include "weft.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "weft.serviceAccount" -}}
{{- default (include "weft.fullname" .) .Values.serviceAccount.name }}
{{- end }}

{{- define "weft.secret" -}}
{{- default (include "weft.fullname" .) .Values.secrets.existingSecret }}
{{- end }}

{{- define "weft.claim" -}}
{{- default (printf "%s-files" (include "weft.fullname" .)) .Values.files.persistence.existingClaim }}
{{- end }}

{{/* The settings of all processes, with those that follow from other values. */}}
{{- define "weft.settings" -}}
{{- $settings := dict }}
{{- with .Values.ingress }}
{{- if .enabled }}
{{- $_ := set $settings "TRUST_PROXY" "1" }}
{{- $_ := set $settings "API_BASE_URL" (printf "%s://%s" (ternary "https" "http" (gt (len .tls) 0)) (first .hosts)) }}
{{- end }}
{{- end }}
{{- toYaml (mergeOverwrite $settings (deepCopy .Values.settings)) }}
{{- end }}

{{/* Refuses values that the schema can't judge, because they depend on each other. */}}
{{- define "weft.check" -}}
{{- $own := .Values.secrets.values }}
{{- if .Values.secrets.existingSecret }}
{{- if $own }}{{ fail "secrets.values and secrets.existingSecret exclude each other." }}{{ end }}
{{- else }}
{{- range list "JWT_SECRET" "ENCRYPTION_KEY" "MFA_SECRET_KEY" }}
{{- if lt (len (get $own .)) 32 }}{{ fail (printf "secrets.values.%s needs 32 bytes or more, for example from openssl rand -hex 32. Or set secrets.existingSecret." .) }}{{ end }}
{{- end }}
{{- if not (or .Values.settings.DATABASE_URL $own.DATABASE_URL) }}{{ fail "Set settings.DATABASE_URL or secrets.values.DATABASE_URL." }}{{ end }}
{{- if and .Values.serviceMonitor.enabled (not $own.METRICS_TOKEN) }}{{ fail "serviceMonitor needs secrets.values.METRICS_TOKEN." }}{{ end }}
{{- end }}
{{- with .Values.worker.autoscaling }}
{{- if and .enabled (not (or .targetCPUUtilizationPercentage .queueAge.enabled)) }}{{ fail "worker.autoscaling needs targetCPUUtilizationPercentage or queueAge.enabled." }}{{ end }}
{{- end }}
{{- if and .Values.settings.DATABASE_DIRECT_URL (not (or .Values.settings.DATABASE_URL .Values.secrets.existingSecret .Values.secrets.values.DATABASE_URL)) }}{{ fail "settings.DATABASE_DIRECT_URL is for a DATABASE_URL that leads through a pooler: set both." }}{{ end }}
{{- if not (or .Values.settings.API_BASE_URL .Values.ingress.enabled) }}{{ fail "Set settings.API_BASE_URL, the public address of the service." }}{{ end }}
{{- if not (or .Values.settings.FILES_URL .Values.files.persistence.enabled) }}{{ fail "Files need a place that all processes share: set settings.FILES_URL or files.persistence.enabled." }}{{ end }}
{{- if and .Values.settings.FILES_URL .Values.files.persistence.enabled }}{{ fail "settings.FILES_URL and files.persistence.enabled exclude each other." }}{{ end }}
{{- end }}
