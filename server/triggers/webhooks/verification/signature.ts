import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import type { BodyCheck, DeliveryHead, WebhookVerifier } from './verifier';

type SignatureVerifierSettings = Omit<Extract<WebhookVerification, { kind: 'signature' }>, 'kind' | 'secret'>;

const SIGNATURE_PATTERNS = {
  sha1: { hex: /^[0-9a-f]{40}$/i, base64: /^[A-Za-z0-9+/]{27}=$/ },
  sha256: { hex: /^[0-9a-f]{64}$/i, base64: /^[A-Za-z0-9+/]{43}=$/ },
  sha512: { hex: /^[0-9a-f]{128}$/i, base64: /^[A-Za-z0-9+/]{86}==$/ },
};

/**
 * An HMAC of the raw body in a header. `keys`: the current secret and, for a while after a rotation, the previous one.
 */
export function createSignatureVerifier(
  { header, algorithm, encoding, prefix }: SignatureVerifierSettings,
  keys: KeyObject[],
): WebhookVerifier {
  const pattern = SIGNATURE_PATTERNS[algorithm][encoding];
  const encoded = (head: DeliveryHead): string | null => {
    const value = head.headers.get(header);
    return value?.startsWith(prefix) ? value.slice(prefix.length) : null;
  };
  const check = (head: DeliveryHead): BodyCheck => {
    const given = Buffer.from(encoded(head) ?? '', encoding);
    const hmacs = keys.map((key) => createHmac(algorithm, key));
    return {
      update: (chunk) => hmacs.forEach((hmac) => hmac.update(chunk)),
      isValid: () =>
        hmacs.some((hmac) => {
          const expected = hmac.digest();
          return given.length === expected.length && timingSafeEqual(given, expected);
        }),
    };
  };
  return {
    reads: [header],
    admits(head) {
      const value = encoded(head);
      return value !== null && pattern.test(value);
    },
    isValid(head, rawBody) {
      const body = check(head);
      body.update(rawBody);
      return body.isValid();
    },
    check,
  };
}

/** `sha256=<hex>`: the documented signature of a body. */
export const documentedSignature = (secret: string | KeyObject, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
