import { Secret, TOTP } from 'otpauth';

/** The code of a base 32 secret, `offset` steps of 30 seconds from now, by another library than the service's own. */
export const totp = (secret: string, offset = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset * 30_000 });
