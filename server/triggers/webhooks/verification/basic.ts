import { isSameTextConstantTime } from './compare';
import type { WebhookVerifier } from './verifier';

/** User name and password (RFC 7617). */
export const createBasicVerifier = (username: string, password: string): WebhookVerifier => ({
  reads: ['authorization'],
  authenticate: 'Basic realm="webhook", charset="UTF-8"',
  admits({ headers }) {
    const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(headers.get('authorization') ?? '') ?? [];
    return (
      encoded !== undefined &&
      isSameTextConstantTime(Buffer.from(encoded, 'base64').toString(), `${username}:${password}`)
    );
  },
});
