import { isSameTextConstantTime } from './compare';
import type { WebhookVerifier } from './verifier';

/** A fixed value in a header of the author's choice. */
export const createHeaderVerifier = (name: string, value: string): WebhookVerifier => ({
  reads: [name],
  admits({ headers }) {
    const given = headers.get(name);
    return given !== null && isSameTextConstantTime(given, value);
  },
});
