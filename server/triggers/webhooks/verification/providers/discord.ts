import { createPublicKey, verify } from 'node:crypto';
import { isFreshUnixSeconds } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';

const DISCORD_PUBLIC_KEY_PATTERN = /^[0-9a-f]{64}$/i;
const DISCORD_SIGNATURE_PATTERN = /^[0-9a-f]{128}$/i;

const EVENT_PING_TYPE = 0;
const INTERACTION_PING_TYPE = 1;

/**
 * https://discord.com/developers/docs/events/webhook-events and /interactions/overview : Ed25519 over time and body.
 */
export const discordWebhooks: WebhookProviderRecord = {
  secretIssue: (secret) =>
    DISCORD_PUBLIC_KEY_PATTERN.test(secret) ? null : 'must be the public key: 64 hexadecimal digits',
  verifier({ secret }) {
    const x = Buffer.from(secret, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return {
      reads: ['x-signature-ed25519', 'x-signature-timestamp'],
      admits: ({ headers }) =>
        isFreshUnixSeconds(headers.get('x-signature-timestamp')) &&
        DISCORD_SIGNATURE_PATTERN.test(headers.get('x-signature-ed25519') ?? ''),
      isValid({ headers }, rawBody) {
        const signed = Buffer.concat([Buffer.from(headers.get('x-signature-timestamp') ?? ''), rawBody]);
        return verify(null, signed, key, Buffer.from(headers.get('x-signature-ed25519') ?? '', 'hex'));
      },
      challenge(_, body) {
        if (typeof body !== 'object' || body === null || 'event' in body || !('type' in body)) return null;
        if (body.type === INTERACTION_PING_TYPE) return Response.json({ type: INTERACTION_PING_TYPE });
        return body.type === EVENT_PING_TYPE ? new Response(null, { status: 204 }) : null;
      },
    };
  },
};
