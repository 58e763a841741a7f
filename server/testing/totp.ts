import { setTimeout } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';

/** The code of a base 32 secret, `offset` steps of 30 seconds from now, by another library than the service's own. */
export const totp = (secret: string, offset = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset * 30_000 });

/**
 * Waits until at least ten seconds are left of the current step. A test that uses codes of several steps starts with
 * it: a code of the step before would be two steps old if a step ended meanwhile.
 */
export async function settledStep(): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 10_000) await setTimeout(left);
}
