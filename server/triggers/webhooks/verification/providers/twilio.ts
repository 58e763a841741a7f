import { createHash } from 'node:crypto';
import { matchesHmac, isSameTextConstantTime } from '../compare';
import { publicDeliveryUrl, readUnverifiedForm, type WebhookProviderRecord } from '../provider-record';

/** Names and values in the order of their names; a repeated name with its distinct values in order. */
function joinFormParameters(fields: readonly [string, string][]): string {
  const parameters = new Map<string, Set<string>>();
  for (const [name, value] of fields) parameters.set(name, (parameters.get(name) ?? new Set()).add(value));
  return [...parameters.keys()]
    .toSorted()
    .flatMap((name) => [...(parameters.get(name) ?? [])].toSorted().map((value) => name + value))
    .join('');
}

/** Twilio signs with or without the standard port in the address. */
function possibleSignedUrls(url: string): string[] {
  const { protocol, port, host, hostname } = new URL(url);
  const [, rest = ''] = /^https?:\/\/[^/]*(.*)$/.exec(url) ?? [];
  const standard = protocol === 'https:' ? '443' : '80';
  return [...new Set([url, `${protocol}//${host}${rest}`, `${protocol}//${hostname}:${port || standard}${rest}`])];
}

/**
 * https://www.twilio.com/docs/usage/webhooks/webhooks-security : the address and the fields of the form; for other
 * bodies the address, which then carries the hash of the body.
 */
export const twilioWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-twilio-signature'],
    admits: ({ headers }) => headers.has('x-twilio-signature'),
    isValid(head, rawBody) {
      const hash = new URLSearchParams(head.rawQuery).get('bodySHA256');
      const isSameBody =
        hash === null || isSameTextConstantTime(hash, createHash('sha256').update(rawBody).digest('hex'));
      const fields = hash === null ? readUnverifiedForm(rawBody) : [];
      if (!isSameBody || fields === null) return false;
      const signed = joinFormParameters(fields);
      const given = head.headers.get('x-twilio-signature');
      const hmac = { key: secret, algorithm: 'sha1', encoding: 'base64' } as const;
      return possibleSignedUrls(publicDeliveryUrl(head)).some((url) => matchesHmac(given, hmac, url, signed));
    },
  }),
};
