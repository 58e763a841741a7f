/**
 * A signed request for a shell: openssl signs the exact bytes that curl sends. Without `secret` it is read from
 * $SECRET.
 */
export const signedCurlCommand = (url: string, secret?: string): string =>
  [
    `BODY='{"hello":"world"}'`,
    `SIGNATURE=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac ${secret ? `'${secret}'` : '"$SECRET"'} | sed 's/^.* //')`,
    `curl -X POST '${url}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "X-Service-Signature: sha256=$SIGNATURE" \\`,
    `  -d "$BODY"`,
  ].join('\n');
