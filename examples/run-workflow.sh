#!/bin/sh
# Signs in, creates a workflow, runs it by a call and by a signed webhook. Needs curl and openssl.
set -eu
url=${WEFT_URL:-http://localhost:8080}

# The text of a field in a JSON answer; enough for ids and tokens.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
call() { curl -fsS -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }

token=$(curl -fsS "$url/api/auth/login" -H 'Content-Type: application/json' \
  -d "{\"email\":\"$WEFT_EMAIL\",\"password\":\"$WEFT_PASSWORD\"}" | field accessToken)

workflow=$(call "$url/api/workflows" -d '{
  "name": "Order total",
  "definition": {
    "nodes": [
      {"id": "start", "type": "start", "position": {"x": 0, "y": 0}, "config": {}},
      {"id": "total", "type": "transform", "position": {"x": 240, "y": 0}, "config": {"expression": "$sum(input.items.price)"}}
    ],
    "connections": [{"sourceNode": "start", "sourcePort": "output", "targetNode": "total", "targetPort": "input"}]
  }
}' | sed 's/,.*//' | field id)

# Waits for the end of a run and shows it.
watch() {
  until call "$url/api/executions/$1" | grep -Eq '"status":"(completed|failed)","trigger"'; do sleep 1; done
  call "$url/api/executions/$1"
  echo
  call "$url/api/executions/$1/logs"
  echo
}

body='{"items":[{"price":12},{"price":30}]}'
watch "$(call "$url/api/workflows/$workflow/execute" -d "{\"input\":$body}" | field executionId)"

secret=$(call "$url/api/workflows/$workflow/webhooks" -d '{"path":"orders"}' | field secret)
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/.* //')
watch "$(curl -fsS "$url/webhooks/$workflow/orders" -H 'Content-Type: application/json' \
  -H "X-Service-Signature: sha256=$signature" -d "$body" | field executionId)"
