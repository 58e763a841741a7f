import { isSameText } from './compare';
import type { Verifier } from './verifier';

/** User name and password (RFC 7617). */
export const basicVerifier = (username: string, password: string): Verifier => ({
  reads: ['authorization'],
  authenticate: 'Basic realm="webhook", charset="UTF-8"',
  admits({ headers }) {
    const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(headers.get('authorization') ?? '') ?? [];
    return encoded !== undefined && isSameText(Buffer.from(encoded, 'base64').toString(), `${username}:${password}`);
  },
});
