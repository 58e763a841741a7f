import { createPublicKey, verify } from 'node:crypto';
import { isFresh } from '../compare';
import type { Provider } from '../provider-record';

const PUBLIC_KEY = /^[0-9a-f]{64}$/i;
const SIGNATURE = /^[0-9a-f]{128}$/i;

const PING_OF_EVENTS = 0;
const PING_OF_INTERACTIONS = 1;

/** https://discord.com/developers/docs/events/webhook-events and /interactions/overview : Ed25519 over time and body. */
export const discord: Provider = {
  secretIssue: (secret) => (PUBLIC_KEY.test(secret) ? null : 'must be the public key: 64 hexadecimal digits'),
  verifier({ secret }) {
    const x = Buffer.from(secret, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return {
      reads: ['x-signature-ed25519', 'x-signature-timestamp'],
      admits: ({ headers }) =>
        isFresh(headers.get('x-signature-timestamp')) && SIGNATURE.test(headers.get('x-signature-ed25519') ?? ''),
      isValid({ headers }, rawBody) {
        const signed = Buffer.concat([Buffer.from(headers.get('x-signature-timestamp') ?? ''), rawBody]);
        return verify(null, signed, key, Buffer.from(headers.get('x-signature-ed25519') ?? '', 'hex'));
      },
      challenge(_, body) {
        if (typeof body !== 'object' || body === null || 'event' in body || !('type' in body)) return null;
        if (body.type === PING_OF_INTERACTIONS) return Response.json({ type: PING_OF_INTERACTIONS });
        return body.type === PING_OF_EVENTS ? new Response(null, { status: 204 }) : null;
      },
    };
  },
};
